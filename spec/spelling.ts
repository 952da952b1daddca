// Names that people and APIs write in different ways.

/** The same for `created_at`, `createdAt` and `Created-At`. */
export const spelling = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
