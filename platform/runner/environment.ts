// Checks the environment of the pack process. The host passes no secrets, but Windows adds some variables to every child process. They are
// removed before the self-test.

/**
 * On Windows libuv copies these variables from the parent into every child process. SystemRoot and windir stay, because Windows' own
 * libraries need them.
 */
const WINDOWS_VARIABLES = [
  "HOMEDRIVE",
  "HOMEPATH",
  "LOGONSERVER",
  "PATH",
  "SYSTEMDRIVE",
  "TEMP",
  "USERDOMAIN",
  "USERNAME",
  "USERPROFILE",
] as const;

export function removeWindowsVariables(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): void {
  if (platform !== "win32") return;
  // Windows' variable names are case-insensitive: process.env finds Path as PATH.
  for (const name of WINDOWS_VARIABLES) delete environment[name];
}

/** Returns the variables that should not be here. The time zone and a few names that Node or the system may add are allowed. */
export const foreignVariables = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.keys(environment).filter((name) => !/^(TZ|ELECTRON_RUN_AS_NODE|__CF_USER_TEXT_ENCODING|SystemRoot|windir)$/i.test(name));
