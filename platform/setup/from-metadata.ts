// Turns the metadata of an OAuth 2.0 issuer (RFC 8414, OpenID Connect Discovery) into a proposal.
import { defined } from "../../base/defined.ts";
import type { Origin, Proposal } from "../../protocol/setup.ts";
import { providersOfHost } from "../../spec/providers.ts";
import { isReachable } from "../network/reachable-address.ts";
import { type Server, type ServerMetadata, serverOf, texts } from "../oauth/discovery.ts";
import { certaintyOf } from "./curl/names.ts";
import type { Impossibility } from "./impossible.ts";
import type { SetupOutcome } from "./outcome.ts";
import { askApiHost, capitalise, chooseClientScope, field, inFieldOrder, isCovered } from "./proposal-parts.ts";
import type { ReaderContext } from "./reader.ts";
import { unreadable } from "./unreadable.ts";

/** What is known beside the metadata. */
export interface MetadataUse {
  /** What the metadata is, for origins: `the metadata of https://auth.acme.example`. */
  readonly origin: Origin;
  readonly remarks: readonly string[];
  /** The API that led to the issuer. */
  readonly api?: Pick<Proposal, "domains" | "formula" | "mcpServer"> & {
    /** The value of the resource parameter (RFC 8707), if the API publishes it. */
    readonly resource?: { readonly value: string; readonly origin: Origin };
    /** The scopes that the API itself supports (RFC 9728, section 2). Those of its issuer are for other APIs too. */
    readonly scopes?: { readonly value: readonly string[]; readonly origin: Origin };
  };
}

interface Issuer {
  readonly metadata: ServerMetadata;
  readonly server: Server;
  readonly use: MetadataUse;
}

/** Returns the outcome. Throws evidence-unreadable if the metadata names no endpoint that can be used. */
export function outcomeOfMetadata(metadata: ServerMetadata, use: MetadataUse, context: ReaderContext): SetupOutcome {
  const server = { ...serverOf(metadata, metadata.issuer), ...defined({ scopes: use.api?.scopes?.value }) };
  const issuer = { metadata, server, use };
  const demand = impossibleDemand(metadata);
  if (demand !== undefined) return { kind: "impossible", reason: demand[0], origin: `${demand[1]} in ${use.origin}` };
  const grants = grantsOf(metadata);
  const isCode = grants.includes("authorization_code") && server.authorizationUrl !== undefined;
  const isClient = grants.includes("client_credentials");
  if (server.tokenUrl === undefined || !(isCode || isClient)) {
    const reason = grants.includes("authorization_code") ? undefined : GRANTS.find(([grant]) => grants.includes(grant))?.[1];
    if (reason !== undefined) return { kind: "impossible", reason, origin: `grant_types_supported in ${use.origin}` };
    throw unreadable(
      `${capitalise(use.origin)} names no usable authorization endpoint and token endpoint.`,
      "Both must be https addresses on a public host. Take them from the provider's documentation, and write them by hand.",
    );
  }
  confirmOtherOrigins(issuer, context);
  const usesCode = isCode && (!isClient || use.api !== undefined || chooseGrant(context) === "user");
  return { kind: "proposal", proposal: usesCode ? codeProposal(issuer, context) : clientProposal(issuer, context) };
}

/** Returns the grants. RFC 8414, section 2: an absent list means those of the authorization endpoint; its response types decide. */
function grantsOf(metadata: ServerMetadata): readonly string[] {
  const grants = texts(metadata.grant_types_supported) ?? ["authorization_code", "implicit"];
  const words = (texts(metadata.response_types_supported) ?? []).flatMap((type) => type.split(" "));
  const isPossible: Readonly<Record<string, boolean>> = { authorization_code: words.includes("code"), implicit: words.includes("token") };
  return words.length === 0 ? grants : grants.filter((grant) => isPossible[grant] !== false);
}

/** Grants that the platform does not have, in the order in which they are named. */
const GRANTS: readonly (readonly [grant: string, reason: Impossibility])[] = [
  ["urn:ietf:params:oauth:grant-type:device_code", "device-grant"],
  ["urn:ietf:params:oauth:grant-type:jwt-bearer", "jwt-assertion"],
  ["password", "password-grant"],
  ["implicit", "implicit-grant"],
];

/** Returns the member that demands from each client what the platform cannot do. */
function impossibleDemand(metadata: ServerMetadata): readonly [Impossibility, string] | undefined {
  for (const [member, reason] of DEMANDS) if (metadata[member] === true) return [reason, member];
  const member = "token_endpoint_auth_methods_supported";
  const methods = texts(metadata[member]) ?? [];
  if (methods.length === 0 || methods.some((method) => /^(?:none|client_secret_(?:post|basic))$/.test(method))) return undefined;
  if (methods.some((method) => /_jwt$/.test(method))) return ["jwt-assertion", member];
  return methods.some((method) => /tls_client_auth$/.test(method)) ? ["mutual-tls", member] : undefined;
}

