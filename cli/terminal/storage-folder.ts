// Where the command line keeps what is not secret: accounts, lock files, settings of its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PackAuthError } from "../../platform/errors.ts";
import { homeFolder } from "../../platform/files/home-folder.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";
import { errorMessage } from "../../protocol/error-message.ts";

/** `PACK_AUTH_HOME`, else the system's place for a program's data. It may not exist yet. Undefined where the user has no home. */
export function storageFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string | undefined {
  if (env.PACK_AUTH_HOME) return resolve(env.PACK_AUTH_HOME);
  const folder = dataFolder(env, platform);
  return folder === undefined ? undefined : join(folder, "pack-auth");
}

/** The same folder, made where it is missing; private (0700). Throws storage-failed. */
export function makeStorageFolder(env: NodeJS.ProcessEnv): string {
  const folder = storageFolder(env);
  if (folder === undefined) throw storageFailed("Nothing can be saved", "this user has no home folder, or HOME is not an absolute path");
  try {
    makeFolder(folder);
  } catch (cause) {
    throw storageFailed(`The folder ${folder} cannot be made`, cause);
  }
  return folder;
}

/** Bytes: more than the files of an account take. */
const ROOM = 64 * 1024;

/** Before a person signs in for what could not be stored. Tries it: permissions alone do not tell. Throws storage-failed. */
export function tryStorageFolder(folder: string): void {
  let trial: string | undefined;
  try {
    trial = mkdtempSync(join(folder, "trial-"));
    // A disk that is full still takes empty folders.
    writeFileSync(join(trial, "room"), Buffer.alloc(ROOM));
  } catch (cause) {
    throw storageFailed(`Nothing can be saved in the folder ${folder}`, cause);
  } finally {
    if (trial !== undefined) rmSync(trial, { recursive: true, force: true });
  }
}

/** `cause`: an error, or the reason in words. */
const storageFailed = (message: string, cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `${message} (${errorMessage(cause)}).`, {
    hint: "Set PACK_AUTH_HOME to a folder that you can write and that has free space.",
    cause,
  });

function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (platform === "win32" && env.APPDATA !== undefined) return env.APPDATA;
  // The XDG Base Directory Specification takes absolute paths only.
  if (platform !== "win32" && platform !== "darwin" && env.XDG_DATA_HOME?.startsWith("/")) return env.XDG_DATA_HOME;
  const home = homeFolder();
  if (home === undefined) return undefined;
  if (platform === "win32") return join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return join(home, ".local", "share");
}
