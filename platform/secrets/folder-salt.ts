// 16 random bytes that belong to a folder: made once, whatever processes come to it at the same moment, and the same ever after.

import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PackAuthError } from "../errors.ts";
import { makeFolder } from "../files/make-folder.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";

const SALT_BYTES = 16;

/** Makes the folder, too. Throws storage-failed, also where the salt is not whole: one that somebody shortened would be a known one. */
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
    // Another process was faster; or the file system has no links, and the first come is the one that stays.
    await retryWhileBusy(() => existsSync(file) || renameSync(own, file));
  } finally {
    await retryWhileBusy(() => rmSync(own, { force: true }));
  }
}
