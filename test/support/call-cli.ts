// Runs the command line: its verbs in the test's process, from source and on a terminal of their own, or the program as a shell does.
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { runCommand } from "../../cli/command.ts";
import { createOutput } from "../../cli/terminal/output.ts";
import type { Terminal } from "../../cli/terminal/terminal.ts";
import { root } from "./packs.ts";

export interface CliOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The lines of standard input, which then ends. */
  readonly lines?: readonly string[];
  /** The whole standard input, in place of lines. */
  readonly input?: string;
}

interface ProgramOptions extends CliOptions {
  /** Sees standard error as it grows. Standard input stays open for it. */
  readonly onError?: (text: string, child: ChildProcess) => void;
}

/** The environment with accounts in a folder and secrets in its encrypted file, which replaces a keyring. */
export const storedIn = (folder: string): NodeJS.ProcessEnv => ({
  PACK_AUTH_HOME: folder,
  PACK_AUTH_SECRET_STORE: "file",
  PACK_AUTH_PASSPHRASE: "correct horse battery staple",
  USER: "me",
});

const environmentWith = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, ...env });
const inputOf = ({ lines = [], input }: CliOptions): string => input ?? lines.map((line) => `${line}\n`).join("");

class TextStream extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Returns a terminal without a person: its input is the lines, and no signal comes. `exited` has the code of `terminal.exit`. */
export function openTerminal(options: CliOptions = {}) {
  const { env = {}, cwd = process.cwd() } = options;
  const [stdin, stdout, stderr] = [new PassThrough(), new TextStream(), new TextStream()];
  stdin.end(inputOf(options));
  const environment = environmentWith(env);
  let settle: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => {
    settle = resolve;
  });
  const terminal: Terminal = {
    stdin,
    stdout,
    stderr,
    output: createOutput(stdout, environment),
    errorOutput: createOutput(stderr, environment),
    environment,
    folder: realpathSync.native(cwd),
    assets: join(root, "dist"),
    signals: new EventEmitter() as Terminal["signals"],
    exit(code) {
      settle(code);
      return new Promise(() => {});
    },
  };
  return { terminal, exited, texts: () => ({ out: stdout.text, err: stderr.text }) };
}

/** Runs a command in this process, with only the environment of the test. Pack processes and the sandbox are those of dist/. */
export async function callCli(args: readonly string[], options: CliOptions = {}) {
  const { terminal, exited, texts } = openTerminal(options);
  const code = await Promise.race([runCommand(args, terminal), exited]);
  return { code, ...texts() };
}

/** Runs the program of dist/ in a process of its own, with only the environment of the test. */
export async function callProgram(args: readonly string[], options: ProgramOptions = {}) {
  const { env = {}, cwd, onError } = options;
  const child = spawn(process.execPath, [join(root, "dist/cli.cjs"), ...args], {
    env: environmentWith(env),
    ...(cwd === undefined ? {} : { cwd }),
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    out += data;
  });
  child.stderr.on("data", (data: Buffer) => {
    err += data;
    onError?.(err, child);
  });
  // A program that reads no input may have ended by now.
  child.stdin.on("error", () => {}).write(inputOf(options));
  if (onError === undefined) child.stdin.end();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}
