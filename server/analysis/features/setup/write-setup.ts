// Writes a proposal into a pack's source: network domains, the authentication, and a formula. A new pack is a source of two lines, so that
// both have one writer. The model says where the source has what; what it does not show is a problem, and nothing is written.

import type { JsonValue, Proposal, ProposedField, ProposedFormula } from "../../../../protocol/setup.ts";
import { fieldOf, hasCredential } from "../../../../spec/auth-types.ts";
import type { FieldSpec } from "../../../../spec/fields.ts";
import { allAuths, propertyOf } from "../../configuration/config.ts";
import { domainListOf } from "../../configuration/declare-domain.ts";
import { enumText } from "../../configuration/starter-values.ts";
import { declaredHosts, isUnder } from "../../domains/hosts.ts";
import type { CallFact } from "../../model/facts.ts";
import type { TextEdit } from "../../model/findings.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import type { FileSpan, ObjectValue, Place } from "../../model/values.ts";
import { importNames, toolkitName } from "../../modules/toolkit-imports.ts";
import { eolOf, indentOf, insertAfterStatement, insertItem, insertProperty, isWithin, replace, unitOf } from "../../text/edit.ts";
import { builtPack } from "./built-pack.ts";
import {
  braced,
  callCode,
  functionMember,
  listCode,
  memberCode,
  objectCode,
  type ParameterNames,
  quoted,
  requestCode,
  valueCode,
} from "./code.ts";

export type SetupEdits =
  | {
      readonly edits: readonly TextEdit[];
      /** The name of the formula, which differs from the proposed one if the pack has that already. */
      readonly formulaName?: string;
    }
  | { readonly problem: string };

export function writeSetup(pack: PackModel, proposal: Proposal): SetupEdits {
  const mistake = pack.facts.find(({ mistake: each, unread }) => each !== undefined || unread !== undefined);
  if (mistake !== undefined)
    return problem(`${mistake.file.split("/").at(-1)} has a syntax error, or is too large to be read. Correct it, and set up again.`);
  if (pack.partial) return problem(NO_PACK);
  const { scope } = proposal;
  const existing = authsOf(pack, scope);
  const [former, other] = existing;
  if (other !== undefined)
    return problem(`The pack sets its ${scope} authentication in ${existing.length} places. Leave one of them, and set up again.`);
  if (former === undefined && !pack.complete.users)
    return problem(`Code that Pack Auth cannot read may set the ${scope} authentication. Set it in a file of the pack, and set up again.`);
  if (!pack.domains.complete)
    return problem("The source does not show all network domains. Write them as texts in addNetworkDomain, and set up again.");
  const target = targetOf(pack);
  if (target === undefined) return problem("The source does not show the pack's name. Assign newPack() to a constant, and set up again.");
  return new Writer(pack, proposal, target, former).write();
}

/** A pack in a file that builds none, or several, or that a function outside the workspace builds. */
export const NO_PACK = "The source does not show which pack this file builds. Export what newPack() returns as pack, and set up again.";

const problem = (text: string): { readonly problem: string } => ({ problem: text });

/** Returns the pack's authentications of the scope, one for each place that sets it. */
function authsOf(pack: PackModel, scope: Proposal["scope"]): readonly AuthConfig[] {
  const places = new Map<string, AuthConfig>();
  for (const auth of pack.auths) if (auth.scope === scope && !auth.isAdmin) places.set(`${auth.place.file} ${auth.place.start}`, auth);
  return [...places.values()];
}

/** A statement, and the pack's name there. */
interface Anchor {
  readonly receiver: string;
  readonly statement: Place | FileSpan;
}

interface Target {
  /** The domains and the authentication follow it. */
  readonly start: Anchor;
  /** The formula follows it. */
  readonly end: Anchor;
}

