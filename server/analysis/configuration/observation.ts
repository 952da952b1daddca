// What sign-ins and runs showed of a pack, as long as the source that they judged is unchanged. A computed field or a spread from elsewhere
// may have changed, so nothing is reported for it.
import { fingerprintOf } from "../../../base/fingerprint.ts";
import type { Fact } from "../../../protocol/evidence.ts";
import { type AuthTypeName, fieldOf } from "../../../spec/auth-types.ts";
import type { FieldName } from "../../../spec/configuration-fields.ts";
import { judgedBy } from "../../../spec/evidence.ts";
import { EVIDENCE, type EvidenceCode, isConfigurationCode, type Subject } from "../../../spec/evidence-codes.ts";
import { ENUMS } from "../../../spec/fields.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, FileSpan, Place, Property } from "../model/values.ts";
import { eolOf, indentOf, insertItem, insertProperty, isOwn, quoteIn, removeProperty, replace } from "../text/edit.ts";
import { fieldValue, headOf, isAbsent, nameOf, objectIn, propertyOf, propose, type ResolvedAuth, resolvedAuths } from "./config.ts";
import { nameOfRunnable, rowProperties } from "./runnable.ts";
import { enumText } from "./starter-values.ts";

/** The part of the source that a fact is about, by its subject. */
interface Parts {
  readonly "sign-in": ResolvedAuth;
  readonly credential: ResolvedAuth;
  readonly production: ResolvedAuth;
  /** The line without surrounding whitespace. */
  readonly line: FileSpan;
  /** The property of a schema. */
  readonly schema: Property;
}
export type PartOf<Code extends EvidenceCode> = Parts[(typeof EVIDENCE)[Code]];

/** A fact and its part of the source. */
export interface Observation {
  readonly fact: Fact;
  readonly part: Parts[Subject];
}

const FIND: { readonly [About in Subject]: (pack: PackModel, fact: Fact) => Parts[About] | undefined } = {
  "sign-in": findConfiguration,
  credential: findConfiguration,
  production: findConfiguration,
  line: findLine,
  schema: findProperty,
};

/** Returns the fact with its part, or undefined if the source that it judged no longer exists. */
export function findObservation<Code extends EvidenceCode>(pack: PackModel, fact: Fact & { readonly code: Code }): Observation | undefined {
  const part = FIND[EVIDENCE[fact.code]](pack, fact);
  return part && { fact, part };
}

function findConfiguration(pack: PackModel, { code, scope, fingerprint }: Fact): ResolvedAuth | undefined {
  const auth = resolvedAuths(pack).find((each) => each.scope === scope);
  if (auth === undefined || !isConfigurationCode(code)) return undefined;
  let isStatic = true;
  const judged = judgedBy(code, (field) => {
    if (field === "type") return auth.type;
    if (isAbsent(pack, auth, field)) return undefined;
    const value = plainOf(pack, fieldValue(pack, auth, field));
    if (value === UNKNOWN) isStatic = false;
    return value;
  });
  return isStatic && fingerprintOf(judged) === fingerprint ? auth : undefined;
}

const UNKNOWN = Symbol("unknown");

/** Returns a value as in JSON, or UNKNOWN. */
function plainOf(pack: PackModel, value: Expression | undefined): unknown {
  if (value === undefined) return UNKNOWN;
  const resolved = pack.resolve(value);
  switch (resolved.kind) {
    case "string":
    case "number":
    case "boolean":
      return resolved.value;
    case "null":
      return null;
    case "undefined":
      return undefined;
    case "member": {
      const members: Readonly<Record<string, string>> | undefined = Object.entries(ENUMS).find(([name]) => name === resolved.enum)?.[1];
      return members?.[resolved.name] ?? UNKNOWN;
    }
    case "array": {
      const items = resolved.items.map((item) => plainOf(pack, item));
      return resolved.open || items.includes(UNKNOWN) ? UNKNOWN : items;
    }
    case "object": {
      const members = resolved.properties.map((property) => [property.name, plainOf(pack, property.value)] as const);
      return resolved.open || members.some(([, member]) => member === UNKNOWN) ? UNKNOWN : Object.fromEntries(members);
    }
    default:
      return UNKNOWN;
  }
}

/** Maximum number of lines by which the line may have moved. */
const MOVED = 200;

