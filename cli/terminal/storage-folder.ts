// The folder of the command line's data that is not secret: accounts, lock files, its own settings.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { homeFolder } from "../../platform/files/home-folder.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";

/**
 * Returns `PACK_AUTH_HOME`, else the system's folder for program data. The folder may not exist yet. Returns undefined if the user has no
 * home.
 */
export function storageFolder(): string | undefined {
  const { env } = process;
  return env.PACK_AUTH_HOME ? resolve(env.PACK_AUTH_HOME) : userFolder();
}

/** Creates the same folder if it is missing, as a private one (0700), and returns its path. Throws storage-failed. */
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

/** Bytes; more than the files of an account need. */
const ROOM = 64 * 1024;

/**
 * Tests the folder before a person signs in for something that could not be stored. It writes a file, because permissions alone do not show
 * whether this works. Throws storage-failed.
 */
export function tryStorageFolder(folder: string): void {
  let trial: string | undefined;
  try {
    trial = mkdtempSync(join(folder, "trial-"));
    // A full disk still accepts empty folders.
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

/** By system: the variable that may name the folder, and the default below the user's home. */
const FOLDERS = {
  win32: ["APPDATA", "AppData/Roaming"],
  darwin: ["", "Library/Application Support"],
  other: ["XDG_DATA_HOME", ".local/share"],
} as const;

/** Our own below the system's place for a program's data. Undefined where the user has no home. */
function userFolder(): string | undefined {
  const { env, platform } = process;
  const [variable, below] = FOLDERS[platform === "win32" || platform === "darwin" ? platform : "other"];
  const named = env[variable];
  const home = homeFolder();
  // The XDG Base Directory Specification accepts absolute paths only.
  const folder = named && (platform === "win32" || named.startsWith("/")) ? named : home && join(home, below);
  return folder && join(folder, "pack-auth");
}
