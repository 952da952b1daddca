// Programs of this machine, by their whole path, and what they get of the environment. A bare name would be looked for in other places first:
// Windows looks in the current folder, and npm puts node_modules/.bin in front while it runs a script. What lies there is code of the workspace.

import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  isProgram(file: string): boolean;
}

export const THIS_MACHINE: Machine = { platform: process.platform, environment: process.env, isProgram: isExecutable };

/** Every program of that name on the PATH, each once. What is relative, or in node_modules, is the workspace's. */
export function programsOnPath(name: string, machine = THIS_MACHINE): readonly string[] {
  const isWindows = machine.platform === "win32";
  const { join } = isWindows ? win32 : posix;
  // A file without .exe beside it is a script for another shell.
  const files = foldersOnPath(machine).map((folder) => join(folder, isWindows ? `${name}.exe` : name));
  return [...new Set(files)].filter((file) => machine.isProgram(file));
}

function foldersOnPath({ platform, environment }: Machine): readonly string[] {
  const isWindows = platform === "win32";
  const { delimiter, isAbsolute } = isWindows ? win32 : posix;
  return (
    (environment.PATH ?? "")
      .split(delimiter)
      // Windows takes a folder in quotation marks.
      .map((folder) => (isWindows ? folder.replace(/^"(.*)"$/, "$1") : folder))
      .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules(?:[\\/]|$)/.test(folder))
  );
}

/** Throws where there is none. */
export function programOnPath(name: string, machine = THIS_MACHINE): string {
  const [program] = programsOnPath(name, machine);
  if (program === undefined) throw new Error(`There is no ${name} on the PATH.`);
  return program;
}

/** A program that comes with Windows, named by its place in System32. */
export const windowsProgram = (name: string, { environment } = THIS_MACHINE): string =>
  win32.join(environment.SystemRoot ?? "C:\\Windows", "System32", name);

/**
 * What a program that is started needs to work as in a shell or on a desktop: the user's places, language, display, session and proxies. An
 * environment may hold a passphrase, a token or a client secret beside them, so every other variable stays out.
 */
const PASSED_ON =
  /^(?:HOME|USER|USERNAME|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TEMP|TMP|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|BROWSER|DESKTOP_SESSION|XDG_\w+|KDE_(?:FULL_SESSION|SESSION_VERSION)|GNOME_DESKTOP_SESSION_ID|WSL(?:_DISTRO_NAME|_INTEROP|ENV)|(?:https?|all|no)_proxy|SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|USERPROFILE|USERDOMAIN|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|ALLUSERSPROFILE|PUBLIC|Program(?:Data|Files|W6432)|ProgramFiles\(x86\)|CommonProgram(?:Files|W6432)|CommonProgramFiles\(x86\)|NUMBER_OF_PROCESSORS|PROCESSOR_\w+|OS|PSModulePath)$/i;

/** The environment of every program of this machine that the product starts: variables by their names, and a PATH without the workspace's programs. */
export function programEnvironment(machine = THIS_MACHINE): NodeJS.ProcessEnv {
  const passedOn = Object.entries(machine.environment).filter(([name]) => PASSED_ON.test(name));
  const { delimiter } = machine.platform === "win32" ? win32 : posix;
  return { ...Object.fromEntries(passedOn), PATH: foldersOnPath(machine).join(delimiter) };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
