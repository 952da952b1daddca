// Standard output and standard error: what others wrote reaches them only as something that a terminal can be given.
import { fstatSync } from "node:fs";
import { printable as printableText } from "../../base/printable.ts";
import { formatMessage, type Printed, printable, printableJson } from "./printable.ts";
import { outputWidth, wrapped } from "./width.ts";

interface Output {
  /** Our own words: on a terminal their lines break between words. */
  write(text: Printed): void;
  /** What is asked for, such as a result or a report: a file or another program gets it as it is, a terminal shows it. */
  writeData(text: string): void;
  /** The same of JSON: it has the same value however it is written. */
  writeJson(json: string): void;
  /** The same of a text that a pack or a server made; the log of a workflow shows it, as a terminal does. */
  writeResult(text: string): void;
  readonly isTTY: boolean;
  /** Columns. */
  readonly width: number;
}

export const output = createOutput(1, () => process.stdout);
export const errorOutput = createOutput(2, () => process.stderr);

/**
 * A reader that went away, such as head, is no fault: what is left is not written, and the exit code stays. A socket, which is what a program
 * of Node's gives for a pipe, says that it was reset where its reader left something unread. Whatever else goes wrong makes the exit code 2.
 */
export function forgiveReaders(stream: NodeJS.WriteStream & { readonly fd?: number }): void {
  stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || code === "ECONNRESET") return;
    process.exitCode = 2;
    if (stream.fd === 1) errorOutput.write(formatMessage`pack-auth: standard output could not be written: ${printable(message)}.\n`);
  });
}

/** Set by the runners of GitHub (and those like it), Azure DevOps and TeamCity, which obey lines of a log. */
const RUNNERS = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] as const;

/** A pipe may lead to the log; a file does not. */
function mayBeLog(fd: number): boolean {
  if (!RUNNERS.some((name) => process.env[name])) return false;
  try {
    return !fstatSync(fd).isFile();
  } catch {
    return true;
  }
}

function createOutput(fd: number, stream: () => NodeJS.WriteStream): Output {
  const writeData = (text: string): void => void stream().write(stream().isTTY ? printableText(text) : text);
  return {
    write: (text) => void stream().write(stream().isTTY ? wrapped(text, outputWidth(stream(), process.env)) : text),
    writeData,
    writeJson: (json) => void stream().write(printableJson(json)),
    writeResult: (text) => writeData(mayBeLog(fd) ? printable(text) : text),
    get isTTY() {
      return stream().isTTY === true;
    },
    get width() {
      return outputWidth(stream(), process.env);
    },
  };
}
