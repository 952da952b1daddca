// On Windows, programs that are `.cmd` files, such as npm and VS Code's `code`, only start through the shell, which takes a single line.

interface ShellCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

/** Returns the arguments for spawn. For the shell, each argument is quoted, because a folder's name may contain a space. */
export function shellCommand(program: string, args: readonly string[], platform: NodeJS.Platform = process.platform): ShellCommand {
  if (platform !== "win32") return { command: program, args, shell: false };
  // A backslash before the closing quote would escape it.
  return { command: program, args: args.map((arg) => `"${arg.replace(/\\+$/, "$&$&")}"`), shell: true };
}
