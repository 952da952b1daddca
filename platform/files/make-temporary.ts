// Creates temporary folders in the system's folder for them; see remove-temporary.ts for their removal.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../errors.ts";

const VARIABLE = process.platform === "win32" ? "TEMP" : "TMPDIR";

/** Creates a folder whose name begins with the prefix. Throws storage-failed. */
export function makeTemporary(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (cause) {
    throw temporaryFailed(cause);
  }
}

/** Returns the error for a folder of temporary files that cannot be used. */
export const temporaryFailed = (cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `The folder ${tmpdir()} for temporary files cannot be used: ${errorMessage(cause)}.`, {
    hint: `Set the environment variable ${VARIABLE} to a folder that you can write and that has free space.`,
    cause,
  });
