// Standard output and standard error of a check. Node's own streams come with its network modules, which take longer to load than a file takes
// to be checked: what is written to a file, a pipe or a socket goes there without them, for as long as the system takes it at once.
import { fstatSync, writeSync } from "node:fs";
import { printable } from "../platform/printable.ts";
import type { Printed } from "./printable.ts";

export interface Output {
  /** All of it, in order. A reader that went away is no fault; whatever else goes wrong makes the exit code 2. */
  write(text: Printed): void;
  /** What is asked for, such as a result or a report: a file or another program gets it as it is, a terminal shows it. */
  writeData(text: string): void;
  readonly isTTY: boolean;
  /** Whether all that was written is out, or in the hands of the system. */
  readonly isWritten: boolean;
}

export const output = createOutput(1, () => process.stdout);
export const errorOutput = createOutput(2, () => process.stderr);

/** A reader that went away, such as head, is no fault: what is left is not written, and the exit code stays. */
export function forgiveReaders(stream: NodeJS.WriteStream): void {
  stream.on("error", failed);
}

/** A socket, which is what a program of Node's gives for a pipe, says that it was reset where its reader left something unread. */
function failed(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "EPIPE" && code !== "ECONNRESET") process.exitCode = 2;
}

function createOutput(descriptor: number, open: () => NodeJS.WriteStream): Output {
  let stream: NodeJS.WriteStream | undefined;
  let isGone = false;
  const isPlain = takesTextAtOnce(descriptor);
  const streamNow = (): NodeJS.WriteStream => {
    if (stream !== undefined) return stream;
    stream = open();
    forgiveReaders(stream);
    return stream;
  };
  const write = (text: string): void => {
    if (text === "" || isGone) return;
    if (stream !== undefined || !isPlain()) {
      streamNow().write(text);
      return;
    }
    try {
      const rest = writeAll(descriptor, Buffer.from(text));
      if (rest.length > 0) streamNow().write(rest);
    } catch (error) {
      isGone = true;
      failed(error);
    }
  };
  const isTerminal = (): boolean => !isPlain() && streamNow().isTTY === true;
  return {
    write,
    writeData: (text) => write(isTerminal() ? printable(text) : text),
    get isTTY() {
      return isTerminal();
    },
    get isWritten() {
      return stream === undefined || (stream.writableLength === 0 && stream.errored === null);
    },
  };
}

/** A terminal, and whatever Windows has, is left to Node. */
function takesTextAtOnce(descriptor: number): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= look();
    return known;
  };
  function look(): boolean {
    if (process.platform === "win32") return false;
    try {
      const found = fstatSync(descriptor);
      return found.isFile() || found.isFIFO() || found.isSocket();
    } catch {
      return false;
    }
  }
}

/** What the system does not take at once is left. */
function writeAll(descriptor: number, bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return rest;
      throw error;
    }
  }
  return rest;
}
