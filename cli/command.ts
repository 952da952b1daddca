// Finds the verb of a command line and runs it. Exit codes: 0 success, 1 something was found, 2 the command is wrong or something cannot be
// read.

import { PRODUCT_VERSION } from "../base/product-version.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { isUsageError, UsageError } from "./terminal/usage-error.ts";
import { VERBS } from "./verbs.ts";

function usage(): string {
  const width = Math.max(...Object.values(VERBS).map((verb) => verb.usage.length)) + 3;
  return `pack-auth checks the authentication of packs, and runs their formulas

Usage:
${Object.values(VERBS)
  .map((verb) => `  pack-auth ${verb.usage.padEnd(width)}${verb.summary}`)
  .join("\n")}

  pack-auth <command> --help    more about a command
  pack-auth --version

Examples:
  pack-auth check                        all packs in this folder
  pack-auth check src --fix              fix what is safe to fix
  pack-auth explain field-missing
`;
}

/** Runs `pack-auth` with the arguments. Returns the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runVerb(args, terminal);
  } catch (error) {
    terminal.errorOutput.write(
      isUsageError(error)
        ? formatMessage`pack-auth: ${printable(error.message)}\n`
        : formatMessage`Please report this: it is a bug in pack-auth. ${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
    );
    return 2;
  }
}

async function runVerb(args: readonly string[], terminal: Terminal): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === undefined || verb === "--help" || verb === "-h") {
    (verb === undefined ? terminal.errorOutput : terminal.output).write(printable(usage()));
    return verb === undefined ? 2 : 0;
  }
  if (verb === "--version" || verb === "-v") {
    terminal.output.write(formatMessage`${printable(PRODUCT_VERSION)}\n`);
    return 0;
  }
  // `help check` means `check --help`.
  if (verb === "help") return rest.length === 0 ? runVerb(["--help"], terminal) : runVerb([...rest.slice(0, 1), "--help"], terminal);
  const command = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (command === undefined) {
    const { closest } = await import("../base/closest.ts");
    const near = closest(verb, Object.keys(VERBS));
    throw new UsageError(
      `There is no command ${verb}.${near === undefined ? ` There are: ${Object.keys(VERBS).join(", ")}.` : ` Did you mean ${near}?`} See pack-auth --help.`,
    );
  }
  const run = await command.load();
  return run(rest, terminal);
}
