// Reads the page of a provider: the facts of providers/, each with the source that says it.
import { defined } from "../../../base/defined.ts";
import type { Origin, Proposal, ProposedField, ProposedRequest, TextWithSlots } from "../../../protocol/setup.ts";
import type { KeyFacts, OAuth2Facts, ProviderPage } from "../../../spec/provider-page.ts";
import { isDocumented, wholePage } from "../../../spec/provider-readings.ts";
import { providerById, providerPages, SUBDOMAIN_SLOT, userHeaders } from "../../../spec/providers.ts";
import { choiceProblem, normaliseEndpoint } from "../../network/endpoint.ts";
import { covers } from "../../network/url-policy.ts";
import type { SetupOutcome } from "../outcome.ts";
import { askApiHost, capitalise, field, inFieldOrder, isCovered } from "../proposal-parts.ts";
import type { EvidenceReader, ReaderContext } from "../reader.ts";
import { unreadable } from "../unreadable.ts";

/** Returns the page whose ID or title is the text. */
export function pageByName(text: string): ProviderPage | undefined {
  const name = text.trim().toLowerCase();
  const facts = providerById(name) ?? providerPages().find(({ title }) => title.toLowerCase() === name);
  return facts && wholePage(facts);
}

export const readProvider: EvidenceReader = (text, context) => {
  const page = pageByName(text);
  if (page === undefined)
    throw unreadable("There is no page for a provider of that name.", "Use a cURL command, an OpenAPI file or an address of the API.");
  return providerProposals(page, context);
};

/** Returns the outcome for the page. The answers decide between several ways to authenticate, and fill in what differs between accounts. */
export function providerProposals(page: ProviderPage, context: ReaderContext): SetupOutcome {
  const { oauth2 } = page;
  const unsupported = page.oauth2?.unsupported;
  const ways = [
    ...(oauth2 === undefined || unsupported !== undefined
      ? []
      : [{ value: "oauth2", label: "OAuth 2.0: each user signs in", read: () => oauthProposal(page, oauth2, context) }]),
    ...page.keys.flatMap((facts, index) =>
      isComplete(facts)
        ? [
            {
              value: `key-${index}`,
              label: capitalise(facts.name),
              read: () => keyProposal(page, facts, `keys.${index}`, context),
            },
          ]
        : [],
    ),
  ];
  const [first, ...more] = ways;
  if (first === undefined && unsupported !== undefined)
    throw unreadable(`The platform cannot sign in at ${page.title}. ${unsupported.reason}`, unsupported.instead);
  if (first === undefined)
    throw unreadable(`The page of ${page.title} does not say how packs authenticate.`, "Use a cURL command from its documentation.");
  const options = ways.map(({ value, label }) => ({ value, label }));
  const text = `How does the pack authenticate at ${page.title}?`;
  const value = more.length === 0 ? first.value : context.choose({ id: "way", text, options });
  const proposal = (ways.find((way) => way.value === value) ?? first).read();
  return { kind: "proposal", proposal: { ...proposal, fields: inFieldOrder(proposal.fields) } };
}

/** Returns whether the page has every field that the type requires. */
function isComplete({ type, headerName, paramName, values = [] }: KeyFacts): boolean {
  if (type === "CustomHeaderToken") return headerName !== undefined;
  if (type === "QueryParamToken") return paramName !== undefined;
  return type === "HeaderBearerToken" || type === "WebBasic" || values.length > 0;
}

/**
 * Returns where a fact comes from: `HubSpot's page: npm arctic@3.7.0, not verified`. A fact that no documentation says is not verified. The page
 * has the fact's further sources.
 */
function originOf(page: ProviderPage, fact: string): Origin {
  const { title, sourcesOf, sources } = page;
  const reading = sources[sourcesOf[fact]?.[0] ?? -1]?.read;
  if (reading === undefined) return `${title}'s page`;
  // GitHub's addresses have a commit, of which the beginning is enough.
  const text = `${title}'s page: ${reading.replaceAll(/\b([\da-f]{7})[\da-f]{33}\b/g, "$1")}`;
  return isDocumented(page, fact) ? text : `${text}, not verified`;
}

/** What the accounts' own addresses mean for the configuration. */
interface Addresses {
  /** Returns the URL as the configuration has it: with the person's answer, or root-relative if the account has an endpoint. */
  readonly configured: (url: string) => string;
  /** Returns the URL as a request has it. */
  readonly requested: (url: string) => TextWithSlots;
  readonly fields: readonly ProposedField[];
  readonly domains: Proposal["domains"];
}

