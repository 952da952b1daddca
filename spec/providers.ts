// Looks up providers by host, and the facts of their pages that configurations, rules and diagnoses need. A missing page or fact means that
// nothing is known.
import { getOrInsert } from "../base/get-or-insert.ts";
import type { FactSource, OAuth2Facts, ProviderPage, RefreshFacts } from "./provider-page.ts";
import { PROVIDER_LINES } from "./provider-pages.ts";

interface Entry {
  readonly id: string;
  readonly domains: readonly string[];
  page(): ProviderPage;
}

let loadedEntries: readonly Entry[] | undefined;

/** Splits the lines on first use, and parses a page when it is needed: both take a noticeable part of a check. */
function entries(): readonly Entry[] {
  loadedEntries ??= PROVIDER_LINES.split("\n").map((line) => {
    const [id = "", domains = "", json = ""] = line.split("\t");
    let parsed: ProviderPage | undefined;
    return {
      id,
      domains: domains.split(" "),
      page(): ProviderPage {
        parsed ??= JSON.parse(json) as ProviderPage;
        return parsed;
      },
    };
  });
  return loadedEntries;
}

export const providerPages = (): readonly ProviderPage[] => entries().map((entry) => entry.page());

/** The placeholder in a page's URL for a subdomain or host that differs between accounts. */
export const SUBDOMAIN_SLOT = "[subdomain]";

export interface OAuth2Provider extends ProviderPage {
  readonly oauth2: OAuth2Facts;
}

const isOAuth2Provider = (page: ProviderPage): page is OAuth2Provider => page.oauth2 !== undefined;

export const oauth2Providers = (): readonly OAuth2Provider[] => providerPages().filter(isOAuth2Provider);

export const providerById = (id: string): ProviderPage | undefined =>
  entries()
    .find((entry) => entry.id === id)
    ?.page();

/** Filled on first use, as most packs have no authorization URL. */
let byDomain: ReadonlyMap<string, readonly Entry[]> | undefined;

function entriesByDomain(): ReadonlyMap<string, readonly Entry[]> {
  const map = new Map<string, Entry[]>();
  for (const entry of entries()) for (const domain of entry.domains) if (domain !== "") getOrInsert(map, domain, () => []).push(entry);
  return map;
}

/** Returns the providers whose domains contain the host (in lower case, without a port); several if they share a domain. */
export function providersOfHost(host: string): readonly ProviderPage[] {
  const domainsAbove = host.split(".").map((_, start, labels) => labels.slice(start).join("."));
  byDomain ??= entriesByDomain();
  const matching = new Set(domainsAbove.flatMap((domain) => byDomain?.get(domain) ?? []));
  return (matching.size < 2 ? [...matching] : entries().filter((entry) => matching.has(entry))).map((entry) => entry.page());
}

export const oauth2ProvidersOfHost = (host: string): readonly OAuth2Provider[] => providersOfHost(host).filter(isOAuth2Provider);

/** Returns whether an authorization URL of one provider may belong with a token URL of the other: one company, or a shared sign-in. */
export const areOfOneHouse = (one: ProviderPage, other: ProviderPage): boolean =>
  one.id === other.id || one.sameHouse.includes(other.id) || other.sameHouse.includes(one.id);

/** Returns the providers whose authorization page is at this host (in lower case) and URL. */
const providersAt = (host: string, url: string): readonly OAuth2Provider[] =>
  oauth2ProvidersOfHost(host).filter(
    (page) =>
      (page.oauth2.path === undefined || url.includes(page.oauth2.path)) &&
      authorizationHosts(page).some((pattern) => (pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern)),
  );

function authorizationHosts({ oauth2: { hosts, authorizationUrl }, disagreements }: OAuth2Provider): readonly string[] {
  if (hosts !== undefined) return hosts;
  const otherUrls = disagreements.flatMap(({ fact, value }) => (fact === "oauth2.authorizationUrl" ? [value] : []));
  return [authorizationUrl, ...otherUrls].flatMap((url) => /^https:\/\/([^/]+)/.exec(url.replace(`${SUBDOMAIN_SLOT}.`, "*."))?.[1] ?? []);
}

/** Returns the sources of a page's fact: the ones that a diagnostic may rest on first, which are no tables of other packages. */
export const sourcesOfFact = ({ sources, sourcesOf }: ProviderPage, fact: string): ProviderPage["sources"] =>
  (sourcesOf[fact] ?? [])
    .flatMap((index) => sources[index] ?? [])
    .toSorted((a, b) => Number(a.licence !== undefined) - Number(b.licence !== undefined));

