// `pack-auth`: finds the verb and runs it. Exit codes: 0 success, 1 something was found, 2 the command is wrong or something cannot be
// read.

import { PRODUCT_VERSION } from "../base/product-version.ts";
import { errorOutput, forgiveReaders, output } from "./terminal/output.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import { isUsageError, UsageError } from "./usage-error.ts";
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

async function main(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === undefined || verb === "--help" || verb === "-h") {
    (verb === undefined ? errorOutput : output).write(printable(usage()));
    return verb === undefined ? 2 : 0;
  }
  if (verb === "--version" || verb === "-v") {
    output.write(formatMessage`${printable(PRODUCT_VERSION)}\n`);
    return 0;
  }
  // `help check` means `check --help`.
  if (verb === "help") return rest.length === 0 ? main(["--help"]) : main([...rest.slice(0, 1), "--help"]);
  const command = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (command === undefined) {
    const { closest } = await import("../base/closest.ts");
    const near = closest(verb, Object.keys(VERBS));
    throw new UsageError(
      `There is no command ${verb}.${near === undefined ? ` There are: ${Object.keys(VERBS).join(", ")}.` : ` Did you mean ${near}?`} See pack-auth --help.`,
    );
  }
  const run = await command.load();
  return run(rest);
}

for (const stream of [process.stdout, process.stderr]) forgiveReaders(stream);

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode ??= code;
  },
  (error: unknown) => {
    errorOutput.write(
      isUsageError(error)
        ? formatMessage`pack-auth: ${printable(error.message)}\n`
        : formatMessage`Please report this: it is a bug in pack-auth. ${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
    );
    process.exitCode = 2;
  },
);
