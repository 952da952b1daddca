// Returns a folder's salt: 16 random bytes, created once even if several processes start at the same time, and never changed.

import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PackAuthError } from "../errors.ts";
import { makeFolder } from "../files/make-folder.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";

const SALT_BYTES = 16;

/**
 * Returns the folder's salt, and creates the folder if needed.
 * Throws storage-failed, also for a shortened salt: an attacker could then know it.
 */
export async function folderSalt(folder: string): Promise<Buffer> {
  const file = join(folder, "salt");
  const salt = await readSalt(folder, file);
  if (salt.length === SALT_BYTES) return salt;
  throw new PackAuthError("storage-failed", `The file ${file} is damaged: it must have ${SALT_BYTES} bytes.`, {
    hint: "Restore the file from a backup, or remove the folder and sign in again.",
  });
}

async function readSalt(folder: string, file: string): Promise<Buffer> {
  try {
    if (!existsSync(file)) await makeSalt(folder, file);
    return await retryWhileBusy(() => readFileSync(file));
  } catch (cause) {
    throw unusableFolder(folder, cause);
  }
}

export const unusableFolder = (folder: string, cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `The folder ${folder} for encrypted secrets cannot be used.`, {
    hint: "Check that it can be read and written, and that the disk has free space.",
    cause,
  });

async function makeSalt(folder: string, file: string): Promise<void> {
  makeFolder(folder);
  const own = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(own, randomBytes(SALT_BYTES), { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch {
    // Another process was faster, or the file system has no links; the first file stays then.
    await retryWhileBusy(() => existsSync(file) || renameSync(own, file));
  } finally {
    await retryWhileBusy(() => rmSync(own, { force: true }));
  }
}