function oauthProposal(page: ProviderPage, facts: OAuth2Facts, context: ReaderContext): Proposal {
  const origin = (fact: string): Origin => originOf(page, `oauth2.${fact}`);
  const urls = [facts.authorizationUrl, facts.tokenUrl];
  // A root-relative URL and endpointKey exclude each other (sdk-facts 2).
  const endpointKey = urls.some(hasSlot) ? undefined : facts.endpointKey;
  const slots = addressesOf(page, { urls, endpointKey }, context);
  const addresses = endpointKey === undefined || slots.fields.length > 0 ? slots : withInstance(page, slots);
  const scopes = chooseScopes(facts, context);
  return {
    scope: "user",
    type: "OAuth2",
    typeOrigin: originOf(page, "oauth2.authorizationUrl"),
    fields: [
      ...field("authorizationUrl", addresses.configured(facts.authorizationUrl), origin("authorizationUrl")),
      ...field("tokenUrl", addresses.configured(facts.tokenUrl), origin("tokenUrl")),
      ...field("scopes", scopes.length === 0 ? undefined : scopes, origin(facts.scopes === undefined ? "refresh.scopes" : "scopes")),
      ...oauthFields(page, facts),
      ...field("endpointKey", endpointKey, origin("endpointKey")),
      ...addresses.fields,
    ],
    ...requestsOf(page, addresses, context),
    provider: page.id,
    remarks: [
      ...remarksOf(page),
      ...(scopes.length === 0 || facts.scopes === undefined ? ["Add the scopes that the pack's requests need."] : []),
      ...(facts.redirect === undefined ? [] : [facts.redirect]),
    ],
  };
}

/** Returns the fields of OAuth 2.0 besides addresses and scopes. */
export function oauthFields(page: ProviderPage, facts: OAuth2Facts): readonly ProposedField[] {
  const origin = (fact: string): Origin => originOf(page, `oauth2.${fact}`);
  const params = withRefreshParams(facts);
  return [
    ...field("scopeDelimiter", facts.scopeDelimiter === " " ? undefined : facts.scopeDelimiter, origin("scopeDelimiter")),
    ...field("scopeParamName", facts.scopeParamName, origin("scopeParamName")),
    ...field("useProofKeyForCodeExchange", facts.pkce === "required" || facts.pkce === "supported" ? true : undefined, origin("pkce")),
    // Automatic begins with the body.
    ...field(
      "credentialsLocation",
      facts.clientAuthentication === "header" ? "AuthorizationHeader" : undefined,
      origin("clientAuthentication"),
    ),
    ...field(
      "additionalParams",
      Object.keys(params).length === 0 ? undefined : params,
      origin(facts.refresh?.params === undefined ? "additionalParams" : "refresh.params"),
    ),
    ...field("nestedResponseKey", facts.nestedResponseKey, origin("nestedResponseKey")),
    ...field("tokenPrefix", facts.tokenPrefix, origin("tokenPrefix")),
    ...field("tokenQueryParam", facts.tokenQueryParam, origin("tokenQueryParam")),
  ];
}

/** Returns the scope without which the provider issues no refresh token, unless the scopes have it. */
export function refreshScopes(page: ProviderPage, { refresh }: OAuth2Facts, scopes: readonly string[]): readonly ProposedField[] {
  const { scopes: needed = [], allByDefault = false } = refresh ?? {};
  const isGranted = needed.some((scope) => scopes.includes(scope)) || (allByDefault && scopes.length === 0);
  return field("scopes", isGranted ? undefined : needed.slice(0, 1), originOf(page, "oauth2.refresh.scopes")).filter(
    ({ value }) => (value as readonly string[]).length > 0,
  );
}

/** Returns the parameters of the authorization request. The value of a parameter may have several words, one of them for refresh tokens. */
function withRefreshParams({ additionalParams, refresh }: OAuth2Facts): Readonly<Record<string, string>> {
  const params: Record<string, string> = { ...additionalParams };
  for (const { name, value } of refresh?.params ?? []) params[name] = [...new Set([...(params[name]?.split(" ") ?? []), value])].join(" ");
  return params;
}

/** Returns the fields of a key, without those of the account's endpoint. */
export function keyFields(page: ProviderPage, facts: KeyFacts, path: string): readonly ProposedField[] {
  const origin = (fact: string): Origin => originOf(page, `${path}.${fact}`);
  const { type, values = [], tokenPrefix } = facts;
  const places = values.map(({ name, description }) => ({ name, description, ...defined({ tokenPrefix }) }));
  const labels = defined({ placeholderUsername: facts.username, placeholderPassword: facts.password });
  return [
    ...(type === "CustomHeaderToken"
      ? [...field("headerName", facts.headerName, origin("headerName")), ...field("tokenPrefix", tokenPrefix, origin("tokenPrefix"))]
      : []),
    ...(type === "QueryParamToken" ? field("paramName", facts.paramName, origin("paramName")) : []),
    ...(type === "MultiHeaderToken" ? field("headers", places, origin("values")) : []),
    ...(type === "Custom" || type === "MultiQueryParamToken"
      ? field(
          "params",
          values.map(({ name, description }) => ({ name, description })),
          origin("values"),
        )
      : []),
    ...(type === "WebBasic" && Object.keys(labels).length > 0 ? field("uxConfig", labels, origin("username")) : []),
    // A page that each account has at its own host is no link for everybody.
    ...field("instructionsUrl", hasSlot(facts.createUrl ?? "") ? undefined : facts.createUrl, origin("createUrl")),
  ];
}

