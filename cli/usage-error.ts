/** The call itself is wrong, or a file cannot be read: exit code 2. The message says what, and what to do. */
export class UsageError extends Error {}