function targetOf(pack: PackModel): Target | undefined {
  const calls = pack.facts.flatMap((facts) => facts.calls).flatMap((call) => anchorOf(call));
  const built = builtPack(pack);
  const start = calls.findLast(({ method }) => method === "addNetworkDomain") ?? built ?? calls[0];
  if (start === undefined) return undefined;
  const outside = calls.filter(({ within }) => within === undefined);
  const end =
    outside.findLast(({ method }) => /^add(?!NetworkDomain)/.test(method)) ??
    outside.findLast(({ statement }) => statement.file === start.statement.file) ??
    start;
  return { start, end: end.statement.file === start.statement.file ? last(start, end) : end };
}

const last = <A extends Anchor>(one: A, two: A): A => (one.statement.start > two.statement.start ? one : two);

const anchorOf = ({ statement, receiver, method, conditional, loop, within }: CallFact) =>
  statement === undefined || receiver === "" || method === "newPack" || conditional || loop !== undefined
    ? []
    : [{ statement, receiver, method, within }];

class Writer {
  readonly #pack: PackModel;
  readonly #proposal: Proposal;
  readonly #target: Target;
  readonly #former: AuthConfig | undefined;
  /** By file: exports of the SDK that the new code names. */
  readonly #names = new Map<string, Set<string>>();

  constructor(pack: PackModel, proposal: Proposal, target: Target, former: AuthConfig | undefined) {
    this.#pack = pack;
    this.#proposal = proposal;
    this.#target = target;
    this.#former = former;
  }

