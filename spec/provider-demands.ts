// What a provider's documentation demands of an authorization request beyond the standard. Each fact names the source that was read.
import { providersOfHost } from "./providers.ts";

export interface ProviderDemand {
  readonly title: string;
  /** The hosts of authorizationUrl; `*.` matches any subdomain. */
  readonly hosts: readonly string[];
  /** The delimiter between scopes, if it is not the standard's space. */
  readonly scopeDelimiter?: "," | ";";
  /** Whether the provider takes no sign-in without PKCE (RFC 7636). */
  readonly demandsPkce?: boolean;
  /** What was read. */
  readonly source: string;
}

const DEMANDS: readonly ProviderDemand[] = [
  {
    title: "Strava",
    hosts: ["www.strava.com"],
    scopeDelimiter: ",",
    source: "hexdocs.pm/strava, Strava.Auth: “Requested scopes, as a comma delimited string”, after Strava's own page",
  },
  {
    title: "Shopify",
    hosts: ["*.myshopify.com"],
    scopeDelimiter: ",",
    source: "github.com/Shopify/omniauth-shopify-oauth2, wiki “Shopify OAuth”: “Comma separated list of scopes”",
  },
  {
    title: "X",
    hosts: ["twitter.com", "x.com"],
    demandsPkce: true,
    source: "developer.x.com/en/docs/authentication/oauth-2-0/user-context: the only flow is the “Authorization Code Flow with PKCE”",
  },
];

/** Returns the demands of the provider whose authorization page is at this host (in lower case), or undefined if none are known. */
export const providerDemand = (host: string): ProviderDemand | undefined =>
  DEMANDS.find(({ hosts }) => hosts.some((pattern) => (pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern)));

/** Returns the delimiter that the provider at this host documents, or undefined if it is not known. */
export function scopeDelimiterOf(host: string): "," | ";" | " " | undefined {
  const demanded = providerDemand(host)?.scopeDelimiter;
  if (demanded !== undefined) return demanded;
  const delimiters = new Set(providersOfHost(host).flatMap(({ scopeDelimiter }) => scopeDelimiter ?? []));
  return delimiters.size === 1 ? [...delimiters][0] : undefined;
}
