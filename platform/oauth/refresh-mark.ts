// A mark on disk while a refresh token is being sent. A later window that finds it knows that no response was stored. A rotating token must
// not be sent twice: providers treat that as theft and revoke the whole sign-in.

import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { PackAuthError } from "../errors.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import type { OAuth2Credential } from "../secrets/credential.ts";

interface RefreshMark {
  /** Returns whether this credential was sent before and no response was stored. Throws storage-failed if the mark cannot be read. */
  isOn(credential: OAuth2Credential): Promise<boolean>;
  /** Writes the mark to disk, with room for the new credential, before it resolves. Throws storage-failed. */
  set(credential: OAuth2Credential): Promise<void>;
  /** Frees the room; the mark stays. Never throws. */
  giveRoom(credential: OAuth2Credential): Promise<void>;
  /** Removes the mark. Never throws: a mark that remains belongs to a credential that is no longer stored, or costs one more sign-in. */
  clear(): Promise<void>;
}

/** Bytes, more than an account's files need. A new token that cannot be stored is lost, so a full disk must be found before the request. */
const ROOM = 64 * 1024;

/** Returns the mark in `file`, which is private to this person and only accessed under the account's lock. */
export function refreshMark(file: string): RefreshMark {
  const createStorageError = (message: string, cause: unknown): PackAuthError =>
    new PackAuthError("storage-failed", message, { hint: "Check the disk's free space and the folder's permissions.", cause });
  return {
    async isOn(credential) {
      try {
        return (await retryWhileBusy(() => readFileSync(file, "utf8"))).trimEnd() === fingerprintOf(credential);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
        throw createStorageError(`The file ${file} could not be read, so the token was not refreshed.`, error);
      }
    },
    async set(credential) {
      try {
        await retryWhileBusy(() => write(file, fingerprintOf(credential).padEnd(ROOM)));
      } catch (error) {
        await this.clear();
        throw createStorageError(`The file ${file} could not be written, so the token was not refreshed.`, error);
      }
    },
    // The file is truncated and not rewritten, so that the mark is never missing, even on a full disk.
    giveRoom: (credential) => retryWhileBusy(() => truncateSync(file, fingerprintOf(credential).length)).catch(() => {}),
    // See the declaration.
    clear: () => retryWhileBusy(() => write(file, "")).catch(() => {}),
  };
}

function write(file: string, text: string): void {
  const handle = openSync(file, "w", 0o600);
  try {
    // writeFileSync continues after a partial write, or throws.
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Tells credentials apart without telling anything of them: both tokens would have to be guessed at once. */
const fingerprintOf = ({ accessToken, refreshToken = "" }: OAuth2Credential): string =>
  createHash("sha256")
    .update(JSON.stringify([accessToken, refreshToken]))
    .digest("hex")
    .slice(0, 32);