const DEMANDS: readonly (readonly [member: string, reason: Impossibility])[] = [
  ["require_pushed_authorization_requests", "pushed-authorization-request"],
  ["require_signed_request_object", "jwt-assertion"],
  ["dpop_bound_access_tokens_required", "dpop"],
  ["dpop_bound_access_tokens", "dpop"],
];

/** Asks before endpoints on another origin than the issuer's are used, because they receive the client secret. */
function confirmOtherOrigins({ metadata, server }: Issuer, context: ReaderContext): void {
  const { origin, host } = new URL(server.issuer);
  const userUrl = userInfoOf(metadata);
  const hosts = [server.authorizationUrl, server.tokenUrl, userUrl].flatMap((url) =>
    url === undefined || new URL(url).origin === origin ? [] : [new URL(url).host],
  );
  if (hosts.length === 0) return;
  const names = [...new Set(hosts)].join(", ");
  const choice = context.choose({
    id: "other-origin",
    text: `The metadata of ${host} names endpoints on ${names}. Do they belong to the same provider?`,
    options: [
      { value: "use", label: "Use them", detail: `The client secret goes to the token endpoint.` },
      { value: "stop", label: "Do not use them" },
    ],
  });
  if (choice === "stop")
    throw unreadable(`The endpoints on ${names} were not used, as you chose.`, "Look up the addresses in the provider's documentation.");
}

const userInfoOf = (metadata: ServerMetadata): string | undefined =>
  isReachable(metadata.userinfo_endpoint, metadata.issuer) ? metadata.userinfo_endpoint : undefined;

const chooseGrant = (context: ReaderContext): string =>
  context.choose({
    id: "grant",
    text: "Who signs in at the provider?",
    options: [
      { value: "user", label: "Each user, in the browser", detail: "The authorization code grant." },
      { value: "client", label: "The application itself", detail: "The client credentials grant." },
    ],
  });

function clientProposal({ metadata, server, use }: Issuer, context: ReaderContext): Proposal {
  const scope = chooseClientScope(context);
  const scopes = chooseScopes(server.scopes, [], context);
  return {
    scope,
    type: "OAuth2ClientCredentials",
    typeOrigin: `grant_types_supported in ${use.origin}`,
    fields: inFieldOrder([
      ...field("tokenUrl", server.tokenUrl, `token_endpoint in ${use.origin}`),
      ...scopesField(scopes, use),
      ...clientAuthentication(metadata, use),
      ...resourceField(use),
    ]),
    domains: use.api?.domains ?? [askApiHost(context, new URL(server.issuer).hostname)],
    remarks: [...use.remarks, ...scopesRemark(server)],
    ...partsOfApi(use),
    ...providerAt(server.tokenUrl),
  };
}

function codeProposal(issuer: Issuer, context: ReaderContext): Proposal {
  const { metadata, server, use } = issuer;
  const { api, origin } = use;
  const identity = IDENTITY.filter((scope) => server.scopes?.includes(scope));
  const scopes = chooseScopes(server.scopes, identity, context);
  const registers = server.registrationUrl !== undefined && (api?.mcpServer !== undefined || chooseClient(context) === "register");
  // The platform discovers the addresses from the MCP server, as Pack Auth does, so that they stay what the server says.
  const leavesAddresses = registers && api?.mcpServer !== undefined;
  const challenge = texts(metadata.code_challenge_methods_supported) ?? [];
  const [authorizationUrl, parameters] = withoutQuery(server.authorizationUrl);
  const userUrl = userInfoOf(metadata);
  const domains = api?.domains ?? [askApiHost(context, new URL(userUrl ?? server.issuer).hostname)];
  const user = userRequest(issuer, userUrl, scopes, domains);
  return {
    scope: "user",
    type: "OAuth2",
    typeOrigin: origin,
    fields: inFieldOrder([
      ...(leavesAddresses
        ? []
        : [
            ...field("authorizationUrl", authorizationUrl, `authorization_endpoint in ${origin}`),
            ...field("additionalParams", parameters, `the query of authorization_endpoint in ${origin}`),
            ...field("tokenUrl", server.tokenUrl, `token_endpoint in ${origin}`),
          ]),
      ...field("useDynamicClientRegistration", registers || undefined, `registration_endpoint in ${origin}`),
      ...scopesField(scopes, use),
      ...field("useProofKeyForCodeExchange", challenge.includes("S256") || undefined, `code_challenge_methods_supported in ${origin}`),
      ...clientAuthentication(metadata, use),
      ...resourceField(use),
    ]),
    domains,
    ...user.request,
    ...partsOfApi(use),
    ...providerAt(server.authorizationUrl),
    remarks: [
      ...use.remarks,
      ...user.remarks,
      ...scopesRemark(server),
      // RFC 7636, section 7.2: with plain, the challenge is the secret itself.
      ...(challenge.includes("plain") && !challenge.includes("S256")
        ? ["PKCE is left out: the provider has the method plain only. If it demands PKCE, add pkceChallengeMethod."]
        : []),
      ...(texts(metadata.dpop_signing_alg_values_supported) === undefined
        ? []
        : ["The provider also issues tokens that are bound to a key (DPoP). Register the application for Bearer tokens."]),
    ],
  };
}

