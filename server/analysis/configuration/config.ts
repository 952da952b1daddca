// Questions that several rules ask of a configuration, or of a formula that uses it: its spec, a field's value, whether a field is absent.

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
import type { Expression, ObjectValue, Place, Property, Value } from "../model/values.ts";
import { builtInOf, isOpaque } from "../syntax/expressions.ts";
import { isOwn, removeProperty } from "../text/edit.ts";

export interface ResolvedAuth extends AuthConfig {
  readonly type: AuthTypeName;
  readonly fields: readonly ConfigField[];
}

/** Returns the configurations whose type the model knows. */
export const resolvedAuths = ({ auths }: PackModel): readonly ResolvedAuth[] => auths.filter(isResolved);

/** Returns all configurations, including those of administrators. */
export const allAuths = ({ auths, adminAuthentications }: PackModel): readonly AuthConfig[] =>
  adminAuthentications.length === 0 ? auths : [...auths, ...adminAuthentications.flatMap((admin) => admin.auths)];

export const isResolved = (auth: AuthConfig): auth is ResolvedAuth => auth.fields !== undefined;

/** Returns the type's fields that a configuration contains; of two properties with one name, the one that counts. */
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

/** Returns the resolved value of the property with that name, or undefined if there is none. */
export function valueIn(pack: PackModel, object: ObjectValue, name: string): Value | undefined {
  const property = propertyOf(object, name);
  return property && pack.resolve(property.value);
}

/** Returns the resolved value of a configuration's field, or undefined if there is none. */
export const fieldValue = (pack: PackModel, { config }: AuthConfig, name: string): Value | undefined => valueIn(pack, config, name);

/** Returns the fix that removes a property; empty if the property is spread in from elsewhere, since other code may use it there. */
export function removal(pack: PackModel, object: ObjectValue, property: Property): readonly Fix[] {
  return isOwn(object, property) ? [propose(`Remove ${property.name}`, removeProperty(pack, object, property))] : [];
}

/**
 * Whether the field is known to be omitted or `undefined`. It may be present if a misspelling of it exists, or a spread that may contain
 * it.
 */
export function isAbsent(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value === undefined ? !mayContain(auth.config, name) && !isMisspelt(pack, auth, name) : value.kind === "undefined";
}

/** Whether an unknown part of the object, or a condition, may give it the property. */
export const mayContain = ({ open, merged }: ObjectValue, name: string): boolean =>
  open &&
  (merged?.openToSources !== true ||
    merged.sources.some((source) => (source.open && source.merged?.openToSources !== true) || propertyOf(source, name) !== undefined));

/**
 * Whether an unknown field is a misspelling of this one. The misspelling has its own finding, so the field is not also reported as missing.
 */
