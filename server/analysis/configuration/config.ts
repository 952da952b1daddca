// Questions that several rules ask of a configuration, or of a formula that uses it: its spec, a field's value, what is known to be absent.
import { t } from "@vscode/l10n";
import {
  AUTH_TYPES,
  type AuthScope,
  type AuthTypeName,
  fieldOf,
  fieldsOf,
  isAuthTypeName,
  typesWithField,
} from "../../../spec/auth-types.ts";
import { ENUMS, type EnumName, type FieldSpec } from "../../../spec/fields.ts";
import type { Fix } from "../model/findings.ts";
import type { AuthConfig, ConfigField, PackModel, RunnableFact } from "../model/pack.ts";
import type { ObjectValue, Place, Property, Value } from "../model/values.ts";
import { toolkitName } from "../modules/toolkit-imports.ts";
import { areNear, closest } from "../text/closest.ts";
import { isOwn, removeProperty } from "../text/edit.ts";

export interface KnownAuth extends AuthConfig {
  readonly type: AuthTypeName;
  readonly fields: readonly ConfigField[];
}

/** The configurations whose type the model knows. */
export const knownAuths = ({ auths }: PackModel): readonly KnownAuth[] => auths.filter(isKnown);

/** Those of administrators, too. */
export const allAuths = ({ auths, adminAuthentications }: PackModel): readonly AuthConfig[] =>
  adminAuthentications.length === 0 ? auths : [...auths, ...adminAuthentications.flatMap((admin) => admin.auths)];

export const isKnown = (auth: AuthConfig): auth is KnownAuth => auth.fields !== undefined;

/** Those that a configuration of the type holds: of two properties of a name, the one that counts. */
export function configFields(type: AuthTypeName, scope: AuthScope, config: ObjectValue): KnownAuth["fields"] {
  const fields: ConfigField[] = [];
  const { properties } = config;
  for (let index = 0; index < properties.length; index++) {
    const property = properties[index] as Property;
    const field = fieldOf(type, scope, property.name);
    if (field !== undefined && propertyOf(config, property.name) === property) fields.push({ field, property });
  }
  return fields;
}

export function propertyOf(object: ObjectValue, name: string): Property | undefined {
  const { properties } = object;
  for (let index = properties.length - 1; index >= 0; index--) if (properties[index]?.name === name) return properties[index];
  return undefined;
}

/** The field's value; undefined where it is absent. */
export function fieldValue(pack: PackModel, auth: AuthConfig, name: string): Value | undefined {
  const property = propertyOf(auth.config, name);
  return property === undefined ? undefined : pack.resolve(property.value);
}

/** The fix that takes a property out; none where it is spread in from elsewhere, since others may use it there. */
export function removal(pack: PackModel, object: ObjectValue, property: Property): readonly Fix[] {
  return isOwn(object, property) ? [propose(t`Remove ${property.name}`, removeProperty(pack, object, property))] : [];
}

/** Known to be left out: no such property (nor one that is meant to be it, nor a spread that may hold it), or `undefined`. */
export function isAbsent(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const property = propertyOf(auth.config, name);
  if (property === undefined) return !auth.config.open && !isMisspelt(pack, auth, name);
  return pack.resolve(property.value).kind === "undefined";
}

/** Whether a field that no type has is this one in another spelling: that is said of it, and then not that this one is missing. */
function isMisspelt(pack: PackModel, { type, scope, config, fields: known }: AuthConfig, name: string): boolean {
  // Mostly all are fields of the type.
  if (known?.length === config.properties.length) return false;
  const strange = config.properties.filter(
    (property) =>
      property.name !== "type" && typesWithField(property.name).length === 0 && pack.toolkit?.fields.has(property.name) !== true,
  );
  if (strange.length === 0 || type === undefined || !isAuthTypeName(type)) return false;
  const fields = fieldsOf(type, scope).map((field) => field.name);
  return strange.some((property) => !fields.includes(property.name) && closest(property.name, fields) === name);
}

export function isTrue(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value?.kind === "boolean" && value.value;
}

/** True, or with a value that is not known. */
export function mayBeTrue(pack: PackModel, auth: AuthConfig, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value?.kind === "unknown" || (value?.kind === "boolean" && value.value);
}

/** Present, whatever its value, or perhaps in a spread. */
export function mayHave(pack: PackModel, auth: AuthConfig, name: string): boolean {
  return !isAbsent(pack, auth, name);
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

export const nameOf = (property: Property): Place => property.nameSpan;

/** Source text for an enum member, as the file writes the toolkit's namespace. */
export function enumText(pack: PackModel, file: string, enumName: keyof typeof ENUMS, member: string): string {
  return `${toolkitName(pack, file, enumName)}.${member}`;
}

/** Texts that are no blank to forget: what APIs most often call these. */
const USUAL: Readonly<Record<string, string>> = { headerName: "X-API-Key", paramName: "api_key", name: "api_key", service: "execute-api" };

/** A value to start with, for a field that is inserted: blank for an editor to fill in, or `filled` where nobody would be asked. */
export function starterValue(pack: PackModel, file: string, field: FieldSpec, options: { readonly filled?: boolean } = {}): string {
  switch (field.kind) {
    case "string":
    case "url":
      return JSON.stringify(field.values?.[0] ?? (options.filled ? USUAL[field.name] : undefined) ?? "");
    case "boolean":
      return "true";
    case "stringArray":
    case "stringOrStringArray":
      return options.filled && field.required ? '["https://www.googleapis.com/auth/cloud-platform"]' : "[]";
    case "function":
      return 'async function (context) {\n    return "";\n  }';
    case "enum": {
      const member = field.enum === undefined ? undefined : Object.keys(ENUMS[field.enum])[0];
      return member === undefined || field.enum === undefined ? '""' : enumText(pack, file, field.enum, member);
    }
    case "record":
    case "object":
      return "{}";
    case "objectArray":
      return `[{ ${(field.fields ?? [])
        .filter((inner) => inner.required)
        .map((inner) => `${inner.name}: ${starterValue(pack, file, inner, options)}`)
        .join(", ")} }]`;
  }
}

/**
 * A member that a newer SDK's enum may have: none is installed, and it is no misspelling of one that is known. Whether there is one like it,
 * nobody can know: it is a warning at most.
 */
export const mayBeNewer = ({ toolkit }: PackModel, value: Value): boolean =>
  toolkit === undefined &&
  value.kind === "member" &&
  Object.hasOwn(ENUMS, value.enum) &&
  !Object.keys(ENUMS[value.enum as EnumName]).some((known) =>
    areNear(known.toLowerCase(), value.name.toLowerCase(), known.length > SHORT ? 2 : 1),
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
  const property = propertyOf(object, name);
  const value = property && pack.resolve(property.value);
  return value?.kind === "object" ? value : undefined;
}

/** Whether it is known not to be an array of strings, which the platform wants where there is one. */
export function isNoStringArray(pack: PackModel, { value: given }: Property): boolean {
  const value = pack.resolve(given);
  if (value.kind !== "array") return value.kind === "string" || value.kind === "template" || isNoText(value);
  return value.items.some((item) => {
    const resolved = pack.resolve(item);
    return isNoText(resolved) || resolved.kind === "undefined";
  });
}
