// A program in place of 1Password's op: a real process that records its arguments, environment and folder, and then does what a test says.
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Call {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
}

export interface FakeOp {
  readonly path: string;
  readonly folder: string;
  calls(): readonly Call[];
  remove(): void;
}

/** `body` is JavaScript; `reference` is the third argument. */
export function fakeOp(body: string): FakeOp {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-op-")));
  const path = join(folder, "op");
  const log = join(folder, "calls.jsonl");
  writeFileSync(log, "");
  writeFileSync(
    path,
    `#!${process.execPath}
const { appendFileSync } = require("node:fs");
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, environment: process.env, folder: process.cwd() }) + "\\n");
const reference = args[2];
${body}
`,
  );
  chmodSync(path, 0o755);
  return {
    path,
    folder,
    calls: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Call),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
