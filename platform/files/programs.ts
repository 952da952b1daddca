// Programs of this machine, by their whole path. A bare name would be looked for in other places first: Windows looks in the current
// folder, and npm puts node_modules/.bin in front while it runs a script. What lies there is code of the workspace.

import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import { t } from "@vscode/l10n";

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  isProgram(file: string): boolean;
}

export const THIS_MACHINE: Machine = { platform: process.platform, environment: process.env, isProgram: isExecutable };

/** Every program of that name on the PATH, each once. What is relative, or in node_modules, is the workspace's. */
export function programsOnPath(name: string, { platform, environment, isProgram } = THIS_MACHINE): readonly string[] {
  const isWindows = platform === "win32";
  const { delimiter, isAbsolute, join } = isWindows ? win32 : posix;
  const files = (environment.PATH ?? "")
    .split(delimiter)
    // Windows takes a folder in quotation marks.
    .map((folder) => (isWindows ? folder.replace(/^"(.*)"$/, "$1") : folder))
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules(?:[\\/]|$)/.test(folder))
    // A file without .exe beside it is a script for another shell.
    .map((folder) => join(folder, isWindows ? `${name}.exe` : name));
  return [...new Set(files)].filter(isProgram);
}

/** Throws where there is none. */
export function programOnPath(name: string, machine = THIS_MACHINE): string {
  const [found] = programsOnPath(name, machine);
  if (found === undefined) throw new Error(t`There is no ${name} on the PATH.`);
  return found;
}

/** A program that comes with Windows, named by its place in System32. */
export const windowsProgram = (name: string, { environment } = THIS_MACHINE): string =>
  win32.join(environment.SystemRoot ?? "C:\\Windows", "System32", name);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
