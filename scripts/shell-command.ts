// Programs that Windows has as `.cmd` files, such as npm and VS Code's `code`, are started by its shell alone, which takes them as one line.

interface ShellCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

/** What spawn is given. For the shell each part stands in quotes, so that a folder's name may hold a blank. */
export function shellCommand(program: string, args: readonly string[], platform: NodeJS.Platform = process.platform): ShellCommand {
  if (platform !== "win32") return { command: program, args, shell: false };
  // A backslash before a quote would make it a part of the text.
  return { command: program, args: args.map((arg) => `"${arg.replace(/\\+$/, "$&$&")}"`), shell: true };
}
