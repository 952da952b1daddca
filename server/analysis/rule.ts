// A rule is one record with its id, docs, examples and the parts of a pack that it checks. See CONTRIBUTING.md.
import type { Fact } from "../../protocol/evidence.ts";
import type { UploadVerdict } from "../../protocol/verdict.ts";
import type { EvidenceCode } from "../../spec/evidence-codes.ts";
import type { ResolvedAuth } from "./configuration/config.ts";
import { describeObservation, type Observation, type PartOf } from "./configuration/observation.ts";
import type { CallFact, FileFacts, PlaceholderFact, SuppressionFact, SyntaxMistake, Unread } from "./model/facts.ts";
import type { Finding, Severity } from "./model/findings.ts";
import type { AuthConfig, DeclaredDomain, PackModel, RunnableFact, ServerFact } from "./model/pack.ts";
import type { PackRequest } from "./requests/requests.ts";

export interface RuleExample {
  /** Source with `«»` around the flagged code. Lines of the form `// @file: name.ts` separate several files. */
  readonly bad?: string;
  /** The source after the first fix of `bad`; it has no diagnostics. */
  readonly fixed?: string;
  readonly good?: string;
  /**
   * Whether the real SDK is installed, or its absence is reported (toolkit-missing). By default it is absent, and its absence is not
   * reported.
   */
  readonly toolkit?: "installed" | "missing";
  /**
   * What a sign-in or a run showed of the pack. `line` is the zero-based line of code that it concerns, `formula` the formula whose schema
   * it concerns.
   */
  readonly evidence?: Pick<Fact, "code" | "formula"> & Partial<Pick<Fact, "names"> & { readonly line: number }>;
  /** Number of characters to which the source is padded with blank lines, so that the rule's page need not show a long file. */
  readonly filledTo?: number;
}

export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** What its errors mean for the pack on the platform. Undefined for advice, and for secrets that the upload accepts. */
  readonly verdict?: UploadVerdict;
  /**
   * A version of the Packs SDK whose upload validator rejects all that the rule calls rejected, as the later ones do. The validator of the
   * version before it, among those that were tried, accepts some of it.
   */
  readonly rejectedSince: string;
  /** Markdown that says what the rule finds, why, and what to do. The settings show the first sentence. */
  readonly docs: string;
  /** The section of the SDK's documentation or source behind the rule. It is for maintainers; users do not see it. */
  readonly source: string;
  readonly examples: readonly RuleExample[];
  /** Ids of rules that report nothing at a place where this rule reports something. */
  readonly supersedes: readonly string[];
  /**
   * With "all-packs", a finding in a file that several packs share counts only if each of them has it. Code there may be meant for another
   * pack.
   */
  readonly inSharedFiles: "all-packs" | "any-pack";
  /** The check functions of the rule, by the kind of part that they check. */
  readonly on: Looks;
}

/** The parts of a pack that rules check. */
export interface PackParts {
  /** The whole pack, for rules about what it lacks or has twice. */
  readonly pack: PackModel;
  /** A configuration whose type the model knows. */
  readonly auth: ResolvedAuth;
  /** A configuration, whatever its type. */
  readonly configuration: AuthConfig;
  /** A declared network domain. */
  readonly domain: DeclaredDomain;
  /** A call that sets the pack up, such as `pack.addFormula(…)`. */
  readonly call: CallFact;
  readonly runnable: RunnableFact;
  readonly mcpServer: ServerFact;
  readonly request: PackRequest;
  readonly placeholder: PlaceholderFact;
  readonly file: FileFacts;
  /** An observation of a sign-in or a run that still applies to this source. */
  readonly observation: Observation;
}

/** Check functions by the kind of part. */
export type PartLooks = {
  readonly [Kind in keyof PackParts]?: (this: void, pack: PackModel, part: PackParts[Kind]) => Iterable<Finding>;
};

export type Looks = PartLooks & Partial<FileLooks>;

/** Check functions of a file, whatever packs it belongs to. */
interface FileLooks {
  /** Checks the suppressing comments of a file, after all other rules. */
  readonly suppressions: (this: void, file: JudgedSuppressions) => Iterable<Finding>;
  /** Checks a file that may belong to a pack and could not be analysed. */
  readonly unread: (this: void, file: UnreadFile) => Iterable<Finding>;
  /** Checks the first syntax error of a pack's file. */
  readonly mistake: (this: void, mistake: SyntaxMistake) => Iterable<Finding>;
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
  /** Whether the comment suppressed a diagnostic of that rule. */
  isUsed(suppression: SuppressionFact, rule: string): boolean;
  /** Whether the settings switch the rule off. Then it is unknown what the rule would find. */
  isOff(rule: string): boolean;
}

/** Code of `bad`, and what it becomes. An emptied line goes. */
type Change = readonly [from: string, to: string];

/** An example that may name what the first fix changes in `bad`, instead of `fixed`, and what makes of it an example without a finding. */
type WrittenExample = Omit<RuleExample, "good"> & { readonly change?: Change; readonly good?: string | Change };

type RuleDefinition = Omit<Rule, keyof typeof DEFAULTS | "examples"> &
  Partial<Pick<Rule, keyof typeof DEFAULTS>> & { readonly examples: readonly WrittenExample[] };

const DEFAULTS = { rejectedSince: "1.0.0", supersedes: [], inSharedFiles: "any-pack" } as const;

export const rule = ({ examples, ...definition }: RuleDefinition): Rule => ({
  ...DEFAULTS,
  ...definition,
  examples: examples.flatMap(({ change, good, ...example }) => [
    ...(example.bad === undefined ? [] : [change === undefined ? example : { ...example, fixed: changed(example.bad, change) }]),
    ...(good === undefined ? [] : [typeof good === "string" ? { ...example, good } : { good: changed(example.bad, good) }]),
  ]),
});

