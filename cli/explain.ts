// `pack-auth explain <rule>`: a rule's documentation, from the rule itself.
import { closest } from "../server/analysis/closest.ts";
import type { Rule } from "../server/analysis/rule.ts";
import { RULES } from "../server/analysis/rules/index.ts";
import { hasColours, type Paint, painter } from "./colour.ts";
import { readOptions } from "./options.ts";
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
  const paint = painter(hasColours(process.stdout, process.env));
  const [id, ...others] = options.positionals;
  if (others.length > 0) throw new UsageError(`explain takes one rule, and not ${others.join(" ")} too.`);
  if (id === undefined) {
    process.stdout.write(list(paint));
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
  process.stdout.write(describe(rule, paint));
  return 0;
}

function list(paint: Paint): string {
  const width = Math.max(...RULES.map((rule) => rule.id.length)) + 2;
  return RULES.map(
    ({ id, severity, docs }) => `${paint("bold", id.padEnd(width))}${severity.padEnd(13)}${docs.split("\n")[0]?.replaceAll("`", "")}\n`,
  ).join("");
}

function describe({ id, severity, docs, examples }: Rule, paint: Paint): string {
  const shown = examples.find((example) => example.bad !== undefined);
  const part = (title: string, source: string | undefined): string =>
    source === undefined ? "" : `\n${paint("bold", title)}\n\n${source.replaceAll(/[«»]/g, "").trimEnd().replaceAll(/^/gm, "    ")}\n`;
  return `${paint("bold", id)} (${severity})

${docs}
${part("Flagged", shown?.bad)}${part("Fixed", shown?.fixed)}
Change its severity in .packauthrc.json: { "rules": { "${id}": "off" | "information" | "warning" | "error" } }
Or silence it for a line: // pack-auth-disable-next-line ${id} -- reason
`;
}
