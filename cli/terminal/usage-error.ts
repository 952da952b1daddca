/** A wrong command or an unreadable file: exit code 2. The message says what is wrong and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Compares the name, because verbs of another bundle have their own copy of the class. */
export const isUsageError = (error: unknown): error is Error => error instanceof Error && error.name === "UsageError";