/** Returns the address of what was read, or the text itself if it has none. */
export function sourceAddress({ read }: FactSource): string {
  const [, address] = /^(https:\S+)/.exec(read) ?? [];
  const [, repository, commit, path] = /^(?:github )?([\w.-]+\/[\w.-]+)@(\w+) ([^\s,]+)/.exec(read) ?? [];
  const [, name, version] = /^npm (\S+)@(\S+)/.exec(read) ?? [];
  if (repository !== undefined) return `https://github.com/${repository}/blob/${commit}/${path}`;
  return address ?? (name === undefined ? read : `https://www.npmjs.com/package/${name}/v/${version}`);
}

const firstAddress = (page: ProviderPage, fact: string): string => sourcesOfFact(page, fact).map(sourceAddress)[0] ?? "";

const isDisputed = ({ disagreements }: ProviderPage, fact: string): boolean => disagreements.some((item) => item.fact === fact);

/** Returns whether a diagnostic, or the sandbox, may rest on the fact: a documentation says it, not only tables, and no source says otherwise. */
export const isCertain = (page: ProviderPage, fact: string): boolean =>
  sourcesOfFact(page, fact).some(({ licence }) => licence === undefined) && !isDisputed(page, fact);

/**
 * The parameters or scopes that a provider requires before it issues a refresh token. Without a refresh token, every user must sign in
 * again when the access token expires.
 */
export interface RefreshTokenAsk extends RefreshFacts {
  readonly title: string;
  /** The provider's own documentation. */
  readonly source: string;
}

/** Returns the requirements of the provider at this authorization URL (host in lower case), or undefined if none are known. */
export function refreshTokenAsk(host: string, url: string): RefreshTokenAsk | undefined {
  const asks = providersAt(host, url).flatMap((page): readonly RefreshTokenAsk[] => {
    const { params, scopes } = page.oauth2.refresh ?? {};
    const fact = `oauth2.refresh.${params === undefined ? "scopes" : "params"}`;
    if ((params === undefined && scopes === undefined) || !isCertain(page, fact)) return [];
    return [{ ...page.oauth2.refresh, title: page.title, source: firstAddress(page, fact) }];
  });
  return asks.length === 1 ? asks[0] : undefined;
}

/** What a provider demands of an authorization request beyond the standard. */
interface ProviderDemand {
  readonly title: string;
  /** The delimiter between scopes, if it is not the standard's space. */
  readonly scopeDelimiter?: "," | ";";
  /** Whether the provider takes no sign-in without PKCE (RFC 7636). */
  readonly demandsPkce?: boolean;
}

/** Returns the demands of the provider at this authorization URL (host in lower case), or undefined if none are known. */
export function providerDemand(host: string, url: string): ProviderDemand | undefined {
  const [page, ...otherPages] = providersAt(host, url);
  if (page === undefined || otherPages.length > 0) return undefined;
  const { scopeDelimiter, pkce } = page.oauth2;
  return {
    title: page.title,
    ...(scopeDelimiter !== undefined && scopeDelimiter !== " " && isCertain(page, "oauth2.scopeDelimiter") && { scopeDelimiter }),
    ...(pkce === "required" && isCertain(page, "oauth2.pkce") && { demandsPkce: true }),
  };
}

/** Returns the delimiter that the provider at this host uses, or undefined if it is not known. */
export function scopeDelimiterOf(host: string): "," | ";" | " " | undefined {
  const pages = oauth2ProvidersOfHost(host).filter(({ oauth2 }) => oauth2.scopeDelimiter !== undefined);
  const delimiters = new Set(pages.map(({ oauth2 }) => oauth2.scopeDelimiter));
  return delimiters.size === 1 && !pages.some((page) => isDisputed(page, "oauth2.scopeDelimiter")) ? [...delimiters][0] : undefined;
}

/** Returns the headers of the request that names the user. */
export function userHeaders({ api }: ProviderPage): Readonly<Record<string, string>> {
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

/** A verification that a provider demands before other people can sign in. */
export interface ProviderVerification {
  readonly title: string;
  /** A sentence of the provider's page. */
  readonly text: string;
  readonly source: string;
}

/** Returns what the provider at this authorization URL (host in lower case) demands, or undefined if that is not known. */
export function verificationOf(host: string, url: string): ProviderVerification | undefined {
  const [page, ...otherPages] = providersAt(host, url);
  if (page?.verification === undefined || otherPages.length > 0 || isDisputed(page, "verification")) return undefined;
  return { title: page.title, text: page.verification, source: firstAddress(page, "verification") };
}
