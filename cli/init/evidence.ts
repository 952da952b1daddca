// Reads what the author names after --from.
import { existsSync } from "node:fs";
import { errorMessage } from "../../base/error-message.ts";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import { readStandardInput } from "../check/read-standard-input.ts";
import { UsageError } from "../usage-error.ts";

/** Returns the text of a file or of standard input; a URL or a name as it is. Throws UsageError. */
export async function readEvidence(from: string): Promise<string> {
  if (from === "-") return readStandardInput(false);
  if (/^https?:\/\//i.test(from)) return from;
  if (existsSync(from)) {
    let text: string | undefined;
    try {
      text = readRegularFile(from);
    } catch (error) {
      throw new UsageError(`${from} cannot be read: ${errorMessage(error)}.`);
    }
    if (text === undefined) throw new UsageError(`${from} cannot be read: it is not a regular file.`);
    return text;
  }
  if (/[\\/]|\.(?:json|ya?ml|txt|sh|curl)$/i.test(from)) throw new UsageError(`There is no file ${from}.`);
  return from;
}
