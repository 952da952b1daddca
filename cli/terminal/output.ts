// Standard output and standard error. Text from outside reaches a terminal only in printable form.
import { fstatSync } from "node:fs";
import { printable as printableText } from "../../base/printable.ts";
import { formatMessage, type Printed, printable, printableJson } from "./printable.ts";
import { outputWidth, wrapped } from "./width.ts";

interface Output {
  /** Writes Pack Auth's own words, and wraps them on a terminal. */
  write(text: Printed): void;
  /** Writes requested data, such as a result or a report: unchanged to a file or another program, printable on a terminal. */
  writeData(text: string): void;
  /** Writes requested JSON. It has the same value in every form, so it is always printable. */
  writeJson(json: string): void;
  /** Writes requested text that a pack or a server made: printable on a terminal and in the log of a workflow. */
  writeResult(text: string): void;
  readonly isTTY: boolean;
  /** Columns. */
  readonly width: number;
}

export const output = createOutput(1, () => process.stdout);
export const errorOutput = createOutput(2, () => process.stderr);

/**
 * Ignores a reader that went away, such as head: the rest is not written, and the exit code stays. A pipe from a Node program is a socket,
 * which reports a reset if its reader left data unread. Any other error sets the exit code to 2.
 */
export function forgiveReaders(stream: NodeJS.WriteStream & { readonly fd?: number }): void {
  stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || code === "ECONNRESET") return;
    process.exitCode = 2;
    if (stream.fd === 1) errorOutput.write(formatMessage`pack-auth: standard output could not be written: ${printable(message)}.\n`);
  });
}

/** Variables of the runners that obey lines of a log: GitHub (and compatible ones), Azure DevOps and TeamCity. */
const RUNNERS = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] as const;

/** Returns whether the output may be the log of a workflow: a pipe may lead there, a file does not. */
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