function isMisspelt(pack: PackModel, { type, scope, config, fields: typeFields }: AuthConfig, name: string): boolean {
  const sources = config.open ? (config.merged?.sources ?? []) : [];
  // Usually all properties are fields of the type.
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

/** Returns the object of fields inside an unknown field, also through objects with a single property: `flows: { code: { tokenUrl } }`. */
export function fieldsWithin(pack: PackModel, value: Expression): ObjectValue | undefined {
  const object = pack.resolve(value);
  if (object.kind !== "object" || object.open) return undefined;
  if (object.properties.some(({ name }) => name === "type" || typesWithField(name).length > 0)) return object;
  const [only, other] = object.properties;
  return only === undefined || other !== undefined ? undefined : fieldsWithin(pack, only.value);
}

/** Returns the field that an unknown name was meant to be: another name of it, or a near spelling; undefined if there is none. */
export function closestField(name: string, fields: readonly string[]): string | undefined {
  const aliases = FIELD_ALIASES.get(name.toLowerCase());
  return aliases?.find((field) => fields.includes(field)) ?? (aliases?.length === 0 ? undefined : closest(name, fields));
}

export function isTrue(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value?.kind === "boolean" && value.value;
}

/** Whether the field is true, or may be meant to be. A misspelt or wrongly typed field has findings of its own. */
export function mayBeTrue(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  if (value === undefined) return !isAbsent(pack, auth, name);
  return value.kind === "string" ? value.value === "true" : isOpaque(value) || (value.kind === "boolean" && value.value);
}

/** Returns the place for a finding about the whole configuration: its type, or the setter's name. */
export function headOf(auth: AuthConfig): Place {
  return auth.typeProperty?.span ?? auth.place;
}

export const isUnknown = (pack: PackModel, expression: Expression): boolean => isOpaque(pack.resolve(expression));

/** Whether the value is known not to be a string. */
export const isNoText = (value: Value): boolean => NO_TEXTS.has(value.kind) || builtInOf(value) !== undefined;

const NO_TEXTS: ReadonlySet<Value["kind"]> = new Set(["null", "number", "boolean", "array", "object", "function"]);

/** Whether the value is falsy in JavaScript. The SDK ignores a falsy function. */
export const isNothing = (value: Expression): boolean =>
  value.kind === "null" || ((value.kind === "string" || value.kind === "number" || value.kind === "boolean") && !value.value);

/** Returns the message for a field that the built-in model lacks, if no SDK is installed whose declarations could decide. */
export const unsureField = (name: string): string =>
  `Check ${name}. Pack Auth does not know this field, and no Packs SDK is installed that could declare it. The platform rejects unknown fields.`;

export const nameOf = (property: Property): Place => property.nameSpan;

/**
 * Whether a newer SDK's enum may have the member: no SDK is installed, and the name is not a misspelling of a known member. Since this is
 * uncertain, rules report it as a warning at most.
 */
export const mayBeNewer = ({ toolkit }: PackModel, value: Value): boolean =>
  toolkit === undefined &&
  value.kind === "member" &&
  Object.hasOwn(ENUMS, value.enum) &&
  !Object.keys(ENUMS[value.enum as EnumName]).some((member) =>
    areNear(member.toLowerCase(), value.name.toLowerCase(), member.length > SHORT ? 2 : 1),
  );

const SHORT = 5;

/** Whether the string is the value of a member that the installed SDK has and the built-in model lacks. */
export const isNewerValue = ({ toolkit }: PackModel, enumName: EnumName, text: string): boolean =>
  [...(toolkit?.enums.get(enumName) ?? [])].some(
    (member) => !Object.hasOwn(ENUMS[enumName], member) && member.toLowerCase() === text.toLowerCase(),
  );

/** Returns the type's display name and purpose. */
export const describeType = (type: AuthTypeName): string => AUTH_TYPES[type].docs;

export function fix(title: string, ...edits: Fix["edits"]): Fix {
  return { title, edits };
}

/** Returns a fix that corrects a misspelt name. It is applied without asking, even if there are other fixes. */
export function respell(title: string, ...edits: Fix["edits"]): Fix {
  return { title, edits, kind: "spelling" };
}

/** Returns a fix that is applied only if the author asks for it. */
export function propose(title: string, ...edits: Fix["edits"]): Fix {
  return { title, edits, kind: "proposal" };
}

/** Returns the formula itself, or the formula of a sync table. */
export const formulaOf = (pack: PackModel, { kind, definition }: RunnableFact): ObjectValue | undefined =>
  kind === "formula" ? definition : objectIn(pack, definition, "formula");

export function objectIn(pack: PackModel, object: ObjectValue, name: string): ObjectValue | undefined {
  const value = valueIn(pack, object, name);
  return value?.kind === "object" ? value : undefined;
}

/** Returns the property's string value, or undefined if it is not a string or is unknown. */
export function textIn(pack: PackModel, object: ObjectValue, name: string): string | undefined {
  const value = valueIn(pack, object, name);
  return value?.kind === "string" ? value.value : undefined;
}

/** Whether the value is known not to be an array of strings, which the platform requires. */
export function isNoStringArray(pack: PackModel, { value: propertyValue }: Property): boolean {
  const value = pack.resolve(propertyValue);
  if (value.kind !== "array") return value.kind === "string" || value.kind === "template" || isNoText(value);
  return value.items.some((item) => {
    const resolved = pack.resolve(item);
    return isNoText(resolved) || resolved.kind === "undefined";
  });
}

/** Returns the steps in which a user chooses; empty if they cannot be read. */
export function endpointSteps(pack: PackModel, auth: AuthConfig): readonly ObjectValue[] {
  const steps = fieldValue(pack, auth, "postSetup");
  if (steps?.kind !== "array") return [];
  return steps.items.map((item) => pack.resolve(item)).filter((step): step is ObjectValue => step.kind === "object");
}

/** A declared param, and the property that names it. */
interface ParamFact {
  /** Undefined if the source does not determine it. */
  readonly name?: string;
  /** The `name` property of its entry; undefined if the entry cannot be read. */
  readonly property?: Property;
  /** The resolved name, whose literal may belong to a constant. */
  readonly value?: Expression;
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

/** Returns the params of all Custom authentications of the pack. */
export const customParams = (pack: PackModel): readonly ParamFact[] => customAuths(pack).flatMap((auth) => paramsOf(pack, auth));

/** Returns the known names that are not blank, without duplicates. */
export const paramNames = (pack: PackModel, auth: AuthConfig): readonly string[] => [
  ...new Set(paramsOf(pack, auth).flatMap(({ name }) => (name?.trim() ? name : []))),
];

/**
 * Returns the placeholder as messages show it. A message inserts it as one value, since a brace beside a value would prevent filling it in.
 */
export const placeholderOf = (param: string): string => `{{${param}-<invocationToken>}}`;

/**
 * Returns the names of the pack's params. Returns undefined if the pack has another authentication, or a name cannot be read and may be
 * any.
 */
export const customParamNames = (pack: PackModel): ReadonlySet<string> | undefined => pack.memo(pack, declaredNames);

function declaredNames(pack: PackModel): ReadonlySet<string> | undefined {
  const customs = customAuths(pack);
  const lists = customs.map((auth) => fieldValue(pack, auth, "params"));
  const isAll = customs.length === pack.auths.length && lists.every((list) => list?.kind === "array" && !list.open);
  const names = customParams(pack).map(({ name }) => name);
  return isAll && customs.length > 0 && names.every((name) => name !== undefined) ? new Set(names) : undefined;
}

/** Returns how many of the configuration's fields a type lacks. */
export function foreignFields({ config, scope }: Pick<AuthConfig, "config" | "scope">, type: AuthTypeName): number {
  const fields = fieldsOf(type, scope);
  return config.properties.filter(({ name }) => !fields.some((field) => field.name === name)).length;
}
