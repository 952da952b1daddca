// The terminal of this process. No other file of the command line but main.ts uses the process itself.

import { createOutput } from "./output.ts";
import { formatMessage, printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Returns the terminal with the streams, the environment, the folder and the signals of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    output: createOutput(stdout, env),
    errorOutput: createOutput(stderr, env),
    environment: env,
    get folder() {
      try {
        return process.cwd();
      } catch {
        throw new UsageError("The working directory is gone. Change to one that exists.");
      }
    },
    assets: __dirname,
    signals: process,
    exit: (code) => process.exit(code),
  };
}

/**
 * Ignores a reader that went away, such as head: the rest is not written, and the exit code stays. A pipe from a Node program is a socket,
 * which reports a reset if its reader left data unread. Any other error sets the exit code to 2.
 */
export function forgiveReaders({ stdout, stderr, errorOutput }: Pick<Terminal, "stdout" | "stderr" | "errorOutput">): void {
  for (const stream of [stdout, stderr])
    stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code === "EPIPE" || code === "ECONNRESET") return;
      process.exitCode = 2;
      if (stream === stdout) errorOutput.write(formatMessage`pack-auth: standard output could not be written: ${printable(message)}.\n`);
    });
}
