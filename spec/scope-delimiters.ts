// The delimiter that a provider's documentation demands between scopes, where it is not the standard's space.
import { providersOfHost } from "./providers.ts";

interface DelimiterFact {
  /** The host of authorizationUrl; `*.` matches any subdomain. */
  readonly host: string;
  readonly delimiter: "," | ";";
  /** What was read. */
  readonly source: string;
}

const FACTS: readonly DelimiterFact[] = [
  {
    host: "www.strava.com",
    delimiter: ",",
    source: "hexdocs.pm/strava, Strava.Auth: “Requested scopes, as a comma delimited string”, after Strava's own page",
  },
  {
    host: "*.myshopify.com",
    delimiter: ",",
    source: "github.com/Shopify/omniauth-shopify-oauth2, wiki “Shopify OAuth”: “Comma separated list of scopes”",
  },
];

/** Returns the delimiter that the provider at this host documents, or undefined if it is not known. */
export function scopeDelimiterOf(host: string): "," | ";" | " " | undefined {
  const fact = FACTS.find((each) => (each.host.startsWith("*.") ? host.endsWith(each.host.slice(1)) : host === each.host));
  if (fact !== undefined) return fact.delimiter;
  const delimiters = new Set(providersOfHost(host).flatMap(({ scopeDelimiter }) => scopeDelimiter ?? []));
  return delimiters.size === 1 ? [...delimiters][0] : undefined;
}
