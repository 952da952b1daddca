// Looks up providers by host, and the facts of their pages that configurations, rules and diagnoses need. A missing page or fact means that
// nothing is known.
import { getOrInsert } from "../base/get-or-insert.ts";
import type { Demand, OAuth2Facts, ProviderFacts, RefreshFacts } from "./provider-page.ts";
import { PROVIDER_LINES, UNVERIFIED_LINES } from "./provider-pages.ts";

interface Entry {
  readonly id: string;
  readonly domains: readonly string[];
  readonly isOffered: boolean;
  page(): ProviderFacts;
}

let loadedEntries: readonly Entry[] | undefined;

/** Splits the lines on first use, and parses a page when it is needed: both take a noticeable part of a check. */
function entries(): readonly Entry[] {
  loadedEntries ??= [PROVIDER_LINES, UNVERIFIED_LINES].flatMap((lines, index) =>
    lines.split("\n").map((line) => {
      const [id = "", domains = "", json = ""] = line.split("\t");
      let parsed: ProviderFacts | undefined;
      return {
        id,
        domains: domains.split(" "),
        isOffered: index === 0,
        page(): ProviderFacts {
          parsed ??= JSON.parse(json) as ProviderFacts;
          return parsed;
        },
      };
    }),
  );
  return loadedEntries;
}

/** Returns the pages that rest on something that was read. Those whose addresses are only in tables of other projects are recognised, and not offered. */
export const providerPages = (): readonly ProviderFacts[] => entries().flatMap((entry) => (entry.isOffered ? [entry.page()] : []));

/** The placeholder in a page's URL for a subdomain or host that differs between accounts. */
export const SUBDOMAIN_SLOT = "[subdomain]";

export interface OAuth2Provider extends ProviderFacts {
  readonly oauth2: OAuth2Facts;
}

const isOAuth2Provider = (page: ProviderFacts): page is OAuth2Provider => page.oauth2 !== undefined;

export const oauth2Providers = (): readonly OAuth2Provider[] => providerPages().filter(isOAuth2Provider);

export const providerById = (id: string): ProviderFacts | undefined =>
  entries()
    .find((entry) => entry.id === id && entry.isOffered)
    ?.page();

/** Filled on first use, as most packs have no authorization URL. */
let byDomain: ReadonlyMap<string, readonly Entry[]> | undefined;

function entriesByDomain(): ReadonlyMap<string, readonly Entry[]> {
  const map = new Map<string, Entry[]>();
  for (const entry of entries()) for (const domain of entry.domains) if (domain !== "") getOrInsert(map, domain, () => []).push(entry);
  return map;
}

/** Returns the providers whose domains contain the host (in lower case, without a port); several if they share a domain. */
export function providersOfHost(host: string): readonly ProviderFacts[] {
  const domainsAbove = host.split(".").map((_, start, labels) => labels.slice(start).join("."));
  byDomain ??= entriesByDomain();
  const matching = new Set(domainsAbove.flatMap((domain) => byDomain?.get(domain) ?? []));
  return (matching.size < 2 ? [...matching] : entries().filter((entry) => matching.has(entry))).map((entry) => entry.page());
}

export const oauth2ProvidersOfHost = (host: string): readonly OAuth2Provider[] => providersOfHost(host).filter(isOAuth2Provider);

/** Returns whether an authorization URL of one provider may belong with a token URL of the other: one company, or a shared sign-in. */
export const areOfOneHouse = (one: ProviderFacts, other: ProviderFacts): boolean =>
  one.id === other.id || one.sameHouse.includes(other.id) || other.sameHouse.includes(one.id);

/** Returns the providers whose authorization page is at this host (in lower case) and URL. */
const providersAt = (host: string, url: string): readonly OAuth2Provider[] =>
  oauth2ProvidersOfHost(host).filter(
    (page) =>
      (page.oauth2.path === undefined || url.includes(page.oauth2.path)) &&
      page.oauth2.hosts?.some((pattern) => (pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern)),
  );

/** Returns the words that demand the fact. A diagnostic, or a refusal of the sandbox, rests on nothing less. */
export const demandOf = ({ demands }: ProviderFacts, fact: string): Demand | undefined => demands[fact];

/** The parts of an OAuth2 configuration that tell which provider it is for. */
export interface ProviderAddress {
  readonly authorizationUrl?: string;
  /** The domain of the account's endpoint, to which root-relative URLs belong. */
  readonly endpointDomain?: string;
}

