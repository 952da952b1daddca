// Records the configuration that an account was created for, and finds later changes. Another provider or other scopes need a new sign-in;
// how a token is sent may change at any time and is not recorded.

import { createHash } from "node:crypto";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { type FieldWith, fieldsWith } from "../../spec/configuration-fields.ts";
import type { NamedCredential } from "../../spec/fields.ts";
import { covers } from "../network/url-policy.ts";

/** The value of each field: short values as in the configuration, larger ones as a hash. */
export type ConfigurationSnapshot = Readonly<Record<string, Recorded>>;

type Recorded = string | readonly string[];

export const snapshotOf = (auth: AuthenticationDefinition): ConfigurationSnapshot =>
  Object.fromEntries(
    ([...fieldsWith("identity"), "credentialDomains"] as const).flatMap((field) => {
      const value = auth[field];
      return value === undefined ? [] : [[field, recordedOf(value)]];
    }),
  );

/** Of headers and params only the names are recorded. */
function recordedOf(value: NonNullable<AuthenticationDefinition[FieldWith<"identity">]>): Recorded {
  if (typeof value === "string") return value;
  if (isList(value)) return value.map((item) => (typeof item === "string" ? item : item.name));
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

const isList = (value: unknown): value is readonly (string | NamedCredential)[] => Array.isArray(value);

/** Returns the changes, in words that follow "since the last sign-in"; undefined if there are none. */
export function changesSince(former: ConfigurationSnapshot, auth: AuthenticationDefinition): string | undefined {
  const now = snapshotOf(auth);
  if (former.type !== now.type) return `type is now ${auth.type}, and was ${String(former.type)}`;
  const fields = [...new Set([...Object.keys(former), ...Object.keys(now)])];
  const changes = fields.flatMap((field) => changeOf(field, former[field], now[field], auth) ?? []);
  return changes.length === 0 ? undefined : changes.join("; ");
}

type Value = Recorded | undefined;

/** Returns the texts that are not among the exclusions. */
const without = (texts: Value, exclusions: Value): readonly string[] =>
  [texts ?? []].flat().filter((text) => ![exclusions ?? []].flat().includes(text));

function changeOf(field: string, before: Value, after: Value, auth: AuthenticationDefinition): string | undefined {
  if (JSON.stringify(before ?? []) === JSON.stringify(after ?? [])) return undefined;
  if (field === "credentialDomains") return newDomains(before, after);
  if (Array.isArray(before ?? after)) {
    const added = without(after, before);
    const removedItems = without(before, after);
    // The order of scopes and names does not matter to a provider.
    if (added.length + removedItems.length === 0) return undefined;
    return `${field} changed (${[...added.map((item) => `+ ${item}`), ...removedItems.map((item) => `− ${item}`)].join(", ")})`;
  }
  if (after === undefined) return `${field} is gone`;
  // A hash tells a person nothing.
  return after === auth[field as FieldWith<"identity">] ? `${field} is now ${String(after)}` : `${field} changed`;
}

/** Returns a note about added domains, which get the credentials only after a new sign-in. A removed domain needs none. */
function newDomains(before: Value, after: Value): string | undefined {
  if (before === undefined) return undefined;
  const added = [after ?? []].flat().filter((domain) => ![before].flat().some((old) => covers(old, domain.toLowerCase())));
  return added.length === 0 ? undefined : `its credentials would now go to ${added.join(", ")} too`;
}
