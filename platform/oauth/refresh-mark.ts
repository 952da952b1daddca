// A mark on disk that a refresh token is on its way: whoever finds it later knows that the window which sent the token got no answer, or
// ended before it could store it. A token that rotates may not be sent twice: providers take that for theft and end the whole sign-in.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { OAuth2Credential } from "../credential.ts";
import { PackAuthError } from "../errors.ts";

export interface RefreshMark {
  /** Whether this very credential was sent before, and no answer was stored. */
  isOn(credential: OAuth2Credential): boolean;
  /** On the disk when it returns. Throws storage-failed. */
  set(credential: OAuth2Credential): void;
  /** Never throws: a mark that stays is on a credential that is no longer stored, or asks for one sign-in too many. */
  clear(): void;
}

/** `file` is private to this person, and only touched under the account's lock. */
export function refreshMark(file: string): RefreshMark {
  return {
    isOn(credential) {
      try {
        return readFileSync(file, "utf8") === fingerprintOf(credential);
      } catch {
        return false;
      }
    },
    set(credential) {
      try {
        write(file, fingerprintOf(credential));
      } catch (cause) {
        throw new PackAuthError("storage-failed", `The file ${file} could not be written, so the token was not refreshed.`, {
          hint: "Check the disk's free space and the folder's permissions.",
          cause,
        });
      }
    },
    clear() {
      try {
        write(file, "");
      } catch {
        // See the declaration.
      }
    },
  };
}

function write(file: string, text: string): void {
  const handle = openSync(file, "w", 0o600);
  try {
    writeSync(handle, text);
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
