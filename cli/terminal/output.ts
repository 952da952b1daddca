// Standard output and standard error. Text from outside reaches a terminal only in printable form.
import { fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import { printable as printableText } from "../../base/printable.ts";
import { type Printed, printable, printableJson } from "./printable.ts";
import { outputWidth, wrapped } from "./width.ts";

/** Standard output or standard error. */
export interface OutputStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The descriptor; undefined if the stream has none. */
  readonly fd?: number;
}

/** Writes to a stream, each kind of text in the form that is safe there. */
export interface Output {
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

/** Variables of the runners that obey lines of a log: GitHub (and compatible ones), Azure DevOps and TeamCity. */
const RUNNERS = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] as const;

/** Returns whether the output may be the log of a workflow: a pipe may lead there, a file does not. */
function mayBeLog({ fd }: OutputStream, environment: NodeJS.ProcessEnv): boolean {
  if (!RUNNERS.some((name) => environment[name])) return false;
  try {
    return fd === undefined || !fstatSync(fd).isFile();
  } catch {
    return true;
  }
}

export function createOutput(stream: OutputStream, environment: NodeJS.ProcessEnv): Output {
  const writeData = (text: string): void => void stream.write(stream.isTTY ? printableText(text) : text);
  return {
    write: (text) => void stream.write(stream.isTTY ? wrapped(text, outputWidth(stream, environment)) : text),
    writeData,
    writeJson: (json) => void stream.write(printableJson(json)),
    writeResult: (text) => writeData(mayBeLog(stream, environment) ? printable(text) : text),
    get isTTY() {
      return stream.isTTY === true;
    },
    get width() {
      return outputWidth(stream, environment);
    },
  };
}
