// The languages of files that can belong to a pack.

export const LANGUAGES: readonly string[] = ["typescript", "javascript", "typescriptreact", "javascriptreact"];

export const PACK_FILES = LANGUAGES.map((language) => ({ scheme: "file", language }));
