// The configuration for a provider with a page: its URLs, its requirements for a refresh token, its API's domain, and a connection
// name. The domain is declared too if it is not yet.

import { type OAuth2Provider, SUBDOMAIN_SLOT, userHeaders } from "../../../../spec/providers.ts";
import { isUnder } from "../../domains/hosts.ts";
import { hostOf } from "../../domains/url-value.ts";
import type { TextEdit } from "../../model/findings.ts";
import type { PackModel } from "../../model/pack.ts";
import { insertStatementBefore } from "../../text/edit.ts";
import type { Frame } from "../cursor.ts";
import { declaredDomains } from "./field-values.ts";
import { connectionNameFrom } from "./functions.ts";
import { blank, choice, literally } from "./snippet.ts";

interface ProviderConfiguration {
  /** Snippets of all members except the type. */
  readonly members: readonly string[];
  readonly also: readonly TextEdit[];
}

export function providerConfiguration(pack: PackModel, file: string, provider: OAuth2Provider, setter: Frame): ProviderConfiguration {
  const { authorizationUrl, tokenUrl, scopeDelimiter, pkce, additionalParams = {}, refresh: ask } = provider.oauth2;
  const [refreshScope] = ask?.allByDefault ? [] : (ask?.scopes ?? []);
  const params = [...Object.entries(additionalParams), ...(ask?.params ?? []).map(({ name, value }): [string, string] => [name, value])];
  const members = [
    `authorizationUrl: "${slotted(authorizationUrl)}"`,
    `tokenUrl: "${slotted(tokenUrl)}"`,
    `scopes: [${refreshScope === undefined ? "" : `"${literally(refreshScope)}"`}${blank(2)}]`,
  ];
  if (scopeDelimiter !== undefined && scopeDelimiter !== " ") members.push(`scopeDelimiter: "${scopeDelimiter}"`);
  for (const name of ["scopeParamName", "nestedResponseKey", "tokenPrefix", "tokenQueryParam"] as const) {
    const value = provider.oauth2[name];
    if (value !== undefined) members.push(`${name}: "${literally(value)}"`);
  }
  if (pkce === "required") members.push("useProofKeyForCodeExchange: true");
  if (params.length > 0)
    members.push(`additionalParams: { ${params.map(([name, value]) => `${name}: "${literally(value)}"`).join(", ")} ${literally("}")}`);
  const declared = declaredDomains(pack);
  const api = apiDomain(provider);
  const coveringDomain = api === undefined ? undefined : declared.find((domain) => isUnder(api, domain));
  const also = coveringDomain === undefined && api !== undefined ? declaring(pack, file, setter, api) : [];
  // A request to a domain that is not and cannot be declared would be refused.
  const domain = coveringDomain ?? (also.length > 0 ? api : undefined);
  if (domain !== undefined && declared.length + also.length > 1) members.push(`networkDomain: "${literally(domain)}"`);
  else if (declared.length > 1) members.push(`networkDomain: "${choice(3, declared)}"`);
  if (domain !== undefined) members.push(`getConnectionName: ${connectionNameOf(provider, domain)}`);
  return { members, also };
}

/** A URL whose whole host differs between accounts has no domain to declare. */
const userUrlOf = ({ api }: OAuth2Provider): string | undefined =>
  api?.userUrl?.startsWith(`https://${SUBDOMAIN_SLOT}/`) ? undefined : api?.userUrl;

function connectionNameOf(provider: OAuth2Provider, domain: string): string {
  const { userName = "name", userMethod, userBody } = provider.api ?? {};
  const url = userUrlOf(provider);
  if (url === undefined) return connectionNameFrom(`https://${domain}/${blank(4, "me")}`, ["name"], 5);
  const fields = Object.entries(userHeaders(provider)).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const lines = [
    ...(fields.length === 0 ? [] : [literally(`    headers: { ${fields.join(", ")} },`)]),
    ...(userBody === undefined ? [] : [literally(`    body: ${JSON.stringify(userBody)},`)]),
  ];
  return connectionNameFrom(slotted(url), userName.split("."), 5, userMethod, lines);
}

/** Returns the host of the API, as far as all accounts share it, else the domain of the token URL. */
function apiDomain(provider: OAuth2Provider): string | undefined {
  const url = userUrlOf(provider) ?? provider.api?.url;
  const host = hostOf((url ?? provider.oauth2.tokenUrl).replace(`${SUBDOMAIN_SLOT}.`, ""));
  return url === undefined && host !== undefined ? provider.domains.find((domain) => isUnder(host, domain)) : host;
}

/** Declares the domain on the line before the setter, if the setter begins its line and is called on a plain name. */
function declaring(pack: PackModel, file: string, { start, callee = "" }: Frame, domain: string): readonly TextEdit[] {
  const receiver = /^([\w$]+)\.[\w$]+$/.exec(callee)?.[1];
  const at = start - callee.length;
  const text = pack.text(file);
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  if (receiver === undefined || before.trim() !== "" || text.slice(at, start) !== callee) return [];
  return [insertStatementBefore(pack, { file, start: at, end: start }, `${receiver}.addNetworkDomain(${JSON.stringify(domain)});`)];
}

/** Replaces the placeholder for the account's subdomain by a tab stop. */
export const slotted = (url: string): string => url.split(SUBDOMAIN_SLOT).map(literally).join(blank(1, "subdomain"));