/** Returns the provider that the configuration signs in at, or undefined if no page or several fit. */
export function providerOf({ authorizationUrl = "", endpointDomain }: ProviderAddress): OAuth2Provider | undefined {
  const isRelative = authorizationUrl.startsWith("/") && endpointDomain !== undefined;
  const url = isRelative ? `https://account.${endpointDomain}${authorizationUrl}` : authorizationUrl;
  const host = /^https?:\/\/([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase();
  const [page, ...otherPages] = host === undefined ? [] : providersAt(host, url);
  return otherPages.length > 0 ? undefined : page;
}

/** The fields of a configuration whose values a documentation may demand, and the scopes that a delimiter joins. */
export interface DemandedFields {
  readonly additionalParams?: Readonly<Record<string, unknown>>;
  readonly scopeDelimiter?: string;
  readonly tokenPrefix?: string;
  readonly useProofKeyForCodeExchange?: boolean;
  readonly scopes?: readonly unknown[];
}

export interface UnmetDemand extends Demand {
  readonly field: Exclude<keyof DemandedFields, "scopes">;
  readonly value: string | boolean | Readonly<Record<string, string>>;
  /** The value, as a sentence that says to write it. */
  readonly change: string;
}

/** Returns what the provider's documentation demands, and the configuration does not have. */
export function unmetDemands(page: OAuth2Provider, configuration: DemandedFields): readonly UnmetDemand[] {
  const { pkce, scopeDelimiter = " ", tokenPrefix = "Bearer", additionalParams = {} } = page.oauth2;
  const words = demandOf(page, "oauth2.additionalParams")?.words ?? "";
  const isSingle = Object.keys(additionalParams).length === 1;
  const params = Object.entries(additionalParams).filter(
    ([name]) => configuration.additionalParams?.[name] === undefined && (isSingle || words.includes(name)),
  );
  const unmet = (fact: keyof OAuth2Facts, field: UnmetDemand["field"], value: UnmetDemand["value"], isMet: boolean) => {
    const demand = isMet ? undefined : demandOf(page, `oauth2.${fact}`);
    const change =
      typeof value === "object"
        ? `Set ${Object.entries(value)
            .map((param) => param.join("="))
            .join(" and ")} in ${field}.`
        : `Set ${field}: ${JSON.stringify(value)}.`;
    return demand === undefined ? [] : [{ ...demand, field, value, change }];
  };
  // Providers whose documentation has the standard's space often read a comma too.
  const mayHaveAny = (configuration.scopes?.length ?? 0) < 2 || scopeDelimiter === " ";
  return [
    ...unmet("pkce", "useProofKeyForCodeExchange", true, pkce !== "required" || configuration.useProofKeyForCodeExchange === true),
    ...unmet("additionalParams", "additionalParams", Object.fromEntries(params), params.length === 0),
    ...unmet("scopeDelimiter", "scopeDelimiter", scopeDelimiter, mayHaveAny || (configuration.scopeDelimiter ?? " ") === scopeDelimiter),
    ...unmet("tokenPrefix", "tokenPrefix", tokenPrefix, (configuration.tokenPrefix ?? "Bearer") === tokenPrefix),
  ];
}

/**
 * The parameters or scopes that a provider requires before it issues a refresh token. Without a refresh token, every user must sign in
 * again when the access token expires.
 */
export interface RefreshTokenAsk extends RefreshFacts {
  readonly title: string;
  /** The provider's own documentation. */
  readonly source: string;
}

/** Returns what the provider's documentation demands for a refresh token, or undefined if that is not known. */
export function refreshTokenAsk(address: ProviderAddress): RefreshTokenAsk | undefined {
  const page = providerOf(address);
  const { params, scopes, allByDefault } = page?.oauth2.refresh ?? {};
  if (page === undefined) return undefined;
  const demands = { params: demandOf(page, "oauth2.refresh.params"), scopes: demandOf(page, "oauth2.refresh.scopes") };
  const source = (demands.params ?? demands.scopes)?.source;
  if (source === undefined) return undefined;
  return {
    title: page.title,
    source,
    ...(params !== undefined && demands.params !== undefined && { params }),
    ...(scopes !== undefined && demands.scopes !== undefined && { scopes }),
    ...(allByDefault !== undefined && { allByDefault }),
  };
}

/** Returns the headers of the request that names the user. */
export function userHeaders({ api }: ProviderFacts): Readonly<Record<string, string>> {
  const { headers = {}, userBody } = api ?? {};
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return userBody?.trimStart().startsWith("{") && !isTyped ? { ...headers, "Content-Type": "application/json" } : headers;
}

/** Returns whether the scope was granted, in any of its spellings. No provider has two scopes that differ only in case. */
export function isScopeGranted(scope: string, grantedScopes: readonly string[]): boolean {
  const requestedScope = canonicalScope(scope);
  return grantedScopes.some((name) => canonicalScope(name) === requestedScope);
}

let spellings: readonly OAuth2Provider[] | undefined;

function canonicalScope(scope: string): string {
  const lower = scope.toLowerCase();
  // The names are specific to their providers, so no host needs to be compared.
  spellings ??= oauth2Providers().filter(({ oauth2 }) => oauth2.scopeNames !== undefined || oauth2.scopePrefix !== undefined);
  for (const { oauth2 } of spellings) {
    const { scopeNames = {}, scopePrefix } = oauth2;
    if (scopePrefix !== undefined && lower.startsWith(scopePrefix)) return lower.slice(scopePrefix.length);
    if (Object.hasOwn(scopeNames, lower)) return scopeNames[lower] ?? lower;
  }
  return lower;
}
