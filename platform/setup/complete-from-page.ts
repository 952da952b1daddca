// Completes what evidence says with the page of its provider: the request that names the user, what people enter, and the headers that every
// request needs. Evidence and page must agree on the credential; what evidence says stays.
import type { JsonValue, Proposal, ProposedField, ProposedRequest, TextWithSlots } from "../../protocol/setup.ts";
import { type CredentialPlace, credentialPlaces, type PlacementFields } from "../../spec/credential-placement.ts";
import type { ProviderPage } from "../../spec/provider-page.ts";
import { wholePage } from "../../spec/provider-readings.ts";
import { providersOfHost } from "../../spec/providers.ts";
import { covers } from "../network/url-policy.ts";
import { inFieldOrder } from "./proposal-parts.ts";
import { hasSlot, hostOf, keyFields, oauthFields, refreshScopes, sharedDomainOf, userRequestAt } from "./readers/provider.ts";

/** Returns the proposal as it is if no page agrees with it, or several do. */
export function completeFromPage(proposal: Proposal): Proposal {
  const [domain, ...moreDomains] = proposal.domains;
  if (domain === undefined || moreDomains.length > 0) return proposal;
  const agreements = providersOfHost(domain.domain)
    .map(wholePage)
    .flatMap((page) => {
      const fields = agreedFields(page, proposal);
      return fields === undefined ? [] : [{ page, fields }];
    });
  const [agreement, ...moreAgreements] = agreements;
  if (agreement === undefined || moreAgreements.length > 0) return proposal;
  const { page, fields } = agreement;
  const addressed = withEndpoint(page, proposal, domain.domain);
  const user = userRequestOf(page, addressed);
  const userRequest = addressed.userRequest ?? user;
  return {
    ...addressed,
    typeOrigin: `${proposal.typeOrigin}, as on ${page.title}'s page`,
    fields: inFieldOrder(withFields(page, addressed.fields, fields)),
    ...(userRequest === undefined ? {} : { userRequest: withHeaders(page, userRequest, addressed.formula?.request) }),
    ...(addressed.formula === undefined
      ? {}
      : { formula: { ...addressed.formula, request: withHeaders(page, addressed.formula.request) } }),
    provider: page.id,
  };
}

/** Returns where the credentials are that the provider's pages know, one list for each key. */
export const keyPlacesAt = (host: string): readonly (readonly CredentialPlace[])[] =>
  providersOfHost(host)
    .map(wholePage)
    .flatMap((page) => page.keys.map((key, index) => credentialPlaces(key.type, placementOf(keyFields(page, key, `keys.${index}`)))));

/** Returns the names of the headers that every request to the host needs, with values that are no secret. */
export const headersOfPagesAt = (host: string): readonly string[] =>
  providersOfHost(host).flatMap(({ api }) => Object.keys(api?.headers ?? {}));

const placementOf = (fields: readonly ProposedField[]): PlacementFields =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value])) as PlacementFields;

/** Returns the page's fields for the proposal's credential; undefined if the page has no such credential. */
function agreedFields(page: ProviderPage, { type, fields }: Proposal): readonly ProposedField[] | undefined {
  if (type === "OAuth2") return agreedOAuth(page, fields);
  const places = inOneForm(credentialPlaces(type, placementOf(fields)));
  return page.keys
    .map((key, index) => (key.type === type && type !== "Custom" ? keyFields(page, key, `keys.${index}`) : undefined))
    .find((each) => each !== undefined && inOneForm(credentialPlaces(type, placementOf(each))) === places);
}

/** Names of headers, and schemes, are compared without regard to case (RFC 9110, sections 5.1 and 11.1). */
const inOneForm = (places: readonly CredentialPlace[]): string =>
  places
    .map(({ in: where, name = "", prefix = "" }) => `${where} ${where === "header" ? name.toLowerCase() : name} ${prefix.toLowerCase()}`)
    .sort()
    .join("\n");

function agreedOAuth(page: ProviderPage, fields: readonly ProposedField[]): readonly ProposedField[] | undefined {
  const { oauth2 } = page;
  const own = new Map(fields.map(({ name, value }) => [name, value]));
  if (oauth2 === undefined || own.get("authorizationUrl") !== oauth2.authorizationUrl || own.get("tokenUrl") !== oauth2.tokenUrl)
    return undefined;
  const scopes = own.get("scopes") as readonly string[] | undefined;
  return [...oauthFields(page, oauth2), ...refreshScopes(page, oauth2, scopes ?? [])];
}

