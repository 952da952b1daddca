// `pack-auth explain <rule>`: a rule's documentation, from the rule itself.
import { parseArgs } from "node:util";
import { closest } from "../server/analysis/closest.ts";
import { RULES } from "../server/analysis/rules/index.ts";
import { UsageError } from "./usage-error.ts";

export async function explain(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log("Usage: pack-auth explain <rule>\n\nSays what a rule is about, why, and what to do.");
    return 0;
  }
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, strict: false });
  const [id] = positionals;
  if (id === undefined) throw new UsageError("Name a rule: pack-auth explain <rule>.");
  const rule = RULES.find((candidate) => candidate.id === id);
  if (rule === undefined) {
    const near = closest(
      id,
      RULES.map((candidate) => candidate.id),
    );
    throw new UsageError(`There is no rule ${id}.${near === undefined ? "" : ` Did you mean ${near}?`}`);
  }
  console.log(`${rule.id} (${rule.severity}, ${rule.source})\n\n${rule.docs}`);
  return 0;
}