function keyProposal(page: ProviderPage, facts: KeyFacts, path: string, context: ReaderContext): Proposal {
  const { type } = facts;
  const addresses = addressesOf(page, undefined, context);
  // The page does not say where requests have the values of Custom.
  const { domains, ...requests } = requestsOf(page, addresses, context);
  return {
    scope: "user",
    type,
    typeOrigin: originOf(page, `${path}.type`),
    fields: [...keyFields(page, facts, path), ...addresses.fields],
    domains,
    ...(type === "Custom" ? {} : requests),
    provider: page.id,
    remarks: [
      ...remarksOf(page),
      ...(type === "Custom" ? ["Write the placeholders of the values into the requests, as the API's documentation says."] : []),
    ],
  };
}

/** Scopes that are offered together. */
const MOST_SCOPES = 10;

function chooseScopes({ scopes = {}, refresh }: OAuth2Facts, context: ReaderContext): readonly string[] {
  const [needed] = refresh?.scopes ?? [];
  const forRefresh = needed === undefined ? [] : [needed];
  const least = refresh?.allByDefault === true ? [] : forRefresh;
  const names = Object.keys(scopes).filter((name) => name !== needed);
  if (names.length === 0) return least;
  const options = [
    { value: "least", scopes: least, label: least.length === 0 ? "None yet" : "Only the one for refresh tokens" },
    ...(names.length > MOST_SCOPES ? [] : [{ value: "all", scopes: [...names, ...forRefresh], label: "Those that packs often need" }]),
    ...names.slice(0, MOST_SCOPES).map((name) => ({ value: `scope ${name}`, scopes: [name, ...forRefresh], label: scopes[name] ?? name })),
  ];
  const choice = context.choose({
    id: "scopes",
    text: "Which scopes does the pack need? You can add others later.",
    options: options.map(({ value, label, scopes: each }) => ({ value, label, detail: each.join(" ") })),
  });
  return options.find(({ value }) => value === choice)?.scopes ?? [];
}

/** Returns the domain that the hosts of all accounts are under. */
export const sharedDomainOf = (host: string): string | undefined =>
  host.startsWith(`${SUBDOMAIN_SLOT}.`) ? host.slice(SUBDOMAIN_SLOT.length + 1) : undefined;

export const hostOf = (url: string): string => /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? "";

export const hasSlot = (url: string): boolean => url.includes(SUBDOMAIN_SLOT);

/**
 * Returns what the placeholders of the page's URLs become. If all are in one host under a shared domain, it is the account's endpoint.
 * Anything else is a question.
 */
