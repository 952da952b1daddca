// Finds programs of this machine by their whole path, and limits their environment. A bare name would be searched for in the workspace
// first. Windows looks in the current folder, and npm puts node_modules/.bin first in the PATH while it runs a script.

import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  isProgram(file: string): boolean;
}

export const THIS_MACHINE: Machine = { platform: process.platform, environment: process.env, isProgram: isExecutable };

/**
 * Returns every program of that name on the PATH, each once. Relative folders and node_modules are skipped, because they belong to the
 * workspace.
 */
export function programsOnPath(name: string, machine = THIS_MACHINE): readonly string[] {
  const isWindows = machine.platform === "win32";
  const { join } = isWindows ? win32 : posix;
  // A file without .exe is a script for another shell.
  const files = foldersOnPath(machine).map((folder) => join(folder, isWindows ? `${name}.exe` : name));
  return [...new Set(files)].filter((file) => machine.isProgram(file));
}

function foldersOnPath({ platform, environment }: Machine): readonly string[] {
  const isWindows = platform === "win32";
  const { delimiter, isAbsolute } = isWindows ? win32 : posix;
  return (
    (environment.PATH ?? "")
      .split(delimiter)
      // Windows allows a folder in quotation marks.
      .map((folder) => (isWindows ? folder.replace(/^"(.*)"$/, "$1") : folder))
      .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules(?:[\\/]|$)/.test(folder))
  );
}

/** Returns the first program of that name on the PATH. Throws if there is none. */
export function programOnPath(name: string, machine = THIS_MACHINE): string {
  const [program] = programsOnPath(name, machine);
  if (program === undefined) throw new Error(`There is no ${name} on the PATH.`);
  return program;
}

/** Returns the path of a program that comes with Windows, by its name in System32. */
export const windowsProgram = (name: string, { environment } = THIS_MACHINE): string =>
  win32.join(environment.SystemRoot ?? "C:\\Windows", "System32", name);

/**
 * The variables that a program needs to work as in a shell or on a desktop: the user's folders, language, display, session and proxies.
 * Other variables may contain a passphrase, a token or a client secret, so they are not passed on.
 */
const PASSED_ON =
  /^(?:HOME|USER|USERNAME|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TEMP|TMP|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|BROWSER|DESKTOP_SESSION|XDG_\w+|KDE_(?:FULL_SESSION|SESSION_VERSION)|GNOME_DESKTOP_SESSION_ID|WSL(?:_DISTRO_NAME|_INTEROP|ENV)|(?:https?|all|no)_proxy|SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|USERPROFILE|USERDOMAIN|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|ALLUSERSPROFILE|PUBLIC|Program(?:Data|Files|W6432)|ProgramFiles\(x86\)|CommonProgram(?:Files|W6432)|CommonProgramFiles\(x86\)|NUMBER_OF_PROCESSORS|PROCESSOR_\w+|OS|PSModulePath)$/i;

/**
 * Returns the environment of every program of this machine that the product starts: allowed variables, and a PATH without the workspace's
 * folders.
 */
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
