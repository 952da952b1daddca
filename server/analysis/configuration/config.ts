// Questions that several rules ask of a configuration, or of a formula that uses it: its spec, a field's value, what is known to be absent.
import { areNear, closest } from "../../../base/closest.ts";
import { defined } from "../../../base/defined.ts";
import {
  AUTH_TYPES,
  type AuthScope,
  type AuthTypeName,
  fieldOf,
  fieldsOf,
  isAuthTypeName,
  typesWithField,
} from "../../../spec/auth-types.ts";
import { ENUMS, type EnumName, FIELD_ALIASES } from "../../../spec/fields.ts";
import type { Fix } from "../model/findings.ts";
import type { AuthConfig, ConfigField, PackModel, RunnableFact } from "../model/pack.ts";
import type { ObjectValue, Place, Property, Value } from "../model/values.ts";
import { isOwn, removeProperty } from "../text/edit.ts";

export interface ResolvedAuth extends AuthConfig {
  readonly type: AuthTypeName;
  readonly fields: readonly ConfigField[];
}

/** The configurations whose type the model knows. */
export const resolvedAuths = ({ auths }: PackModel): readonly ResolvedAuth[] => auths.filter(isResolved);

/** Those of administrators, too. */
export const allAuths = ({ auths, adminAuthentications }: PackModel): readonly AuthConfig[] =>
  adminAuthentications.length === 0 ? auths : [...auths, ...adminAuthentications.flatMap((admin) => admin.auths)];

export const isResolved = (auth: AuthConfig): auth is ResolvedAuth => auth.fields !== undefined;

/** Those that a configuration of the type holds: of two properties of a name, the one that counts. */
export function configFields(type: AuthTypeName, scope: AuthScope, config: ObjectValue): ResolvedAuth["fields"] {
  return config.properties.flatMap((property) => {
    const field = fieldOf(type, scope, property.name);
    return field !== undefined && propertyOf(config, property.name) === property ? [{ field, property }] : [];
  });
}

export function propertyOf(object: ObjectValue, name: string): Property | undefined {
  const { properties } = object;
  for (let index = properties.length - 1; index >= 0; index--) if (properties[index]?.name === name) return properties[index];
  return undefined;
}

/** What the property of that name comes down to; undefined where there is none. */
export function valueIn(pack: PackModel, object: ObjectValue, name: string): Value | undefined {
  const property = propertyOf(object, name);
  return property && pack.resolve(property.value);
}

/** The same, of a configuration's field. */
export const fieldValue = (pack: PackModel, { config }: AuthConfig, name: string): Value | undefined => valueIn(pack, config, name);

/** The fix that takes a property out; none where it is spread in from elsewhere, since others may use it there. */
export function removal(pack: PackModel, object: ObjectValue, property: Property): readonly Fix[] {
  return isOwn(object, property) ? [propose(`Remove ${property.name}`, removeProperty(pack, object, property))] : [];
}

/** Known to be left out: no such property (nor one that is meant to be it, nor a spread that may hold it), or `undefined`. */
export function isAbsent(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value === undefined ? !mayContain(auth.config, name) && !isMisspelt(pack, auth, name) : value.kind === "undefined";
}

/** Whether something that is not known, or a condition, may give the object the property. */
export const mayContain = ({ open, openToSources, sources = [] }: ObjectValue, name: string): boolean =>
  open &&
  (openToSources !== true ||
    sources.some((source) => (source.open && source.openToSources !== true) || propertyOf(source, name) !== undefined));

/** Whether a field that no type has is this one in another spelling: that is said of it, and then not that this one is missing. */
function isMisspelt(pack: PackModel, { type, scope, config, fields: typeFields }: AuthConfig, name: string): boolean {
  const sources = config.open ? (config.sources ?? []) : [];
  // Mostly all are fields of the type.
  if (sources.length === 0 && typeFields?.length === config.properties.length) return false;
  const strange = [config, ...sources]
    .flatMap(({ properties }) => properties)
    .filter(
      (property) =>
        property.name !== "type" && typesWithField(property.name).length === 0 && pack.toolkit?.fields.has(property.name) !== true,
    );
  if (
    strange.some(
      (property) => property.name !== name && fieldsWithin(pack, property.value)?.properties.some((inner) => inner.name === name),
    )
  )
    return true;
  if (name === "type") return strange.some((property) => closestField(property.name, [name]) === name);
  if (strange.length === 0 || type === undefined || !isAuthTypeName(type)) return false;
  const fields = fieldsOf(type, scope).map((field) => field.name);
  return strange.some((property) => !fields.includes(property.name) && closestField(property.name, fields) === name);
}

