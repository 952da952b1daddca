// The places where a configuration puts its credential, as far as the source determines them.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { typesWithField } from "../../../spec/auth-types.ts";
import { type CredentialPlace, credentialPlaces, type PlacementFields } from "../../../spec/credential-placement.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression, ObjectValue } from "../model/values.ts";
import { fieldValue, propertyOf, type ResolvedAuth, valueIn } from "./config.ts";
import { objectsIn } from "./configuration-objects.ts";

/** Returns the places. A name that is not set, and a name or prefix that cannot be read, is shown as its field's name in angle brackets. */
export function placesIn(pack: PackModel, auth: AuthConfig): readonly CredentialPlace[] {
  const name = (field: string, value: Expression | undefined): string =>
    value?.kind === "string" && value.value.trim() !== "" ? value.value : `<${field}>`;
  const named = (field: "headerName" | "paramName" | "tokenQueryParam"): string | undefined => {
    const value = fieldValue(pack, auth, field);
    return value === undefined && field === "tokenQueryParam" ? undefined : name(field, value);
  };
  const prefixOf = (value: Expression | undefined): string | undefined =>
    value === undefined || value.kind === "string" ? value?.value : "<tokenPrefix>";
  const items = (field: "headers" | "params") => {
    const list = propertyOf(auth.config, field);
    const read = (list === undefined ? [] : objectsIn(pack, list.value)).map((entry) => ({
      name: name("name", valueIn(pack, entry, "name")),
      tokenPrefix: prefixOf(valueIn(pack, entry, "tokenPrefix")),
    }));
    return read.length > 0 ? read : [{ name: "<name>" }];
  };
  const fields: Required<PlacementFields> = {
    headerName: named("headerName"),
    tokenPrefix: prefixOf(fieldValue(pack, auth, "tokenPrefix")),
    tokenQueryParam: named("tokenQueryParam"),
    paramName: named("paramName"),
    headers: items("headers"),
    params: items("params"),
  };
  return auth.type === undefined ? [] : credentialPlaces(auth.type, fields);
}

/** Whether users enter values for headers that the configuration names. */
export const namesHeaders = ({ type }: ResolvedAuth): boolean =>
  [HEADERS.one, HEADERS.several].some((field) => typesWithField(field).includes(type));

const HEADERS = { one: "headerName", several: "headers" };
const PARAMS = { one: "paramName", several: "params" };

/** A value that names what users are asked for, and the object that contains it. */
export interface CredentialName {
  readonly nameValue: Expression;
  readonly object: ObjectValue;
}

/** Returns the names of headers, of URL parameters, or of params. */
export function readCredentialNames(pack: PackModel, auth: ResolvedAuth): readonly CredentialName[] {
  const { one, several } = namesHeaders(auth) ? HEADERS : PARAMS;
  const own = typesWithField(one).includes(auth.type) ? propertyOf(auth.config, one) : undefined;
  if (own !== undefined) return [{ nameValue: own.value, object: auth.config }];
  const list = typesWithField(several).includes(auth.type) ? fieldValue(pack, auth, several) : undefined;
  if (list?.kind !== "array") return [];
  return list.items.flatMap((item) => {
    const object = pack.resolve(item);
    const nameValue = object.kind === "object" ? propertyOf(object, "name")?.value : undefined;
    return object.kind === "object" && nameValue !== undefined ? [{ nameValue, object }] : [];
  });
}

export const namesIn = (pack: PackModel, auth: ResolvedAuth): readonly Expression[] =>
  readCredentialNames(pack, auth).map(({ nameValue }) => nameValue);

/** The headers and parameters that carry the account's credentials. */
export interface Carriers {
  /** In lower case. */
  readonly headers: readonly string[];
  readonly params: readonly string[];
}

/** Returns the carriers, without those that cannot be read. */
export const carriersOf = (pack: PackModel, auth: ResolvedAuth): Carriers =>
  getOrInsert(pack.memo(pack, newCarriers), auth, () => readCarriers(pack, auth));
const newCarriers = (): Map<ResolvedAuth, Carriers> => new Map();

function readCarriers(pack: PackModel, auth: ResolvedAuth): Carriers {
  const placements = placesIn(pack, auth).flatMap(({ in: where, name }) =>
    name === undefined || name.startsWith("<") ? [] : [{ where, name }],
  );
  const names = (kind: string): readonly string[] => placements.flatMap(({ where, name }) => (where === kind ? [name] : []));
  return { headers: names("header").map((name) => name.toLowerCase()), params: names("query") };
}
