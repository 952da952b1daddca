// The objects whose fields the specification knows: the configurations and the objects inside them, anywhere in the pack. Hovers,
// completions, hints and outlines use them.
import { fieldsOf, isAuthTypeName } from "../../../spec/auth-types.ts";
import { BASE_FIELDS, USER_ONLY_FIELDS } from "../../../spec/configuration-fields.ts";
import type { FieldSpec } from "../../../spec/fields.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression, ObjectValue } from "../model/values.ts";
import { allAuths } from "./config.ts";

export interface Site {
  readonly auth: AuthConfig;
  readonly object: ObjectValue;
  readonly fields: readonly FieldSpec[];
  /** The field that contains the object; undefined for the configuration itself. */
  readonly within?: FieldSpec;
}

export function sitesOf(pack: PackModel): readonly Site[] {
  return allAuths(pack).flatMap((auth) => {
    const fields = configFields(pack, auth);
    return [{ auth, object: auth.config, fields }, ...nested(pack, auth, auth.config, fields)];
  });
}

/** Returns the fields of the configuration's type that the installed SDK has, or the fields of any type if the type is unknown. */
export function configFields(pack: PackModel, { type, scope }: Pick<AuthConfig, "type" | "scope">): readonly FieldSpec[] {
  if (type === undefined || !isAuthTypeName(type))
    return [...fieldsOf("None", scope), ...BASE_FIELDS, ...(scope === "user" ? USER_ONLY_FIELDS : [])].filter(isFirst);
  const installed = pack.toolkit?.fieldsByType.get(type);
  return fieldsOf(type, scope).filter((field) => installed === undefined || installed.has(field.name) || USER_ONLY_FIELDS.includes(field));
}

const isFirst = (field: FieldSpec, index: number, all: readonly FieldSpec[]): boolean =>
  all.findIndex(({ name }) => name === field.name) === index;

/** Returns the objects that are spread into configurations, whose properties become the configurations' fields. */
export function sourcesOf(pack: PackModel): readonly Site[] {
  return allAuths(pack).flatMap((auth) => {
    const sources = auth.config.merged?.sources ?? [];
    return sources.length === 0 ? [] : sources.map((object): Site => ({ auth, object, fields: configFields(pack, auth) }));
  });
}

function nested(pack: PackModel, auth: AuthConfig, object: ObjectValue, fields: readonly FieldSpec[]): readonly Site[] {
  return object.properties.flatMap((property) => {
    const within = fields.find((field) => field.name === property.name && field.fields !== undefined);
    if (within?.fields === undefined) return [];
    const { fields: inner } = within;
    return objectsIn(pack, property.value).flatMap((nestedObject) => [
      { auth, object: nestedObject, fields: inner, within },
      ...nested(pack, auth, nestedObject, inner),
    ]);
  });
}

/** Returns the object that a value is, or the objects of its array. */
export function objectsIn(pack: PackModel, value: Expression): readonly ObjectValue[] {
  const resolved = pack.resolve(value);
  if (resolved.kind === "object") return [resolved];
  return resolved.kind === "array" ? resolved.items.map(pack.resolve).filter((item): item is ObjectValue => item.kind === "object") : [];
}