  write(): SetupEdits {
    const { start, end } = this.#target;
    const { edits: domainEdits, statements } = this.#domains();
    const formula = this.#proposal.formula;
    const formulaName = formula && this.#freeName(formula.name);
    const setter = `${start.receiver}.set${this.#proposal.scope === "user" ? "User" : "System"}Authentication`;
    const replaced = this.#former && this.#replaced(this.#former);
    if (this.#former !== undefined && replaced === undefined)
      return problem(
        "The source does not show the configuration as a literal that can be replaced. Write it into the setter, and set up again.",
      );
    const first = [...statements, ...(replaced === undefined ? ["", `${callCode(setter, this.#members(start.statement.file))};`] : [])];
    const added = [
      ...this.#mcpServer(end),
      ...(formula === undefined || formulaName === undefined ? [] : ["", this.#formula(end, formula, formulaName)]),
    ];
    const isOnePlace = end.statement.file === start.statement.file && end.statement.start === start.statement.start;
    const inserted = isOnePlace
      ? [this.#insertion(start, [...first, ...added])]
      : [this.#insertion(start, first), this.#insertion(end, added)];
    const edits = [...domainEdits, ...(replaced ?? []), ...inserted.flat()];
    const imports = [...this.#names].flatMap(([file, names]) => importNames(this.#pack, file, [...names]));
    return { edits: [...imports, ...edits], ...(formulaName === undefined ? {} : { formulaName }) };
  }

  #insertion(anchor: Anchor, statements: readonly string[]): readonly TextEdit[] {
    if (statements.length === 0) return [];
    const { file, start } = anchor.statement;
    const source = this.#pack.text(file);
    const code = statements.map((statement) => this.#laidOut(file, statement, indentOf(source, start))).join(eolOf(source));
    return [insertAfterStatement(this.#pack, anchor.statement, code)];
  }

  /** Returns code with the file's indentation and line ends; `indent` is added to each line that is not empty. */
  #laidOut(file: string, code: string, indent: string): string {
    const source = this.#pack.text(file);
    const unit = unitOf(source);
    return code
      .split("\n")
      .map((line) => (line === "" ? "" : indent + line.replace(/^(?: {2})+/, (blanks) => unit.repeat(blanks.length / 2))))
      .join(eolOf(source));
  }

  /** Returns an export of the SDK as the file names it. */
  #sdk(file: string, name: string): string {
    const names = this.#names.get(file) ?? new Set();
    this.#names.set(file, names.add(name));
    return toolkitName(this.#pack, file, name);
  }

  /** Declares the domains that no declared one covers. */
  #domains(): { readonly edits: readonly TextEdit[]; readonly statements: readonly string[] } {
    const pack = this.#pack;
    const declared = declaredHosts(pack);
    const missing = missingDomains(declared, this.#proposal);
    const [only, second] = declared;
    const restrictions =
      only === undefined || second !== undefined || missing.length === 0
        ? []
        : allAuths(pack)
            .filter((auth) => auth !== this.#former && hasCredential(auth.type) && !auth.config.open)
            .filter(({ config }) => propertyOf(config, "networkDomain") === undefined)
            .map(({ config }) => insertProperty(pack, config, `networkDomain: ${quoted(only)}`));
    const list = missing.length === 0 ? undefined : domainListOf(pack);
    const item = list && insertItem(pack, list, missing.map(({ domain }) => quoted(domain)).join(", "));
    if (item !== undefined) return { edits: [item, ...restrictions], statements: [] };
    const { receiver } = this.#target.start;
    const statements = missing.map(({ domain }) => `${receiver}.addNetworkDomain(${quoted(domain)});`);
    return { edits: restrictions, statements };
  }

  /** Returns the edit that replaces the former configuration, or undefined if it is not written where it is set. */
  #replaced({ call, config, definition, place }: AuthConfig): readonly TextEdit[] | undefined {
    const replacement = (target: Place, code: string): readonly TextEdit[] => {
      const { file, start } = target;
      const indent = indentOf(this.#pack.text(file), start);
      return [replace(target, this.#laidOut(file, code, indent).slice(indent.length))];
    };
    if (call !== undefined)
      return call.receiver === ""
        ? undefined
        : replacement(call.place, callCode(`${call.receiver}.${call.callee}`, this.#members(call.place.file)));
    const isLiteral = definition !== undefined && isWithin(config.place, definition.place);
    return isLiteral ? replacement(config.place, braced(this.#members(place.file))) : undefined;
  }

  /** Returns the members of the configuration. */
  #members(file: string): readonly string[] {
    const { type, fields, userRequest, scope } = this.#proposal;
    const credentialed = this.#credentialed();
    return [
      `type: ${this.#enum(file, "AuthenticationType", type)},`,
      ...fields.map(
        ({ name, value }: ProposedField) => `${memberName(name)}: ${this.#fieldCode(file, fieldOf(type, scope, name), value)},`,
      ),
      ...(credentialed.length === 0
        ? []
        : [`networkDomain: ${credentialed.length === 1 ? quoted(credentialed[0] ?? "") : listCode(credentialed.map(quoted))},`]),
      ...(userRequest === undefined
        ? []
        : [
            functionMember("getConnectionName", "context", [
              requestCode(userRequest),
              `return ${memberCode("response.body", userRequest.namePath, true)};`,
            ]),
          ]),
    ];
  }

  #enum(file: string, enumName: Parameters<typeof enumText>[2], member: string): string {
    this.#sdk(file, enumName);
    return enumText(this.#pack, file, enumName, member);
  }

  /** Returns a field's value; the members of the SDK's enums by their names. */
  #fieldCode(file: string, field: Partial<FieldSpec> | undefined, value: JsonValue): string {
    if (typeof value === "string") return field?.enum === undefined ? quoted(value) : this.#enum(file, field.enum, value);
    if (typeof value !== "object" || value === null || field?.fields === undefined) return valueCode(value);
    if (Array.isArray(value))
      return listCode(value.map((item: JsonValue) => this.#fieldCode(file, { ...(field.fields && { fields: field.fields }) }, item)));
    return objectCode(
      Object.entries(value).map(([name, inner]) => [
        name,
        this.#fieldCode(
          file,
          field.fields?.find((each) => each.name === name),
          inner,
        ),
      ]),
    );
  }

  /** Returns the declared domains that get the credential; empty if the platform needs no choice. */
  #credentialed(): readonly string[] {
    const declared = declaredHosts(this.#pack);
    const all = [...declared, ...missingDomains(declared, this.#proposal).map(({ domain }) => domain)];
    if (all.length < 2 || !hasCredential(this.#proposal.type)) return [];
    return [...new Set(this.#proposal.domains.flatMap(({ domain }) => all.find((each) => isUnder(domain, each)) ?? []))];
  }

  /** Returns the name, with a number if the pack has it. */
  #freeName(name: string): string {
    const used = new Set(
      this.#pack.runnables.flatMap(({ definition }) => {
        const value = propertyOf(definition, "name")?.value;
        const resolved = value && this.#pack.resolve(value);
        return resolved?.kind === "string" ? resolved.value.toLowerCase() : [];
      }),
    );
    let free = name;
    for (let number = 2; used.has(free.toLowerCase()); number++) free = `${name}${number}`;
    return free;
  }

  /** Declares the MCP server, unless the pack has it. Its name is one that no other server of the pack has. */
  #mcpServer({ receiver }: Anchor): readonly string[] {
    const { mcpServer } = this.#proposal;
    const textOf = (definition: ObjectValue, name: string): string | undefined => {
      const value = propertyOf(definition, name)?.value;
      const resolved = value && this.#pack.resolve(value);
      return resolved?.kind === "string" ? resolved.value : undefined;
    };
    const definitions = this.#pack.mcpServers.map(({ definition }) => definition);
    if (mcpServer === undefined || definitions.some((each) => textOf(each, "endpointUrl") === mcpServer.endpointUrl)) return [];
    const used = definitions.map((each) => textOf(each, "name")?.toLowerCase());
    let name = mcpServer.name;
    for (let number = 2; used.includes(name.toLowerCase()); number++) name = `${mcpServer.name}${number}`;
    const members = [`name: ${quoted(name)},`, `endpointUrl: ${quoted(mcpServer.endpointUrl)},`];
    return ["", `${callCode(`${receiver}.addMCPServer`, members)};`];
  }

  #formula({ receiver, statement: { file } }: Anchor, { description, request, parameters }: ProposedFormula, name: string): string {
    const names = localNames(parameters.map((parameter) => parameter.name));
    const parameterCode = parameters.map(({ name, description, suggestedValue }) =>
      callCode(this.#sdk(file, "makeParameter"), [
        `type: ${this.#sdk(file, "ParameterType")}.String,`,
        `name: ${quoted(name)},`,
        `description: ${quoted(description)},`,
        ...(suggestedValue === undefined ? [] : [`suggestedValue: ${quoted(suggestedValue)},`]),
      ]),
    );
    const isRead = /^(?:GET|HEAD)$/i.test(request.method);
    const members = [
      `name: ${quoted(name)},`,
      `description: ${quoted(description)},`,
      `parameters: ${listCode(parameterCode)},`,
      `resultType: ${this.#sdk(file, "ValueType")}.String,`,
      ...(isRead ? [] : ["isAction: true,"]),
      functionMember("execute", `[${[...names.values()].join(", ")}], context`, [
        requestCode(request, names),
        'return typeof response.body === "string" ? response.body : JSON.stringify(response.body ?? null);',
      ]),
    ];
    return `${callCode(`${receiver}.addFormula`, members)};`;
  }
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** Returns the proposed domains that are not covered by a declared one, nor by another proposed one. */
function missingDomains(declared: readonly string[], { domains }: Proposal): Proposal["domains"] {
  const isCovered = (domain: string, index: number): boolean =>
    declared.some((each) => isUnder(domain, each)) ||
    domains.some((other, at) => at !== index && isUnder(domain, other.domain) && (domain !== other.domain || at < index));
  return domains.filter(({ domain }, index) => !isCovered(domain, index));
}

/** Names that the code around a parameter uses, and words that are no names. */
const USED_NAMES = new Set(
  "context response encodeURIComponent JSON arguments await async break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);

/** Returns a variable for each parameter. */
function localNames(parameters: readonly string[]): ParameterNames {
  const names = new Map<string, string>();
  const used = new Set(USED_NAMES);
  for (const parameter of parameters) {
    const plain = parameter.replace(/[^A-Za-z0-9_$]+/g, "_").replace(/^(?=\d|$)/, "_");
    let name = plain;
    for (let number = 2; used.has(name); number++) name = `${plain}${number}`;
    names.set(parameter, name);
    used.add(name);
  }
  return names;
}
