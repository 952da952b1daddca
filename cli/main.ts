// `pack-auth`: one verb per file. Exit codes: 0 fine, 1 found something, 2 the call itself is wrong.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.ts";
import { explain } from "./explain.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = `pack-auth: checks the authentication of packs

Usage:
  pack-auth check [paths…]      flag mistakes in files, folders or globs (default: .)
  pack-auth explain <rule>      say what a rule is about

  pack-auth <verb> --help       more of a verb
  pack-auth --version
`;

const VERBS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = { check, explain };

async function main(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === undefined || verb === "--help" || verb === "-h" || verb === "help") {
    process.stdout.write(USAGE);
    return verb === undefined ? 2 : 0;
  }
  if (verb === "--version" || verb === "-v") {
    console.log((JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8")) as { version: string }).version);
    return 0;
  }
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (run === undefined) throw new UsageError(`There is no verb ${verb}. There are: ${Object.keys(VERBS).join(", ")}.`);
  return run(rest);
}

// A reader that went away, such as head, is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 2));

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(
      error instanceof UsageError
        ? `pack-auth: ${error.message}`
        : `pack-auth failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    process.exitCode = 2;
  },
);
