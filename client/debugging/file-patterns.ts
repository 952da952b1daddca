// File patterns for VS Code's JavaScript debugger, for folders with any name.

/**
 * Returns a pattern for every file below a folder. Patterns use slashes on every system and have no escapes, so `?` replaces each special
 * character.
 */
export const everythingIn = (folder: string): string => `${folder.replaceAll("\\", "/").replace(/[[\](){}!*?+@|]/g, "?")}/**`;
