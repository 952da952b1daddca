// `pack-auth explain <rule>`: prints the page of a rule, as the editor shows it.

import { closest } from "../base/closest.ts";
import { rulePage } from "../server/analysis/features/rule-page.ts";
import type { Rule } from "../server/analysis/rule.ts";
import { RULES } from "../server/analysis/rules/index.ts";
import { EXPLAIN } from "./explain-options.ts";
import { readOptions } from "./options.ts";
import { hasColours, type Paint, painter } from "./terminal/colour.ts";
import { output } from "./terminal/output.ts";
import { formatMessage, joined, type Printed, printable } from "./terminal/printable.ts";
import { UsageError } from "./usage-error.ts";

export async function explain(args: readonly string[]): Promise<number> {
  const options = readOptions(EXPLAIN, args);
  if (options === undefined) return 0;
  const paint = painter(hasColours(output, process.env));
  const [id, ...extraArguments] = options.positionals;
  if (extraArguments.length > 0) throw new UsageError(`Name one rule only: remove ${extraArguments.join(" ")}.`);
  if (id === undefined) {
    output.write(list(paint));
    return 0;
  }
  const rule = RULES.find((candidate) => candidate.id === id);
  if (rule === undefined) {
    const near = closest(
      id,
      RULES.map((candidate) => candidate.id),
    );
    throw new UsageError(
      `There is no rule ${id}. ${near === undefined ? "" : `Did you mean ${near}? `}See pack-auth explain for all rules.`,
    );
  }
  output.write(describe(rule, paint));
  return 0;
}

function list(paint: Paint): Printed {
  const width = Math.max(...RULES.map((rule) => rule.id.length)) + 2;
  return joined(
    RULES.map(
      ({ id, severity, docs }) =>
        formatMessage`${paint("bold", id.padEnd(width))}${printable(severity.padEnd(13))}${printable(docs.split("\n")[0]?.replaceAll("`", "") ?? "")}\n`,
    ),
  );
}

/** Formats the page of a rule: headings in bold, sources indented. */
function describe(rule: Rule, paint: Paint): Printed {
  let inSource = false;
  const lines = rulePage(rule)
    .trimEnd()
    .split("\n")
    .flatMap((line): Printed[] => {
      if (line.startsWith("```")) {
        inSource = !inSource;
        return [];
      }
      if (inSource) return [printable(line === "" ? "" : `    ${line}`)];
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      return [heading === undefined ? printable(line) : paint("bold", heading)];
    });
  return formatMessage`${joined(lines, "\n")}\n`;
}
