// The folder of the command line's data that is not secret: accounts, lock files, its own settings. See platform/files/user-data-folder.ts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import type { Terminal } from "./terminal.ts";

/** Creates the folder if it is missing, as a private one (0700), and returns its path. Throws storage-failed. */
export function makeStorageFolder({ environment }: Pick<Terminal, "environment">): string {
  const folder = userDataFolder(environment);
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
