// Reads a source from standard input.
import { errorMessage } from "../../base/error-message.ts";
import { decoded } from "../../server/analysis/text/decode.ts";
import { formatMessage } from "./printable.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Waits for the end of standard input. Throws UsageError if there are more bytes, or if the source is to be written out again (`isFilter`) and is not UTF-8. */
export async function readStandardInput(
  { stdin, errorOutput }: Terminal,
  isFilter: boolean,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  if (stdin.isTTY) errorOutput.write(formatMessage`pack-auth: reading a source from standard input; end it with Ctrl+D.\n`);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stdin as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > mostBytes) break;
    }
  } catch (error) {
    throw new UsageError(`Standard input cannot be read: ${errorMessage(error)}.`);
  }
  if (size > mostBytes) throw new UsageError(`Standard input has more than ${mostBytes / 1024 / 1024} MB. Use less of it.`);
  const bytes = Buffer.concat(parts);
  const text = decoded(bytes.toString("utf8"), () => bytes);
  if (isFilter && !Buffer.from(text).equals(bytes))
    throw new UsageError("Convert standard input to UTF-8 first. --fix would damage it otherwise.");
  return text;
}
