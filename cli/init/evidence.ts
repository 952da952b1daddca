// Reads what the author names after --from.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import { pageByName } from "../../platform/setup/readers/provider.ts";
import { readStandardInput } from "../check/read-standard-input.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";

/** Bytes of a file or of standard input: a little more than the largest description. */
const LARGEST = 20 * 1024 * 1024;

/** Returns the text of a file or of standard input; a URL or a name as it is. Throws UsageError. */
export async function readEvidence(terminal: Terminal, from: string): Promise<string> {
  if (from === "-") return readStandardInput(terminal, false, LARGEST);
  if (/^https?:\/\//i.test(from)) return from;
  const path = resolve(terminal.folder, from);
  if (existsSync(path)) {
    const text = readRegularFile(path, LARGEST);
    if (text === undefined)
      throw new UsageError(`${from} cannot be read. Name a regular file of at most ${LARGEST / 1024 / 1024} MB that you may read.`);
    return text;
  }
  // A command may contain a credential, and other programs of the machine see the arguments of this one.
  if (/\s/.test(from.trim()) && pageByName(from) === undefined)
    throw new UsageError("--from names no file. Put the command into a file, or pipe it to --from -.");
  if (/[\\/]|\.(?:json|ya?ml|txt|sh|curl)$/i.test(from)) throw new UsageError(`There is no file ${from}.`);
  return from;
}
