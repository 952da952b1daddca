// The help text of `pack-auth explain`, separate from the rules, which are large.
import type { VerbHelp } from "./options.ts";

export const EXPLAIN = {
  usage: "explain [rule or diagnosis]",
  about: `Explains a rule or a diagnosis: what it finds, why, and what to do, with examples. A rule flags the source; a diagnosis explains a
sign-in or a run that failed. Without a name it lists all of them.`,
  options: {},
  more: `Examples:
  pack-auth explain
  pack-auth explain field-missing
  pack-auth explain too-many-requests
`,
} as const satisfies VerbHelp;
