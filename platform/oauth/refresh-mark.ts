// A mark on disk that a refresh token is on its way: whoever finds it later knows that the window which sent the token got no answer, or
// ended before it could store it. A token that rotates may not be sent twice: providers take that for theft and end the whole sign-in.

import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { PackAuthError } from "../errors.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import type { OAuth2Credential } from "../secrets/credential.ts";

interface RefreshMark {
  /** Whether this very credential was sent before, and no answer was stored. Throws storage-failed where that cannot be read. */
  isOn(credential: OAuth2Credential): Promise<boolean>;
  /** On the disk when it is done, with room for what the answer makes to be stored. Throws storage-failed. */
  set(credential: OAuth2Credential): Promise<void>;
  /** Gives the room back; the mark stays. Never throws. */
  giveRoom(credential: OAuth2Credential): Promise<void>;
  /** Never throws: a mark that stays is on a credential that is no longer stored, or asks for one sign-in too many. */
  clear(): Promise<void>;
}

/** Bytes: more than an account's files take. A token that was sent and cannot be stored is lost, so a disk that is full is found before. */
const ROOM = 64 * 1024;

/** `file` is private to this person, and only touched under the account's lock. */
export function refreshMark(file: string): RefreshMark {
  const createStorageError = (message: string, cause: unknown): PackAuthError =>
    new PackAuthError("storage-failed", message, {
      hint: "Check the disk's free space and the folder's permissions.",
      cause,
    });
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
    // Cut, not written anew: on a disk that is full there is no moment without the mark.
    giveRoom: (credential) => retryWhileBusy(() => truncateSync(file, fingerprintOf(credential).length)).catch(() => {}),
    // See the declaration.
    clear: () => retryWhileBusy(() => write(file, "")).catch(() => {}),
  };
}

function write(file: string, text: string): void {
  const handle = openSync(file, "w", 0o600);
  try {
    // Goes on where a part was written, or throws.
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
