// Runs the command line as a shell does: in a separate process, with only the environment of the test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "./packs.ts";

export interface CliOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The lines of standard input, which then ends. */
  readonly lines?: readonly string[];
}

/** The environment with accounts in a folder and secrets in its encrypted file, which replaces a keyring. */
export const storedIn = (folder: string): NodeJS.ProcessEnv => ({
  PACK_AUTH_HOME: folder,
  PACK_AUTH_SECRET_STORE: "file",
  PACK_AUTH_PASSPHRASE: "correct horse battery staple",
  USER: "me",
});

export async function callCli(args: readonly string[], { env = {}, cwd, lines = [] }: CliOptions = {}) {
  const child = spawn(process.execPath, [join(root, "dist/cli.cjs"), ...args], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    out += data;
  });
  child.stderr.on("data", (data: Buffer) => {
    err += data;
  });
  // A program that reads no input may have ended by now.
  child.stdin.on("error", () => {}).end(lines.map((line) => `${line}\n`).join(""));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}
