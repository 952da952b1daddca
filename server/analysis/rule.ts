// What a rule is: one record with its id, docs, examples, check and fixes. See CONTRIBUTING.md.
import type { AuthTypeName } from "../../spec/auth-types.ts";
import type { Finding, PackModel, Severity, SuppressionFact, Unread } from "./model.ts";
import type { FieldName, Subject } from "./subjects.ts";

export interface RuleExample {
  /** Sources with `«»` around what is flagged; several files are separated by lines `// @file: name.ts`. */
  readonly bad?: string;
  /** What the first fix makes of `bad`; clean. */
  readonly fixed?: string;
  readonly good?: string;
  /** The real toolkit installed, or none and said so (toolkit-missing); by default none, and nothing is said of that. */
  readonly toolkit?: "installed" | "missing";
  /** The source is filled up with blank lines to this many characters, which no page has to show. */
  readonly filledTo?: number;
}

export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** Markdown: what, why, what to do. The first sentence stands in the settings. */
  readonly docs: string;
  /** The section that it comes from, for those who work on it: users are shown none. */
  readonly source: string;
  readonly examples: readonly RuleExample[];
  /** Rules that are silent where this one speaks. */
  readonly supersedes?: readonly string[];
  /** In a file that several packs share, only what it finds in every one of them counts: code there may be meant for another pack. */
  readonly inSharedFiles?: "all-packs";
  /** What it speaks of, or several such things. Where a pack has none of them, it is not asked; so with the two below. */
  readonly about?: Subject | readonly Subject[];
  /** The only types of authentication in which it finds anything; none at all for a rule that looks at no packs. */
  readonly types?: readonly AuthTypeName[];
  /** The only fields of configurations in which it finds anything. */
  readonly fields?: readonly FieldName[];
  readonly check: (this: void, pack: PackModel) => Iterable<Finding>;
  /** What is to be said of a file's suppressing comments, once all the rest is known. */
  checkSuppressions?(file: JudgedSuppressions): Iterable<Finding>;
  /** What is to be said of a file that may be of a pack and could not be looked at. */
  checkUnread?(file: UnreadFile): Iterable<Finding>;
}

export interface UnreadFile {
  readonly file: string;
  readonly text: string;
  readonly why: Unread;
}

/** The suppressing comments of a file that was analysed. */
export interface JudgedSuppressions {
  readonly text: string;
  readonly suppressions: readonly SuppressionFact[];
  /** The ids of all rules. */
  readonly rules: readonly string[];
  /** Whether the comment silenced something of that rule. */
  isUsed(suppression: SuppressionFact, rule: string): boolean;
  /** Whether the settings switch the rule off: then what it would find is not known. */
  isOff(rule: string): boolean;
}

export const rule = (definition: Rule): Rule => definition;
