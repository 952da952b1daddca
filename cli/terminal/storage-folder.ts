// Where the command line keeps what is not secret: accounts, lock files, settings of its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { homeFolder } from "../../platform/files/home-folder.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";

/** `PACK_AUTH_HOME`, else the system's place for a program's data. It may not exist yet. Undefined where the user has no home. */
export function storageFolder(): string | undefined {
  const { env } = process;
  return env.PACK_AUTH_HOME ? resolve(env.PACK_AUTH_HOME) : userFolder("data");
}

/** The same folder, made where it is missing; private (0700). Throws storage-failed. */
export function makeStorageFolder(): string {
  const folder = storageFolder();
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

/** By system: the variable that may name the folder, and where it is below the user's home. */
const FOLDERS = {
  data: { win32: ["APPDATA", "AppData/Roaming"], darwin: ["", "Library/Application Support"], other: ["XDG_DATA_HOME", ".local/share"] },
  cache: { win32: ["LOCALAPPDATA", "AppData/Local"], darwin: ["", "Library/Caches"], other: ["XDG_CACHE_HOME", ".cache"] },
} as const;

/** Our own below the system's place for a program's data, or for what it can make again. Undefined where the user has no home. */
export function userFolder(kind: "data" | "cache"): string | undefined {
  const { env, platform } = process;
  const [variable, below] = FOLDERS[kind][platform === "win32" || platform === "darwin" ? platform : "other"];
  const named = env[variable];
  const home = homeFolder();
  // The XDG Base Directory Specification takes absolute paths only.
  const folder = named && (platform === "win32" || named.startsWith("/")) ? named : home && join(home, below);
  return folder && join(folder, "pack-auth", platform === "win32" && kind === "cache" ? "Cache" : "");
}
