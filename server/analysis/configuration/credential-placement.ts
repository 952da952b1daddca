// What of a request the platform fills in for a type of authentication: headers and parameters of the URL.

import type { PackModel } from "../model/pack.ts";
import { fieldValue, isAbsent, type KnownAuth, propertyOf } from "./config.ts";

export interface Carriers {
  /** In lower case. */
  readonly headers: readonly string[];
  readonly params: readonly string[];
}

const NONE: Carriers = { headers: [], params: [] };

/** What the account's credentials are put into; nothing where that cannot be read. */
export function carriersOf(pack: PackModel, auth: KnownAuth): Carriers {
  const text = (name: string): readonly string[] => {
    const value = fieldValue(pack, auth, name);
    return value?.kind === "string" && value.value !== "" ? [value.value] : [];
  };
  const names = (name: string): readonly string[] => {
    const list = fieldValue(pack, auth, name);
    if (list?.kind !== "array") return [];
    return list.items.flatMap((item) => {
      const entry = pack.resolve(item);
      const property = entry.kind === "object" ? propertyOf(entry, "name") : undefined;
      const value = property === undefined ? undefined : pack.resolve(property.value);
      return value?.kind === "string" ? [value.value] : [];
    });
  };
  const lower = (list: readonly string[]): readonly string[] => list.map((name) => name.toLowerCase());
  switch (auth.type) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
    case "WebBasic":
    case "AWSAccessKey":
    case "AWSAssumeRole":
    case "GoogleServiceAccount":
    case "GoogleDomainWideDelegation":
      return { headers: ["authorization"], params: [] };
    case "OAuth2":
    case "OAuth2ClientCredentials":
      if (isAbsent(pack, auth, "tokenQueryParam")) return { headers: ["authorization"], params: [] };
      return { headers: [], params: text("tokenQueryParam") };
    case "CustomHeaderToken":
      return { headers: lower(text("headerName")), params: [] };
    case "MultiHeaderToken":
      return { headers: lower(names("headers")), params: [] };
    case "QueryParamToken":
      return { headers: [], params: text("paramName") };
    case "MultiQueryParamToken":
      return { headers: [], params: names("params") };
    default:
      return NONE;
  }
}
