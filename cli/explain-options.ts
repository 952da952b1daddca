// The help text of `pack-auth explain`, separate from the rules, which are large.
import type { VerbHelp } from "./options.ts";

export const EXPLAIN = {
  usage: "explain [rule]",
  about: `Explains a rule: what it finds, why, and what to do, with examples. Without a rule it lists all rules.`,
  options: {},
  more: `Examples:
  pack-auth explain
  pack-auth explain field-missing
`,
} as const satisfies VerbHelp;
