// What the pack process finds in its environment. The host gives it nothing that is secret; Windows gives every child some names of its
// own, and those are taken out before the self-test looks.

/** libuv copies these from the parent into every child on Windows, whatever the child was to be given. SystemRoot and windir stay: Windows' own libraries need them. */
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
  // Windows' names have no case: process.env finds Path as PATH.
  for (const name of WINDOWS_VARIABLES) delete environment[name];
}

/** The clocks are named, and Node itself may add a few names; nothing of the host's may be here. */
export const foreignVariables = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.keys(environment).filter((name) => !/^(TZ|ELECTRON_RUN_AS_NODE|__CF_USER_TEXT_ENCODING|SystemRoot|windir)$/i.test(name));