const changed = (bad = "", [from, to]: Change): string =>
  bad
    .replaceAll(/[«»]/g, "")
    .replace(from, () => to)
    .replace(/^ +\n/m, "");

/** A function for each fact: what it reports of the part that the fact is about. The date of the fact follows each message. */
type Reports<Code extends EvidenceCode> = {
  readonly [Each in Code]: (this: void, pack: PackModel, part: PartOf<Each>, names: readonly string[]) => Iterable<Finding>;
};

export interface ObservationRule<Code extends EvidenceCode> extends Rule {
  readonly reports: Reports<Code>;
}

/** Makes a rule about what a sign-in or a run showed. */
export const observationRule = <Code extends EvidenceCode>(
  definition: Omit<RuleDefinition, "on" | "source"> & Pick<ObservationRule<Code>, "reports">,
): ObservationRule<Code> => ({
  reports: definition.reports,
  ...rule({
    source: "a sign-in or a run",
    ...definition,
    on: {
      *observation(pack, { fact, part }) {
        const reports: Partial<Reports<EvidenceCode>> = definition.reports;
        for (const finding of reports[fact.code]?.(pack, part as never, fact.names) ?? [])
          yield { ...finding, message: `${finding.message}${describeObservation(fact)}` };
      },
    },
  }),
});

const SET_UP = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;
const DOMAIN = `pack.addNetworkDomain("acme.example");
`;

/**
 * Returns the source of an example without the indentation of its rule's file. Only characters that would end or interpolate the template
 * are escaped in it. A line such as `...Read,` is short for the first fields of a formula of that name, which has no parameters, and
 * `formula Read { … }` for a whole formula that executes the braces' content. `formula Read(id: The ID.) { … }` has a parameter with its
 * description, and `formula Read, field: value {}` one more field and returns "".
 */
export function source(template: TemplateStringsArray, ...values: readonly string[]): string {
  const text = String.raw(template, ...values).replaceAll(/\\(?=`|\$\{)/g, "");
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indents = lines.flatMap((line) => (line === "" ? [] : line.search(/\S/)));
  const own = lines.map((line) => `${formulaWithField(line.slice(Math.min(...indents)))}\n`).join("");
  return own.replaceAll(FORMULA, formulaOf).replaceAll(/^( *)\.\.\.(Me|Read|Write),\n/gm, formulaHead);
}

const FORMULA = /^formula (\w+)(?:\((\w+): ([^()\r\n]*)\))? \{\n((?: {2}.*\n|\n)*)\}$/gm;

function formulaOf(_: string, name: string, parameter: string | undefined, description: string, body: string): string {
  const parameters = `[coda.makeParameter({ type: coda.ParameterType.String, name: "${parameter}", description: "${description}" })]`;
  const head = parameter === undefined ? `  ...${name},\n` : formulaHead("", "  ", name).replace("[]", parameters);
  const content = body.replaceAll(/^(?=.)/gm, "  ");
  return `pack.addFormula({\n${head}  execute: async function ([${parameter ?? ""}], context) {\n${content}  },\n});`;
}

function formulaWithField(line: string): string {
  const comma = line.indexOf(", ");
  if (!line.startsWith("formula ") || !line.endsWith(" {}") || comma < 0) return line;
  const head = `  ...${line.slice("formula ".length, comma)},\n  ${line.slice(comma + 2, -3)},\n`;
  return `pack.addFormula({\n${head}  execute: async function ([], context) {\n    return "";\n  },\n});`;
}

const DESCRIPTIONS = new Map([
  ["Me", "Me."],
  ["Read", "Reads."],
  ["Write", "Writes."],
]);

const formulaHead = (_: string, indent: string, name: string): string =>
  [`name: "${name}"`, `description: "${DESCRIPTIONS.get(name)}"`, "parameters: []", "resultType: coda.ValueType.String"]
    .map((field) => `${indent}${field},\n`)
    .join("");

/** Returns the lines that set a pack up: the import, the pack, and a domain if the source declares none. */
export const setUpOf = (text: string): string => `${SET_UP}${text.includes("addNetworkDomain") ? "" : DOMAIN}`;

/** Like {@link source}, but prepends the lines that set a pack up. */
export function pack(template: TemplateStringsArray, ...values: readonly string[]): string {
  const text = source(template, ...values);
  return setUpOf(text) + text;
}

/**
 * Like {@link pack}, for the fields of the pack's authentication. What follows the first empty line comes after the call that sets the
 * authentication.
 */
export const user = (template: TemplateStringsArray, ...values: readonly string[]): string => authenticate(source(template, ...values));

/** Like {@link user}, but prepends the type HeaderBearerToken. */
export const bearer = (template: TemplateStringsArray, ...values: readonly string[]): string =>
  authenticate(`type: coda.AuthenticationType.HeaderBearerToken,\n${source(template, ...values)}`);

/** Like {@link user}, but prepends the type OAuth2 and its URLs. A first line `«type»` marks the type. */
export const oauth2 = (template: TemplateStringsArray, ...values: readonly string[]): string =>
  authenticate(source(template, ...values).replace(/^(?:(«)type(»)\n)?/, OAUTH2));

const OAUTH2 = `$1type: coda.AuthenticationType.OAuth2$2,
authorizationUrl: "https://login.acme.example/authorize",
tokenUrl: "https://login.acme.example/token",
`;

/** Returns a pack with the fields as its authentication. */
function authenticate(text: string): string {
  const [fields = "", ...rest] = text.split(/^\n/m);
  const call = `pack.setUserAuthentication({\n${fields.replaceAll(/^/gm, "  ").trimEnd()}\n});\n${rest.join("\n")}`;
  return setUpOf(call) + call;
}