/** The object of fields that a field of an unknown name holds, perhaps in objects with nothing else in them: `flows: { code: { tokenUrl } }`. */
export function fieldsWithin(pack: PackModel, value: Value): ObjectValue | undefined {
  const object = pack.resolve(value);
  if (object.kind !== "object" || object.open) return undefined;
  if (object.properties.some(({ name }) => name === "type" || typesWithField(name).length > 0)) return object;
  const [only, other] = object.properties;
  return only === undefined || other !== undefined ? undefined : fieldsWithin(pack, only.value);
}

/** The field that one of an unknown name was meant to be: called so elsewhere, or spelt nearly so. */
export function closestField(name: string, fields: readonly string[]): string | undefined {
  const aliases = FIELD_ALIASES.get(name.toLowerCase());
  return aliases?.find((field) => fields.includes(field)) ?? (aliases?.length === 0 ? undefined : closest(name, fields));
}

export function isTrue(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value?.kind === "boolean" && value.value;
}

/** True, or meant to be as far as is known: what is misspelt, or of another type, has findings of its own. */
export function mayBeTrue(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  if (value === undefined) return !isAbsent(pack, auth, name);
  return value.kind === "string" ? value.value === "true" : value.kind === "unknown" || (value.kind === "boolean" && value.value);
}

/** Where a finding about the whole configuration stands: its type, else the setter's name. */
export function headOf(auth: AuthConfig): Place {
  return auth.typeProperty?.span ?? auth.place;
}

/** Known to be no text, as the names of types and of steps are. */
export const isNoText = (value: Value): boolean => NO_TEXTS.has(value.kind) || (value.kind === "unknown" && value.builtIn !== undefined);

const NO_TEXTS: ReadonlySet<Value["kind"]> = new Set(["null", "number", "boolean", "array", "object", "function"]);

/** What JavaScript takes for nothing: the toolkit leaves such a function out. */
export const isNothing = (value: Value): boolean =>
  value.kind === "null" || ((value.kind === "string" || value.kind === "number" || value.kind === "boolean") && !value.value);

/** Said of a field that the built-in model lacks, where no SDK is installed whose declarations could decide. */
export const unsureField = (name: string): string =>
  `Check ${name}. Pack Auth does not know this field, and no Packs SDK is installed that could declare it. The platform rejects unknown fields.`;

export const nameOf = (property: Property): Place => property.nameSpan;

/**
 * A member that a newer SDK's enum may have: none is installed, and it is no misspelling of one that is known. Whether there is one like it,
 * nobody can know: it is a warning at most.
 */
export const mayBeNewer = ({ toolkit }: PackModel, value: Value): boolean =>
  toolkit === undefined &&
  value.kind === "member" &&
  Object.hasOwn(ENUMS, value.enum) &&
  !Object.keys(ENUMS[value.enum as EnumName]).some((member) =>
    areNear(member.toLowerCase(), value.name.toLowerCase(), member.length > SHORT ? 2 : 1),
  );

const SHORT = 5;

/** Whether the text is the value of a member that the installed SDK has and the built-in model does not. */
export const isNewerValue = ({ toolkit }: PackModel, enumName: EnumName, text: string): boolean =>
  [...(toolkit?.enums.get(enumName) ?? [])].some(
    (member) => !Object.hasOwn(ENUMS[enumName], member) && member.toLowerCase() === text.toLowerCase(),
  );

/** The type as people read it, with what it is for. */
export const describeType = (type: AuthTypeName): string => AUTH_TYPES[type].docs;

export function fix(title: string, ...edits: Fix["edits"]): Fix {
  return { title, edits };
}

/** A fix that puts a misspelt name right. It is made unasked, also where there are other ways. */
export function respell(title: string, ...edits: Fix["edits"]): Fix {
  return { title, edits, spelling: true };
}

/** A fix that is made only where its author asks for it. */
export function propose(title: string, ...edits: Fix["edits"]): Fix {
  return { title, edits, proposal: true };
}

