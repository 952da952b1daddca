// Compares names that people and APIs write in different ways.

/** Returns the same string for `created_at`, `createdAt` and `Created-At`. */
export const spelling = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
