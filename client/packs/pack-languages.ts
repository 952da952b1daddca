// Files that can be of a pack, as the editor tells them.

export const LANGUAGES: readonly string[] = ["typescript", "javascript", "typescriptreact", "javascriptreact"];

export const PACK_FILES = LANGUAGES.map((language) => ({ scheme: "file", language }));