/** Of a table, the formula that reads it. */
export const formulaOf = (pack: PackModel, { kind, definition }: RunnableFact): ObjectValue | undefined =>
  kind === "formula" ? definition : objectIn(pack, definition, "formula");

export function objectIn(pack: PackModel, object: ObjectValue, name: string): ObjectValue | undefined {
  const value = valueIn(pack, object, name);
  return value?.kind === "object" ? value : undefined;
}

/** The property's text; undefined where it is none, or not known. */
export function textIn(pack: PackModel, object: ObjectValue, name: string): string | undefined {
  const value = valueIn(pack, object, name);
  return value?.kind === "string" ? value.value : undefined;
}

/** Whether it is known not to be an array of strings, which the platform wants where there is one. */
export function isNoStringArray(pack: PackModel, { value: propertyValue }: Property): boolean {
  const value = pack.resolve(propertyValue);
  if (value.kind !== "array") return value.kind === "string" || value.kind === "template" || isNoText(value);
  return value.items.some((item) => {
    const resolved = pack.resolve(item);
    return isNoText(resolved) || resolved.kind === "undefined";
  });
}

/** The steps in which a user chooses; empty where they cannot be read. */
export function endpointSteps(pack: PackModel, auth: AuthConfig): readonly ObjectValue[] {
  const steps = fieldValue(pack, auth, "postSetup");
  if (steps?.kind !== "array") return [];
  return steps.items.map((item) => pack.resolve(item)).filter((step): step is ObjectValue => step.kind === "object");
}

/** A declared param: where its entry says its name. */
interface ParamFact {
  /** Undefined: the source does not tell. */
  readonly name?: string;
  /** The property `name` of its entry; undefined where the entry cannot be read. */
  readonly property?: Property;
  /** What the name comes down to: the literal, of a constant perhaps. */
  readonly value?: Value;
  readonly description?: string;
}

export function paramsOf(pack: PackModel, auth: AuthConfig): readonly ParamFact[] {
  const list = fieldValue(pack, auth, "params");
  if (list?.kind !== "array") return [];
  return list.items.map((item) => {
    const entry = pack.resolve(item);
    if (entry.kind !== "object") return {};
    const value = valueIn(pack, entry, "name");
    const description = textIn(pack, entry, "description");
    return defined({
      name: value?.kind === "string" ? value.value : undefined,
      property: propertyOf(entry, "name"),
      value,
      description: description === "" ? undefined : description,
    });
  });
}

export const customAuths = (pack: PackModel): readonly AuthConfig[] => pack.auths.filter((auth) => auth.type === "Custom");

/** The params of all Custom authentications of the pack. */
export const customParams = (pack: PackModel): readonly ParamFact[] => customAuths(pack).flatMap((auth) => paramsOf(pack, auth));

/** The names that are known and not blank, each once. */
export const paramNames = (pack: PackModel, auth: AuthConfig): readonly string[] => [
  ...new Set(paramsOf(pack, auth).flatMap(({ name }) => (name?.trim() ? name : []))),
];

/** As it is shown. In a message it is a value of its own: a brace beside a value keeps that from being filled in. */
export const placeholderOf = (param: string): string => `{{${param}-<invocationToken>}}`;

/** The names of the params that the pack declares; undefined where it has another authentication, or one of the names cannot be read: it may be any. */
export const customParamNames = (pack: PackModel): ReadonlySet<string> | undefined => pack.memo(pack, declaredNames);

function declaredNames(pack: PackModel): ReadonlySet<string> | undefined {
  const customs = customAuths(pack);
  const lists = customs.map((auth) => fieldValue(pack, auth, "params"));
  const isAll = customs.length === pack.auths.length && lists.every((list) => list?.kind === "array" && !list.open);
  const names = customParams(pack).map(({ name }) => name);
  return isAll && customs.length > 0 && names.every((name) => name !== undefined) ? new Set(names) : undefined;
}

/** How many of the configuration's fields a type does not have. */
export function foreignFields({ config, scope }: Pick<AuthConfig, "config" | "scope">, type: AuthTypeName): number {
  const fields = fieldsOf(type, scope);
  return config.properties.filter(({ name }) => !fields.some((field) => field.name === name)).length;
}
