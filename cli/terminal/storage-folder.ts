// Where the command line keeps what is not secret: accounts, lock files, settings of its own.
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** `PACK_AUTH_HOME`, else the system's place for a program's data; private (0700). */
export function storageFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const folder = env.PACK_AUTH_HOME ? resolve(env.PACK_AUTH_HOME) : join(dataFolder(env, platform), "pack-auth");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32") return env.APPDATA ?? join(homedir(), "AppData", "Roaming");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  // The XDG Base Directory Specification takes absolute paths only.
  return env.XDG_DATA_HOME?.startsWith("/") ? env.XDG_DATA_HOME : join(homedir(), ".local", "share");
}
