// The params of Custom authentications and the placeholders that stand for them, as places in the pack's files.

import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Property, Value } from "../model/values.ts";
import { fieldValue, propertyOf } from "./config.ts";

/** A declared param: where its entry says its name. */
export interface ParamFact {
  /** Undefined: the source does not tell. */
  readonly name?: string;
  /** The property `name` of its entry; undefined where the entry cannot be read. */
  readonly property?: Property;
  /** What the name comes down to: the literal, of a constant perhaps. */
  readonly value?: Value;
  readonly description?: string;
}

export function paramsOf(pack: PackModel, auth: AuthConfig): readonly ParamFact[] {
  const params = propertyOf(auth.config, "params");
  const list = params === undefined ? undefined : pack.resolve(params.value);
  if (list?.kind !== "array") return [];
  return list.items.map((item) => {
    const entry = pack.resolve(item);
    const text = (name: string): { property: Property; value: Value } | undefined => {
      const property = entry.kind === "object" ? propertyOf(entry, name) : undefined;
      return property === undefined ? undefined : { property, value: pack.resolve(property.value) };
    };
    const name = text("name");
    const description = text("description")?.value;
    return {
      ...(name === undefined ? {} : name),
      ...(name?.value.kind === "string" ? { name: name.value.value } : {}),
      ...(description?.kind === "string" && description.value !== "" ? { description: description.value } : {}),
    };
  });
}

export const customAuths = (pack: PackModel): readonly AuthConfig[] => pack.auths.filter((auth) => auth.type === "Custom");

/** The params of all Custom authentications of the pack. */
export const customParams = (pack: PackModel): readonly ParamFact[] => customAuths(pack).flatMap((auth) => paramsOf(pack, auth));

/** The names that are known and not blank, each once. */
export const paramNames = (pack: PackModel, auth: AuthConfig): readonly string[] => [
  ...new Set(paramsOf(pack, auth).flatMap(({ name }) => (name?.trim() ? name : []))),
];

/** The names of the params that the pack declares; undefined where it has another authentication, or one of the names cannot be read: it may be any. */
export const customParamNames = (pack: PackModel): ReadonlySet<string> | undefined => pack.memo(pack, declaredNames);

function declaredNames(pack: PackModel): ReadonlySet<string> | undefined {
  const customs = customAuths(pack);
  const lists = customs.map((auth) => fieldValue(pack, auth, "params"));
  const isAll = customs.length === pack.auths.length && lists.every((list) => list?.kind === "array" && !list.open);
  const names = customParams(pack).map(({ name }) => name);
  return isAll && customs.length > 0 && names.every((name) => name !== undefined) ? new Set(names) : undefined;
}