/** Returns the evidence's fields, with the page's descriptions, labels and further fields. */
function withFields({ title }: ProviderPage, own: readonly ProposedField[], ofPage: readonly ProposedField[]): readonly ProposedField[] {
  const merged = own.map((field) => {
    const other = ofPage.find(({ name }) => name === field.name);
    const value = other === undefined ? field.value : mergedValue(field, other);
    return value === field.value ? field : { ...field, value, origin: `${field.origin}, and ${title}'s page` };
  });
  return [...merged, ...ofPage.filter(({ name }) => !own.some((field) => field.name === name))];
}

function mergedValue({ name, value }: ProposedField, { value: other }: ProposedField): JsonValue {
  if (name === "scopes") return [...new Set([...(value as readonly string[]), ...(other as readonly string[])])];
  if (name === "additionalParams") return { ...(other as Labels), ...(value as Labels) };
  if (name === "uxConfig") {
    const { placeholderPassword, ...labels } = other as Labels;
    const { usernameOnly } = value as Labels;
    return { ...labels, ...(usernameOnly || placeholderPassword === undefined ? {} : { placeholderPassword }), ...(value as Labels) };
  }
  if (name !== "headers" && name !== "params") return value;
  const described = other as unknown as readonly Described[];
  return (value as unknown as readonly Described[]).map((each) => ({
    ...each,
    description: described.find((one) => one.name.toLowerCase() === each.name.toLowerCase())?.description ?? each.description,
  }));
}

type Labels = Readonly<Record<string, JsonValue>>;

interface Described {
  readonly name: string;
  readonly description: string;
}

/** Makes the host the account's endpoint, if the page says that each account has its own under a shared domain. */
function withEndpoint(page: ProviderPage, proposal: Proposal, host: string): Proposal {
  const shared = sharedDomainOf(hostOf(page.api?.url ?? ""));
  const hasEndpoint = proposal.fields.some(({ name }) => name === "requiresEndpointUrl" || name === "endpointKey");
  if (shared === undefined || hasEndpoint || proposal.type === "OAuth2" || host === shared || !covers(shared, host)) return proposal;
  const { formula, userRequest } = proposal;
  const onEndpoint = <Request extends ProposedRequest>(request: Request): Request => ({ ...request, url: endpointUrl(request.url, host) });
  const origin = `${page.title}'s page: ${page.api?.endpoint ?? "each account has its own host"}`;
  return {
    ...proposal,
    fields: [...proposal.fields, { name: "requiresEndpointUrl", value: true, origin }, { name: "endpointDomain", value: shared, origin }],
    domains: [{ domain: shared, origin }],
    ...(formula === undefined ? {} : { formula: { ...formula, request: onEndpoint(formula.request) } }),
    ...(userRequest === undefined ? {} : { userRequest: onEndpoint(userRequest) }),
  };
}

function endpointUrl(url: TextWithSlots, host: string): TextWithSlots {
  const [first, ...rest] = url;
  const start = `https://${host}`;
  if (typeof first !== "string" || !first.startsWith(start)) return url;
  const path = first.slice(start.length);
  return [{ endpoint: true }, ...(path === "" ? [] : [path]), ...rest];
}

/** Returns the page's request that names the user, unless it goes to another host than the account's requests. */
function userRequestOf(page: ProviderPage, { domains, fields }: Proposal): Proposal["userRequest"] {
  const { userUrl, userName } = page.api ?? {};
  if (userUrl === undefined || userName === undefined) return undefined;
  const hasEndpoint = fields.some(({ name }) => name === "requiresEndpointUrl" || name === "endpointKey");
  const endpointDomain = fields.find(({ name }) => name === "endpointDomain")?.value;
  if (hasSlot(userUrl) && (!hasEndpoint || sharedDomainOf(hostOf(userUrl)) !== endpointDomain)) return undefined;
  const url: TextWithSlots = hasSlot(userUrl) ? [{ endpoint: true }, userUrl.replace(/^https:\/\/[^/?#]+/, "")] : [userUrl];
  const request = userRequestAt(page, url, { domains, hasEndpoint });
  return request === undefined ? undefined : { ...request, namePath: userName.split(".") };
}

/** Adds the headers that every request needs. Their values are those of the evidence, if it has them. */
function withHeaders<Request extends ProposedRequest>(
  { api }: ProviderPage,
  request: Request,
  evidence: ProposedRequest = request,
): Request {
  const needed = Object.entries(api?.headers ?? {}).map(
    ([name, value]) => evidence.headers.find((header) => header.name.toLowerCase() === name.toLowerCase()) ?? { name, value: [value] },
  );
  const isNeeded = (name: string): boolean => needed.some((header) => header.name.toLowerCase() === name.toLowerCase());
  return { ...request, headers: [...request.headers.filter(({ name }) => !isNeeded(name)), ...needed] };
}
