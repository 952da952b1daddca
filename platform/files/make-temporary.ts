// Temporary folders of ours, in the system's place for them; see remove-temporary.ts for their end.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../errors.ts";

const VARIABLE = process.platform === "win32" ? "TEMP" : "TMPDIR";

/** A new folder whose name begins so. Throws storage-failed. */
export function makeTemporary(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (cause) {
    throw temporaryFailed(cause);
  }
}

/** Nothing can be kept in the system's folder for temporary files. */
export const temporaryFailed = (cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `The folder ${tmpdir()} for temporary files cannot be used: ${errorMessage(cause)}.`, {
    hint: `Set the environment variable ${VARIABLE} to a folder that you can write and that has free space.`,
    cause,
  });
