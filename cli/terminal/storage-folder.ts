// Where the command line keeps what is not secret: accounts, lock files, settings of its own.
import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
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
    throw storageFailed(`The folder ${folder} cannot be made`, cause);
  }
  return folder;
}

/** Before a person signs in for what could not be stored. Tries it: permissions alone do not tell. Throws storage-failed. */
export function tryStorageFolder(folder: string): void {
  try {
    rmdirSync(mkdtempSync(join(folder, "trial-")));
  } catch (cause) {
    throw storageFailed(`Nothing can be saved in the folder ${folder}`, cause);
  }
}

const storageFailed = (message: string, cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `${message} (${errorMessage(cause)}).`, {
    hint: "Set PACK_AUTH_HOME to a folder that you can write.",
    cause,
  });

function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32") return env.APPDATA ?? join(homedir(), "AppData", "Roaming");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  // The XDG Base Directory Specification takes absolute paths only.
  return env.XDG_DATA_HOME?.startsWith("/") ? env.XDG_DATA_HOME : join(homedir(), ".local", "share");
}
