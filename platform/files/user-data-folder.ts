// The user's folder of data that is not secret. The command line keeps all of its data there; the editor keeps there what both share.
import { join, resolve } from "node:path";
import { homeFolder } from "./home-folder.ts";

/** By system: the variable that may name the folder, and the default below the user's home. */
const FOLDERS = {
  win32: ["APPDATA", "AppData/Roaming"],
  darwin: ["", "Library/Application Support"],
  other: ["XDG_DATA_HOME", ".local/share"],
} as const;

/**
 * Returns `PACK_AUTH_HOME`, else our folder in the system's folder for program data. It may not exist yet. Returns undefined if the user has
 * no home.
 */
export function userDataFolder(env: NodeJS.ProcessEnv): string | undefined {
  const { platform } = process;
  if (env.PACK_AUTH_HOME) return resolve(env.PACK_AUTH_HOME);
  const [variable, below] = FOLDERS[platform === "win32" || platform === "darwin" ? platform : "other"];
  const named = env[variable];
  const home = homeFolder();
  // The XDG Base Directory Specification accepts absolute paths only.
  const folder = named && (platform === "win32" || named.startsWith("/")) ? named : home && join(home, below);
  return folder && join(folder, "pack-auth");
}