const resourceField = ({ api, origin }: MetadataUse) => field("resource", api?.resource?.value, api?.resource?.origin ?? origin);

const partsOfApi = ({ api }: MetadataUse) => defined({ formula: api?.formula, mcpServer: api?.mcpServer });

/** Returns the provider whose page has the host of the URL, if there is only one. */
function providerAt(url: string | undefined): { readonly provider?: string } {
  const [page, ...more] = url === undefined ? [] : providersOfHost(new URL(url).hostname);
  return page === undefined || more.length > 0 ? {} : { provider: page.id };
}

/** Scopes of OpenID Connect that name the user, and the one that a refresh token needs (OpenID Connect Core, sections 5.4 and 11). */
const IDENTITY = ["openid", "profile", "email", "offline_access"] as const;
/** The most scopes that are offered together. */
const MOST_SCOPES = 10;

function chooseScopes(supported: readonly string[] | undefined, identity: readonly string[], context: ReaderContext): readonly string[] {
  if (supported === undefined || supported.length === 0) return [];
  const sets = [
    { value: "identity", label: "Those that name the user", scopes: identity },
    { value: "all", label: "All", scopes: supported.length <= MOST_SCOPES && supported.length > identity.length ? supported : [] },
  ].filter(({ scopes }) => scopes.length > 0);
  if (sets.length === 0) return [];
  const choice = context.choose({
    id: "scopes",
    text: "Which scopes does the pack need?",
    options: [
      ...sets.map(({ value, label, scopes }) => ({ value, label, detail: scopes.join(" ") })),
      { value: "none", label: "None, or others" },
    ],
  });
  return sets.find(({ value }) => value === choice)?.scopes ?? [];
}

const scopesField = (scopes: readonly string[], { origin, api }: MetadataUse) =>
  scopes.length === 0 ? [] : field("scopes", scopes, `your choice of scopes_supported in ${api?.scopes?.origin ?? origin}`);

/** Says that the API may need further scopes, if they could not be offered. */
const scopesRemark = ({ scopes }: Server): readonly string[] =>
  scopes === undefined || scopes.length > MOST_SCOPES ? ["Add the scopes that the API's documentation names for the pack's requests."] : [];

const chooseClient = (context: ReaderContext): string =>
  context.choose({
    id: "registration",
    text: "Where does the client ID come from?",
    options: [
      { value: "own", label: "An application that you register at the provider" },
      { value: "register", label: "The platform registers one by itself", detail: "Dynamic client registration (RFC 7591)." },
    ],
  });

/** Returns credentialsLocation if the provider takes the header only. Automatic tries the body first, and may lose the code so. */
function clientAuthentication(metadata: ServerMetadata, { origin }: MetadataUse) {
  const methods = texts(metadata.token_endpoint_auth_methods_supported) ?? [];
  const isHeaderOnly = methods.includes("client_secret_basic") && !methods.includes("client_secret_post");
  return isHeaderOnly ? field("credentialsLocation", "AuthorizationHeader", `token_endpoint_auth_methods_supported in ${origin}`) : [];
}

/** Separates the query, whose parameters the platform would lose. The platform sets those of RFC 6749, section 4.1.1, itself. */
function withoutQuery(address: string | undefined): readonly [string | undefined, Readonly<Record<string, string>> | undefined] {
  if (address === undefined) return [undefined, undefined];
  const url = new URL(address);
  if (url.search === "") return [address, undefined];
  const parameters = Object.fromEntries(
    [...url.searchParams].filter(([name, value]) => !OWN_PARAMETERS.has(name) && certaintyOf(name, value) !== "credential"),
  );
  url.search = "";
  return [url.href, Object.keys(parameters).length === 0 ? undefined : parameters];
}

const OWN_PARAMETERS: ReadonlySet<string> = new Set(["response_type", "client_id", "redirect_uri", "scope", "state"]);

function userRequest(
  { metadata, use }: Issuer,
  url: string | undefined,
  scopes: readonly string[],
  domains: Proposal["domains"],
): { readonly request: Pick<Proposal, "userRequest">; readonly remarks: readonly string[] } {
  // OpenID Connect Core, section 5.3: the endpoint is for tokens of OpenID Connect.
  if (url === undefined || !scopes.includes("openid")) return { request: {}, remarks: [] };
  if (!isCovered(domains, url))
    return {
      request: {},
      remarks: [
        `The accounts have no name of their own. ${new URL(url).host} knows it, but is in no network domain of the pack. The platform has to approve a second one.`,
      ],
    };
  const claims = texts(metadata.claims_supported);
  const isSupported = (claim: string): boolean => claims === undefined || claims.includes(claim);
  const profile = scopes.includes("profile") ? ["name", "preferred_username"] : [];
  const email = scopes.includes("email") ? ["email"] : [];
  const name = [...profile, ...email].find(isSupported) ?? "sub";
  return {
    request: {
      userRequest: {
        method: "GET",
        url: [url],
        headers: [],
        namePath: [name],
        origin: `userinfo_endpoint in ${use.origin}`,
      },
    },
    remarks: [],
  };
}
