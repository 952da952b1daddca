// Standard output and standard error: what others wrote reaches them only as something that a terminal can be given.
import { printable } from "../../platform/printable.ts";
import type { Printed } from "./printable.ts";

interface Output {
  write(text: Printed): void;
  /** What is asked for, such as a result or a report: a file or another program gets it as it is, a terminal shows it. */
  writeData(text: string): void;
  readonly isTTY: boolean;
}

export const output = createOutput(() => process.stdout);
export const errorOutput = createOutput(() => process.stderr);

/**
 * A reader that went away, such as head, is no fault: what is left is not written, and the exit code stays. A socket, which is what a program
 * of Node's gives for a pipe, says that it was reset where its reader left something unread. Whatever else goes wrong makes the exit code 2.
 */
export function forgiveReaders(stream: NodeJS.WriteStream): void {
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE" && code !== "ECONNRESET") process.exitCode = 2;
  });
}

function createOutput(stream: () => NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream().write(text),
    writeData: (text) => void stream().write(stream().isTTY ? printable(text) : text),
    get isTTY() {
      return stream().isTTY === true;
    },
  };
}
