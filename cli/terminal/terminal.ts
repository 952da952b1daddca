// What a verb uses of the process that runs it. It is an argument, so that a verb runs in any process, beside others, and on other streams.
import type { Readable } from "node:stream";
import type { Output, OutputStream } from "./output.ts";

/** Standard input. */
interface InputStream extends Readable {
  readonly isTTY?: boolean;
}

/** The signals of the process, such as Ctrl-C. */
interface Signals {
  once(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
  /** Returns whether somebody listened. */
  emit(signal: NodeJS.Signals): boolean;
}

export interface Terminal {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Writes to `stdout`. */
  readonly output: Output;
  /** Writes to `stderr`. */
  readonly errorOutput: Output;
  readonly environment: NodeJS.ProcessEnv;
  /** The working folder, which relative paths begin at. Throws UsageError if it is gone. */
  readonly folder: string;
  /** The folder of the bundles that run in processes of their own, such as runner.cjs. */
  readonly assets: string;
  readonly signals: Signals;
  /** Ends the command at once. Only for an end that callers would take for an error; every other end is a verb's exit code. */
  exit(code: number): Promise<never>;
}