/** Returns the fact's line without surrounding whitespace: at its old position, or the nearest line with the same text. */
function findLine(pack: PackModel, { at, fingerprint }: Fact): FileSpan | undefined {
  if (at === undefined || !pack.files.includes(at.path)) return undefined;
  const lines = pack.text(at.path).split("\n");
  const isIt = (index: number): boolean => lines[index] !== undefined && fingerprintOf(lines[index].trim()) === fingerprint;
  for (let distance = 0; distance <= MOVED; distance++)
    for (const index of new Set([at.line - distance, at.line + distance])) {
      if (!isIt(index)) continue;
      const line = lines[index] ?? "";
      const start = lines.slice(0, index).reduce((sum, text) => sum + text.length + 1, line.search(/\S|$/));
      return { file: at.path, start, end: start + line.trim().length };
    }
  return undefined;
}

/** Returns the property that stayed empty, if the schema still maps it from a key of its own name. */
function findProperty(pack: PackModel, { formula, names: [name] }: Fact): Property | undefined {
  const runnable = pack.runnables.find((each) => nameOfRunnable(pack, each) === formula);
  const properties = runnable && rowProperties(pack, runnable.definition);
  const property = properties && propertyOf(properties, name ?? "");
  const value = properties && objectIn(pack, properties, name ?? "");
  return value?.open === false && propertyOf(value, "fromKey") === undefined ? property : undefined;
}

/** Returns the last sentence of a message about a fact: its date and, in the editor, the account. */
export const describeObservation = ({ seenAt, account }: Fact): string =>
  account === undefined ? ` Seen on ${dayOf(seenAt)}.` : ` Seen on ${dayOf(seenAt)} with ${account}.`;

const dayOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);

/** Returns the place for a finding about a field: its name, or the head of the configuration if it has no such field. */
export function fieldPlace(auth: ResolvedAuth, name: FieldName): Place {
  const property = propertyOf(auth.config, name);
  return property === undefined || name === "type" ? headOf(auth) : nameOf(property);
}

/** Returns the fix that sets a field of the configuration to a value; none if the field is spread in from elsewhere. */
export function setting(
  pack: PackModel,
  { config }: ResolvedAuth,
  name: FieldName,
  value: string,
  text = quoteIn(pack, config, value),
): readonly Fix[] {
  const property = propertyOf(config, name);
  if (property !== undefined && !isOwn(config, property)) return [];
  const isShorthand = property?.value.place.start === property?.nameSpan.start;
  const edit =
    property === undefined
      ? insertProperty(pack, config, `${name}: ${text}`)
      : isShorthand
        ? replace(property.span, `${name}: ${text}`)
        : replace(property.value.place, text);
  return [propose(`Set ${name} to ${value}`, edit)];
}

/** Returns the finding about a field that needs another value, with the fix that sets it. */
export const unsuitedField = (
  pack: PackModel,
  auth: ResolvedAuth,
  name: FieldName,
  value: string,
  message: string,
  text?: string,
): Finding => ({
  place: fieldPlace(auth, name),
  message,
  fixes: () => setting(pack, auth, name, value, text),
});

/** Adds a header or parameter to the list of a type that accepts several. */
export function addEntry(pack: PackModel, auth: ResolvedAuth, list: "headers" | "params", name: string): readonly Fix[] {
  const value = fieldValue(pack, auth, list);
  if (value?.kind !== "array" || value.open) return [];
  const text = quoteIn(pack, auth.config, name);
  const edit = insertItem(pack, value, `{ name: ${text}, description: ${text} }`);
  return edit === undefined ? [] : [propose(`Add ${name} to ${list}`, edit)];
}

/** Fields that only some types have, and that a change of the type removes. */
const OF_HEADERS = ["headerName", "tokenPrefix"];

/** Changes the type of the configuration, adds the fields that the new type needs, and removes those of the former type. */
export function changeType(
  pack: PackModel,
  auth: ResolvedAuth,
  type: AuthTypeName,
  fields: Readonly<Record<string, string>>,
): readonly Fix[] {
  const { config, typeProperty } = auth;
  if (typeProperty === undefined || !isOwn(config, typeProperty) || config.open) return [];
  const former = OF_HEADERS.flatMap((name) => propertyOf(config, name) ?? []);
  // Only the author knows what to do with other fields that the new type lacks.
  const otherProperties = config.properties.filter((property) => property !== typeProperty && !former.includes(property));
  if (otherProperties.some(({ name }) => fieldOf(type, auth.scope, name) === undefined)) return [];
  const member = enumText(pack, config.place.file, "AuthenticationType", type);
  const lines = [`type: ${member}`, ...Object.entries(fields).map(([name, text]) => `${name}: ${text}`)];
  const source = pack.text(config.place.file);
  const indent = indentOf(source, typeProperty.span.start);
  const edits = [
    replace(typeProperty.span, lines.join(`,${eolOf(source)}${indent}`)),
    ...former.map((property) => removeProperty(pack, config, property)),
  ];
  return [propose(`Use ${type}`, ...edits)];
}
