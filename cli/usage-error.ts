/** The call itself is wrong, or a file cannot be read: exit code 2. The message says what, and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** By its name: verbs of another bundle have a class of their own. */
export const isUsageError = (error: unknown): error is Error => error instanceof Error && error.name === "UsageError";
