/** The call itself is wrong, or a file cannot be read: exit code 2. */
export class UsageError extends Error {}
