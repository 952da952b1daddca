// Where the command line keeps what is not secret: accounts, lock files, settings of its own.
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { PackAuthError } from "../../platform/errors.ts";
import { errorMessage } from "../../protocol/error-message.ts";

/** `PACK_AUTH_HOME`, else the system's place for a program's data. It may not exist yet. */
export const storageFolder = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string =>
  env.PACK_AUTH_HOME ? resolve(env.PACK_AUTH_HOME) : join(dataFolder(env, platform), "pack-auth");

/** The same folder, made where it is missing; private (0700). Throws storage-failed. */
export function makeStorageFolder(env: NodeJS.ProcessEnv): string {
  const folder = storageFolder(env);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new PackAuthError("storage-failed", `The folder ${folder} cannot be made (${errorMessage(cause)}).`, {
      hint: "Set PACK_AUTH_HOME to a folder that you can write.",
      cause,
    });
  }
  return folder;
}

function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32") return env.APPDATA ?? join(homedir(), "AppData", "Roaming");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  // The XDG Base Directory Specification takes absolute paths only.
  return env.XDG_DATA_HOME?.startsWith("/") ? env.XDG_DATA_HOME : join(homedir(), ".local", "share");
}
