// `pack-auth explain <rule>`: a rule's documentation, from the rule itself.
import { closest } from "../server/analysis/closest.ts";
import type { Rule } from "../server/analysis/rule.ts";
import { RULES } from "../server/analysis/rules/index.ts";
import { hasColours, type Paint, painter } from "./colour.ts";
import { readOptions } from "./options.ts";
import { output } from "./output.ts";
import { joined, type Printed, printable, told } from "./printable.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = `Usage: pack-auth explain [rule]

Says what a rule is about, why, and what to do, with an example. Without a rule: lists all of them.

Examples:
  pack-auth explain
  pack-auth explain field-missing
`;

export async function explain(args: readonly string[]): Promise<number> {
  const options = readOptions("explain", USAGE, args, {});
  if (options === undefined) return 0;
  const paint = painter(hasColours(output, process.env));
  const [id, ...others] = options.positionals;
  if (others.length > 0) throw new UsageError(`explain takes one rule, and not ${others.join(" ")} too.`);
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
      `There is no rule ${id}. ${near === undefined ? "" : `Did you mean ${near}? `}pack-auth explain lists all of them.`,
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
        told`${paint("bold", id.padEnd(width))}${printable(severity.padEnd(13))}${printable(docs.split("\n")[0]?.replaceAll("`", "") ?? "")}\n`,
    ),
  );
}

function describe({ id, severity, docs, examples }: Rule, paint: Paint): Printed {
  const shown = examples.find((example) => example.bad !== undefined);
  const part = (title: string, source: string | undefined): Printed =>
    source === undefined
      ? told``
      : told`\n${paint("bold", title)}\n\n${printable(
          source
            .replaceAll(/[\u00ab\u00bb]/g, "")
            .trimEnd()
            .replaceAll(/^/gm, "    "),
        )}\n`;
  return told`${paint("bold", id)} (${printable(severity)})

${printable(docs)}
${part("Flagged", shown?.bad)}${part("Fixed", shown?.fixed)}
Change its severity in .packauthrc.json: { "rules": { "${printable(id)}": "off" | "information" | "warning" | "error" } }
Or silence it for a line: // pack-auth-disable-next-line ${printable(id)} -- reason
`;
}
