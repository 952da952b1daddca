// What a rule is: one record with its id, docs, examples, and what it looks at. See CONTRIBUTING.md.
import type { EvidenceCode } from "../../protocol/evidence.ts";
import type { ResolvedAuth } from "./configuration/config.ts";
import type { Observation } from "./configuration/seen.ts";
import type { CallFact, FileFacts, PlaceholderFact, SuppressionFact, SyntaxMistake, Unread } from "./model/facts.ts";
import type { Finding, Severity } from "./model/findings.ts";
import type { AuthConfig, DeclaredDomain, PackModel, RunnableFact, ServerFact } from "./model/pack.ts";
import type { PackRequest } from "./requests/requests.ts";

export interface RuleExample {
  /** Sources with `«»` around what is flagged; several files are separated by lines `// @file: name.ts`. */
  readonly bad?: string;
  /** What the first fix makes of `bad`; clean. */
  readonly fixed?: string;
  readonly good?: string;
  /** The real toolkit installed, or none and said so (toolkit-missing); by default none, and nothing is said of that. */
  readonly toolkit?: "installed" | "missing";
  /** What a sign-in or a run showed of the pack; `line`, zero-based, where it is about a line of code; `formula`, where about its schema. */
  readonly evidence?: {
    readonly code: EvidenceCode;
    readonly names?: readonly string[];
    readonly line?: number;
    readonly formula?: string;
  };
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
  /** What it looks at, one after the other, and what it finds there. */
  readonly on: Looks;
}

/** The parts of a pack that rules look at. */
export interface PackParts {
  /** All of it: what it lacks, or has twice. */
  readonly pack: PackModel;
  /** A configuration of a type that the model knows. */
  readonly auth: ResolvedAuth;
  /** A configuration, whatever its type. */
  readonly configuration: AuthConfig;
  /** A network domain that is declared. */
  readonly domain: DeclaredDomain;
  /** A call that sets the pack up, such as `pack.addFormula(…)`. */
  readonly call: CallFact;
  readonly runnable: RunnableFact;
  readonly mcpServer: ServerFact;
  readonly request: PackRequest;
  readonly placeholder: PlaceholderFact;
  readonly file: FileFacts;
  /** What a sign-in or a run showed, where it is still about this source. */
  readonly observation: Observation;
}

/** By the kind of part. */
export type PartLooks = {
  readonly [Kind in keyof PackParts]?: (this: void, pack: PackModel, part: PackParts[Kind]) => Iterable<Finding>;
};

export interface Looks extends PartLooks {
  /** What is to be said of a file's suppressing comments, once all the rest is known. */
  readonly suppressions?: (this: void, file: JudgedSuppressions) => Iterable<Finding>;
  /** What is to be said of a file that may be of a pack and could not be looked at. */
  readonly unread?: (this: void, file: UnreadFile) => Iterable<Finding>;
  /** What is to be said of the first syntax error of a pack's file. */
  readonly mistake?: (this: void, mistake: SyntaxMistake) => Iterable<Finding>;
}

interface UnreadFile {
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

const SET_UP = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;
const DOMAIN = `pack.addNetworkDomain("acme.example");
`;

/** The source of an example, without the indentation that it has in its rule's file. In it only what would end or fill the template is escaped. */
export function source(template: TemplateStringsArray, ...values: readonly string[]): string {
  const text = String.raw(template, ...values).replaceAll(/\\(?=`|\$\{)/g, "");
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indents = lines.flatMap((line) => (line === "" ? [] : line.search(/\S/)));
  return lines.map((line) => `${line.slice(Math.min(...indents))}\n`).join("");
}

/** The same, after the lines that set a pack up: the import, the pack, and a domain where the source declares none. */
export function pack(template: TemplateStringsArray, ...values: readonly string[]): string {
  const text = source(template, ...values);
  return `${SET_UP}${text.includes("addNetworkDomain") ? "" : DOMAIN}${text}`;
}
