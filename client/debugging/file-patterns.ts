// Patterns of files for VS Code's JavaScript debugger, of folders that may be called anything.

/** Every file below a folder. The patterns have slashes on every system and no escapes: a character that means something there stands for any one. */
export const everythingIn = (folder: string): string => `${folder.replaceAll("\\", "/").replace(/[[\](){}!*?+@|]/g, "?")}/**`;
