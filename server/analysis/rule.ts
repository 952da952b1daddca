// What a rule is: one record with its id, docs, examples, check and fixes. See CONTRIBUTING.md.
import type { Finding, PackModel, Severity } from "./model.ts";

export interface RuleExample {
  /** Sources with `«»` around what is flagged; several files are separated by lines `// @file: name.ts`. */
  readonly bad?: string;
  /** What the first fix makes of `bad`; clean. */
  readonly fixed?: string;
  readonly good?: string;
  /** The installed toolkit's version, or none; none by default. */
  readonly toolkit?: "installed";
}

export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** Markdown: what, why, what to do. The first sentence stands in the settings. */
  readonly docs: string;
  /** The section that it comes from. */
  readonly source: string;
  readonly examples: readonly RuleExample[];
  /** Rules that are silent where this one speaks. */
  readonly supersedes?: readonly string[];
  check(pack: PackModel): Iterable<Finding>;
}

export const rule = (definition: Rule): Rule => definition;