function addressesOf(
  { title, api, domains: pageDomains }: ProviderPage,
  oauth2: { readonly urls: readonly string[]; readonly endpointKey: string | undefined } | undefined,
  context: ReaderContext,
): Addresses {
  const urls = oauth2?.urls ?? [];
  const slotted = [...urls, api?.url, api?.userUrl].filter((url) => url !== undefined).filter(hasSlot);
  const [first] = slotted;
  if (first === undefined) return { configured: (url) => url, requested: (url) => [url], fields: [], domains: [] };
  const host = hostOf(first);
  const shared = sharedDomainOf(host);
  const isOneHost = slotted.every((url) => hostOf(url) === host);
  // The platform takes an endpoint if both URLs are relative to it, or the token response names it (sdk-facts 5).
  const takesEndpoint = oauth2 === undefined || urls.every(hasSlot) || (!urls.some(hasSlot) && oauth2.endpointKey !== undefined);
  // An application is registered at one host, but a key may be of any.
  const isAnyHost = host === SUBDOMAIN_SLOT && oauth2 === undefined;
  if (isOneHost && takesEndpoint && (shared !== undefined || isAnyHost)) {
    const path = (url: string): string => url.replace(/^https?:\/\/[^/?#]+/, "");
    const domain = shared === undefined ? undefined : (pageDomains.find((each) => covers(each, shared)) ?? shared);
    const origin = `${title}'s page: ${api?.endpoint ?? "each account has its own host"}`;
    return {
      configured: (url) => (hasSlot(url) ? path(url) || "/" : url),
      requested: (url) => (hasSlot(url) ? [{ endpoint: true }, path(url)] : [url]),
      fields: [...field("requiresEndpointUrl", true, origin), ...field("endpointDomain", shared, origin)],
      domains: domain === undefined ? [] : [{ domain, origin }],
    };
  }
  const value = askSlot(title, host, api?.endpoint, context);
  const filled = (url: string): string => url.replaceAll(SUBDOMAIN_SLOT, value);
  return { configured: filled, requested: (url) => [filled(url)], fields: [], domains: [] };
}

/** Asks for what replaces the placeholder: a whole host, or a part of an address. */
function askSlot(title: string, host: string, endpoint: string | undefined, context: ReaderContext): string {
  const isHost = host === SUBDOMAIN_SLOT;
  const answer = context.ask({
    id: "subdomain",
    text: isHost
      ? `On which host is ${title}? ${endpoint === undefined ? "" : `Enter ${endpoint}.`}`.trim()
      : `What is your own part of ${title}'s addresses, as in ${host}?`,
    example: isHost ? "acme.example.com" : "acme",
    problem: (value) =>
      isHost
        ? choiceProblem(value)
        : /^[a-z\d](?:[a-z\d._-]{0,98}[a-z\d])?$/i.test(value)
          ? undefined
          : "Enter letters, digits, hyphens and dots only.",
  });
  return isHost ? new URL(normaliseEndpoint(answer)).host : answer;
}

/** Adds the endpoint that the token response names, as in the Packs SDK's own sample for Salesforce. */
function withInstance(page: ProviderPage, addresses: Addresses): Addresses {
  const { hostname } = new URL(page.api?.url ?? page.api?.userUrl ?? page.oauth2?.tokenUrl ?? "");
  const domain = page.domains.find((each) => covers(each, hostname)) ?? page.domains[0];
  const origin = originOf(page, "oauth2.endpointKey");
  return {
    ...addresses,
    fields: [...field("requiresEndpointUrl", true, origin), ...field("endpointDomain", domain, origin)],
    domains: domain === undefined ? [] : [{ domain, origin }],
  };
}

type Requests = Pick<Proposal, "domains" | "userRequest" | "formula">;

function requestsOf(page: ProviderPage, addresses: Addresses, context: ReaderContext): Requests {
  const domains = addresses.domains.length > 0 || addresses.fields.length > 0 ? addresses.domains : domainsOf(page, addresses, context);
  const { userUrl, userName } = page.api ?? {};
  const url = userUrl === undefined ? undefined : addresses.requested(userUrl);
  const request = url === undefined ? undefined : userRequestAt(page, url, { domains, hasEndpoint: addresses.fields.length > 0 });
  if (request === undefined) return { domains };
  return {
    domains,
    ...(userName === undefined ? {} : { userRequest: { ...request, namePath: userName.split(".") } }),
    formula: { name: "GetUser", description: `Returns what ${page.title} says about the account's user.`, request, parameters: [] },
  };
}

/** Returns the request that names the user, unless the pack may not send it there. */
export function userRequestAt(
  page: ProviderPage,
  url: TextWithSlots,
  { domains, hasEndpoint }: { readonly domains: Proposal["domains"]; readonly hasEndpoint: boolean },
): ProposedRequest | undefined {
  const { api = {} } = page;
  const [address] = url;
  // Requests of an account with an endpoint go there.
  if (typeof address === "string" && (hasEndpoint || !isCovered(domains, address))) return undefined;
  return {
    method: api.userMethod ?? "GET",
    url,
    headers: Object.entries(userHeaders(page)).map(([name, value]) => ({ name, value: [value] })),
    ...defined({ body: api.userBody === undefined ? undefined : [api.userBody] }),
    origin: originOf(page, "api.userUrl"),
  };
}

/** Returns the domain of the API: the provider's, if it contains the API's host. */
function domainsOf(page: ProviderPage, addresses: Addresses, context: ReaderContext): Proposal["domains"] {
  const fact = page.api?.url === undefined ? "userUrl" : "url";
  const url = page.api?.[fact];
  const [address] = url === undefined ? [] : addresses.requested(url);
  if (typeof address !== "string") return [askApiHost(context, page.domains[0] ?? "api.example.com")];
  const { hostname } = new URL(address);
  const domain = page.domains.find((each) => covers(each, hostname)) ?? hostname;
  return [{ domain, origin: originOf(page, `api.${fact}`) }];
}

function remarksOf(page: ProviderPage): readonly string[] {
  const unsupported = page.oauth2?.unsupported;
  return [
    ...(unsupported === undefined ? [] : [`The platform cannot sign in by OAuth2 at ${page.title}. ${unsupported.reason}`]),
    ...(page.verification === undefined ? [] : [page.verification]),
    ...page.disagreements.map(({ fact, value, sources }) => {
      const readings = sources.flatMap((index) => page.sources[index]?.read ?? []).join(" and ");
      return `Another source says ${value} for ${fact}: ${readings}.`;
    }),
  ];
}
