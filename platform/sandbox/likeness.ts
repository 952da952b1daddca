// What the sandbox's provider does as the real one does it, from the provider's page: the shape of its token response, its delimiter, its
// parameters for a refresh token, PKCE and the lifetime of tokens. A pack whose configuration differs from the page fails here as it would
// fail there. Whatever the page does not say follows the pack's configuration.
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { OAuth2Facts, ProviderFacts, RefreshFacts } from "../../spec/provider-page.ts";
import { isDocumented, wholePage } from "../../spec/provider-readings.ts";
import { demandOf, providerPages, SUBDOMAIN_SLOT } from "../../spec/providers.ts";
import { withoutEndSlashes } from "../network/endpoint.ts";

export interface Likeness {
  /** The title of the provider's page; undefined if no page has the configuration's token URL. */
  readonly title?: string;
  /** The configuration that the provider's own behaviour fits. */
  readonly auth: AuthenticationDefinition;
  /** Whether scopes are read as the provider reads them: its delimiter alone separates them. */
  readonly hasDelimiter: boolean;
  readonly refusesPkce: boolean;
  /** What a sign-in needs to get a refresh token. */
  readonly refresh?: RefreshFacts;
  /** Seconds. */
  readonly tokenLifetime?: number;
}

/** `endpoint`: the account's endpoint, before relative URLs. */
export function likenessOf(auth: AuthenticationDefinition, endpoint: string | undefined): Likeness {
  const page = pageOf(auth, endpoint);
  const facts = page?.oauth2;
  if (page === undefined || facts === undefined) return { auth, hasDelimiter: false, refusesPkce: false };
  const demanded = <Name extends keyof OAuth2Facts>(name: Name): OAuth2Facts[Name] | undefined =>
    demandOf(page, `oauth2.${name}`) === undefined ? undefined : facts[name];
  const readings = wholePage(page);
  /** The form of an answer refuses nothing, so a documentation that shows it is enough. */
  const documented = <Name extends keyof OAuth2Facts>(name: Name): OAuth2Facts[Name] | undefined =>
    isDocumented(readings, `oauth2.${name}`) ? facts[name] : undefined;
  const [scopeDelimiter, pkce] = [demanded("scopeDelimiter"), demanded("pkce")];
  const [scopeParamName, nestedResponseKey, endpointKey] = [
    documented("scopeParamName"),
    documented("nestedResponseKey"),
    documented("endpointKey"),
  ];
  const tokenLifetime = documented("tokenLifetime");
  // A token in an object belongs to the scopes of the provider's own parameter: Slack returns another token for `scope`.
  const isNested = nestedResponseKey !== undefined && (scopeParamName === undefined || scopeParamName === auth.scopeParamName);
  return {
    title: page.title,
    auth: {
      ...auth,
      ...defined({
        scopeDelimiter,
        nestedResponseKey: isNested ? nestedResponseKey : undefined,
        endpointKey,
        useProofKeyForCodeExchange: pkce === "required" ? true : undefined,
      }),
    },
    hasDelimiter: scopeDelimiter !== undefined,
    refusesPkce: pkce === "refused",
    ...defined({ refresh: demandedRefresh(page), tokenLifetime: typeof tokenLifetime === "number" ? tokenLifetime : undefined }),
  };
}

function demandedRefresh(page: ProviderFacts): RefreshFacts | undefined {
  const { params, scopes, allByDefault } = page.oauth2?.refresh ?? {};
  const isDemanded = (fact: string, value: unknown): boolean =>
    value === undefined || demandOf(page, `oauth2.refresh.${fact}`) !== undefined;
  if ((params ?? scopes) === undefined || !isDemanded("params", params) || !isDemanded("scopes", scopes)) return undefined;
  return defined({ params, scopes, allByDefault });
}

/** Returns the only page with the configuration's token URL. */
function pageOf({ type, tokenUrl }: AuthenticationDefinition, endpoint: string | undefined): ProviderFacts | undefined {
  if (type !== "OAuth2" || tokenUrl === undefined) return undefined;
  const url = tokenUrl.startsWith("/") ? `${withoutEndSlashes(endpoint ?? "")}${tokenUrl}` : tokenUrl;
  const [page, ...morePages] = providerPages().filter(({ oauth2 }) => oauth2 !== undefined && isAt(oauth2.tokenUrl, url));
  return morePages.length === 0 ? page : undefined;
}

/** Whether the URL is that of the page, where a placeholder stands for the first label of a host. */
function isAt(pageUrl: string, url: string): boolean {
  const [before = "", after, ...more] = pageUrl.split(SUBDOMAIN_SLOT);
  if (after === undefined) return pageUrl === url;
  // A whole host as a placeholder, or one in the path, identifies no provider.
  if (before !== "https://" || !after.startsWith(".") || more.length > 0) return false;
  return url.startsWith(before) && url.endsWith(after) && /^[\w-]+$/.test(url.slice(before.length, -after.length));
}

/** Whether a sign-in with these parameters and scopes gets a refresh token. */
export function earnsRefreshToken(
  { params = [], scopes = [], allByDefault = false }: RefreshFacts,
  parameters: Readonly<Record<string, unknown>>,
  requestedScopes: readonly string[],
): boolean {
  const hasParams = params.every(
    ({ name, value, orParam }) =>
      (orParam !== undefined && parameters[orParam] !== undefined) ||
      String(parameters[name] ?? "")
        .split(" ")
        .includes(value),
  );
  const hasScope =
    scopes.length === 0 || (allByDefault && requestedScopes.length === 0) || scopes.some((scope) => requestedScopes.includes(scope));
  return hasParams && hasScope;
}
