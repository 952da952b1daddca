// The fields of a configuration that each fact depends on. A fact is outdated once one of its fields has changed.
import { PLACEMENT_NAMES } from "./credential-placement.ts";

const OF_REQUESTS = ["type", ...PLACEMENT_NAMES];

/** By code (protocol/evidence.ts). A fact about a line of code depends on that line instead. */
const JUDGED_FIELDS = {
  "no-refresh-token": ["type", "authorizationUrl", "tokenUrl", "scopes", "additionalParams"],
  "client-authentication": ["type", "tokenUrl", "credentialsLocation"],
  "nested-token": ["type", "tokenUrl", "nestedResponseKey"],
  "endpoint-in-token": ["type", "tokenUrl", "endpointKey", "requiresEndpointUrl"],
  "scopes-differ": ["type", "authorizationUrl", "tokenUrl", "scopes", "scopeDelimiter", "scopeParamName"],
  pkce: ["type", "authorizationUrl", "useProofKeyForCodeExchange", "pkceChallengeMethod"],
  "token-prefix": OF_REQUESTS,
  "token-in-query": OF_REQUESTS,
  "header-name": OF_REQUESTS,
  "url-moved": ["type", "tokenUrl"],
  "authorization-moved": ["type", "authorizationUrl"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ConfigurationCode = keyof typeof JUDGED_FIELDS;

export const isConfigurationCode = (code: string): code is ConfigurationCode => Object.hasOwn(JUDGED_FIELDS, code);

/**
 * Returns the part of the configuration that a fact depends on. `of` returns a field's value as plain data, or undefined if the field is
 * absent.
 */
export function judgedBy(code: ConfigurationCode, of: (field: string) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    JUDGED_FIELDS[code].map((field) => [field, field === "headers" || field === "params" ? namesOf(of(field)) : of(field)]),
  );
}

/** Only the name and the prefix of a header or parameter affect requests. */
const namesOf = (entries: unknown): unknown =>
  Array.isArray(entries)
    ? entries.map((entry: { readonly name?: unknown; readonly tokenPrefix?: unknown } | null) => [entry?.name, entry?.tokenPrefix])
    : entries;
