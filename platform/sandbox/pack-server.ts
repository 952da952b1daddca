// The sandbox of one pack: a loopback server on its own port, with a provider and an API that follow the pack's configuration. Registering
// the pack again changes the configuration. The port, the credentials and the issued tokens stay.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { isOAuthType } from "../../spec/auth-types.ts";
import { chosenDomains } from "../accounts/credential-domains.ts";
import { covers } from "../network/url-policy.ts";
import { type McpSide, respondToApi, sendJson } from "./api.ts";
import type { ApiSide } from "./check-credential.ts";
import { endpointFor, makeSecrets, type SandboxSecrets } from "./credentials.ts";
import { likenessOf } from "./likeness.ts";
import { createMcpServer, type McpServer, scopesOfCalls } from "./mcp-server.ts";
import { isResourceOf, mcpAddresses, metadataAt, resourceMetadataAddress, withAddresses } from "./metadata.ts";
import type { RegisterRequest, RegisterResponse, SandboxCredentials, SwitchRequest } from "./protocol.ts";
import { createProvider, isLoopbackUrl, type SandboxProvider } from "./provider.ts";
import { readBody } from "./read-body.ts";
import { findStub, readStubs, type SandboxStubs, type SandboxTool, type Stub } from "./stubs.ts";
import { makeApiTrouble, makeTrouble, readSwitches, type SandboxSwitches, SWITCHES_OFF } from "./switches.ts";
import { readTokenRequest, sendTokenRefusal, splitScopes } from "./token-endpoint.ts";
import { createTokenStore, type TokenStore } from "./token-store.ts";

/** One authentication of the pack in its current form. */
interface Side extends ApiSide, SandboxSecrets {
  readonly scope: AuthScope;
  readonly endpoint?: string;
  readonly store: TokenStore;
  readonly provider?: SandboxProvider;
  /** Whether a token may be issued for this address (RFC 8707). */
  isResource(address: string): boolean;
  /** The inputs of the provider as JSON. The provider is kept while they are unchanged. */
  readonly shape: string;
}

export async function servePack(): Promise<PackServer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const packServer = new PackServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => packServer.respond(incoming, outgoing));
  return packServer;
}

export class PackServer {
  readonly #origin: string;
  readonly #mcp = createMcpServer();
  /** The state of an authentication is kept while the author tries the pack without it. */
  readonly #sidesByScope = new Map<AuthScope, Side>();
  #current: { readonly request: RegisterRequest; readonly sides: readonly Side[] } | undefined;
  #switches = SWITCHES_OFF;
  #samples: readonly Stub[] = [];
  readonly #externalAddresses = new Set<string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /**
   * Uses the request's definition from now on. Throws sandbox-failed for an invalid sandbox.json and keeps the previous definition then.
   */
  update(request: RegisterRequest): RegisterResponse {
    const sandboxStubs = readStubs(request.stubsFile);
    const sides: Side[] = [];
    for (const scope of ["user", "system"] as const) {
      const auth = request.definition[`${scope}Authentication`];
      if (auth === undefined) continue;
      const side = this.#makeSide(scope, auth, request, sandboxStubs);
      this.#sidesByScope.set(scope, side);
      sides.push(side);
    }
    this.#current = { request, sides };
    const origin = this.#origin;
    return { origin, switches: this.#switches, ...Object.fromEntries(sides.map((side) => [side.scope, credentialsOf(side, origin)])) };
  }

  /** Changes the given switches and returns all switches. */
  change(request: SwitchRequest): SandboxSwitches {
    this.#switches = readSwitches(request.switches, this.#switches);
    for (const { store } of this.#current?.sides ?? []) {
      if (request.expireNow === true) store.expireAccessTokens();
      if (request.refreshTokens !== undefined) store.endRefreshTokens(request.refreshTokens);
    }
    return this.#switches;
  }

  /** Adds answers for requests that sandbox.json does not have. They take precedence over answers that were added earlier. */
  addSamples(samples: readonly Stub[]): void {
    this.#samples = [...samples, ...this.#samples].slice(0, MOST_SAMPLES);
  }

  /** Serves the pages under these addresses too, and sends the browser back to them. */
  addExternalAddresses(addresses: readonly string[]): void {
    for (const address of addresses) if (URL.canParse(address)) this.#externalAddresses.add(address);
  }

  respond(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const present = {
      origin: this.#origin,
      hosts: [...this.#externalAddresses].map((address) => new URL(address).host),
      mcp: this.#mcp,
      sides: [],
      switches: this.#switches,
      samples: this.#samples,
      ...this.#current,
    };
    handleRequest(incoming, outgoing, present).catch((error: unknown) => {
      if (!outgoing.headersSent) return sendJson(outgoing, 500, { sandbox: errorMessage(error) });
      outgoing.destroy();
    });
  }

  #makeSide(scope: AuthScope, auth: AuthenticationDefinition, { definition, name }: RegisterRequest, sandboxStubs: SandboxStubs): Side {
    const { networkDomains, mcpServers = [] } = definition;
    const before = this.#sidesByScope.get(scope);
    const secrets = makeSecrets(auth, before);
    const store = before?.store ?? createTokenStore();
    const endpoint = endpointFor(auth, definition, sandboxStubs.endpoint);
    const { auth: providerAuth, ...likeness } = likenessOf(withAddresses(auth, definition, endpoint), endpoint);
    const tokenLifetime = sandboxStubs.tokenLifetime ?? likeness.tokenLifetime ?? 3_600;
    const scopes = splitScopes([...(auth.scopes ?? []), ...formulaScopes(definition), ...stubScopes(sandboxStubs)], auth);
    const isResource = (address: string): boolean => address === auth.resource || isResourceOf(address, this.#origin, definition, endpoint);
    const shape = JSON.stringify([auth, networkDomains, mcpServers, endpoint, name, tokenLifetime, scopes]);
    const makeProvider = (): SandboxProvider | undefined =>
      createProvider({
        origin: this.#origin,
        prefix: prefixOf(scope),
        packName: name,
        auth: providerAuth,
        likeness,
        client: secrets.client,
        store,
        switches: () => this.#switches,
        tokenLifetime,
        scopes,
        // RFC 8707 is enforced only if the pack has an MCP server, for which the audience matters.
        isResource: (address) => mcpServers.length === 0 || isResource(address),
        isRedirectAddress: (address) => isLoopbackUrl(address) || this.#externalAddresses.has(address),
        ...defined({ endpoint }),
      });
    const provider = !isOAuthType(auth.type) ? undefined : before?.shape === shape ? before.provider : makeProvider();
    return {
      scope,
      auth,
      ...secrets,
      store,
      shape,
      isResource,
      ...defined({ endpoint, provider }),
      sendsTo: (host) => sendsTo(host, auth, networkDomains, endpoint),
      scopesOf: async (token) => provider?.scopesOf(token),
    };
  }
}

const MOST_SAMPLES = 1_000;

const prefixOf = (scope: AuthScope): string => `/_sandbox/${scope}`;

/**
 * Whether the credential is sent to a host, as in requests/url-policy.ts. Only the authentication's domains get it. With an account's
 * endpoint, no domain but the endpoint's gets it.
 */
function sendsTo(host: string, auth: AuthenticationDefinition, domains: readonly string[], endpoint: string | undefined): boolean {
  const chosen = chosenDomains(auth, domains);
  if (chosen !== undefined) return chosen.some((domain) => covers(domain, host));
  return endpoint === undefined || !domains.some((domain) => covers(domain, host) && !covers(domain, new URL(endpoint).hostname));
}

/** Returns the scopes that formulas and tables need in addition to the configuration's. */
const formulaScopes = ({ formulas, syncTables }: PackDefinition): readonly string[] => [
  ...formulas.flatMap(({ extraOAuthScopes = [] }) => extraOAuthScopes),
  ...syncTables.flatMap(({ extraOAuthScopes = [], updateOAuthScopes = [] }) => [...extraOAuthScopes, ...updateOAuthScopes]),
];

const stubScopes = ({ answers, tools = [] }: SandboxStubs): readonly string[] =>
  [...answers, ...tools].flatMap(({ scope }) => scope?.split(" ") ?? []);

function credentialsOf(side: Side, origin: string): SandboxCredentials {
  return {
    clientCredentials: side.client,
    ...defined({ credential: side.credential, endpoint: side.endpoint }),
    ...(side.provider === undefined ? {} : { revocationUrl: `${origin}${prefixOf(side.scope)}/revoke` }),
  };
}

/** The current state of a pack's server. `request` is undefined before the first registration. */
interface Present {
  readonly origin: string;
  /** The hosts under which the editor forwards browsers to this server. */
  readonly hosts: readonly string[];
  readonly mcp: McpServer;
  readonly request?: RegisterRequest;
  readonly sides: readonly Side[];
  readonly switches: SandboxSwitches;
  readonly samples: readonly Stub[];
}

async function handleRequest(incoming: IncomingMessage, outgoing: ServerResponse, present: Present): Promise<void> {
  const { origin, hosts, request, sides, switches } = present;
  const hostHeader = incoming.headers.host ?? "";
  // Requests from a page whose host name was pointed at this port (DNS rebinding) are refused.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(hostHeader) && !hosts.includes(hostHeader.toLowerCase()))
    return sendJson(outgoing, 421, { sandbox: "The sandbox answers on 127.0.0.1 and localhost only." });
  const [, host = "", rest = ""] = /^\/([^/?]+)(.*)$/s.exec(incoming.url ?? "/") ?? [];
  const logical = `https://${host}${rest}`;
  if (host === "" || !URL.canParse(logical))
    return sendJson(outgoing, 404, { sandbox: "Use /<host>/<path>, where the API is. There is nothing here." });
  if (await respondToOAuth(incoming, outgoing, sides, switches)) return;
  const url = new URL(logical);
  if (host === "_sandbox") return sendJson(outgoing, 404, { sandbox: "The sandbox does not have this page." });
  if (await makeApiTrouble(switches.api, outgoing, incoming.headers.authorization)) return;
  // sandbox.json is read for each request, so that edits take effect at once.
  const { answers, tools } = readStubs(request?.stubsFile);
  const method = incoming.method ?? "GET";
  const stub = findStub(answers, method, url);
  const metadata = stub === undefined && method === "GET" ? metadataFor(incoming, origin, sides) : undefined;
  if (metadata !== undefined) return sendJson(outgoing, 200, metadata);
  if (host === ".well-known") return sendJson(outgoing, 404, { sandbox: "The sandbox does not have this metadata." });
  const api = { method, url, headers: incoming.headers, body: await readBody(incoming) };
  const sample = findStub(present.samples, method, url);
  await respondToApi(api, outgoing, { stub, sample }, sides, mcpAt(url, tools, present));
}

function mcpAt(url: URL, tools: readonly SandboxTool[] | undefined, present: Present): McpSide | undefined {
  const { origin, mcp, request, sides, switches } = present;
  if (request === undefined) return undefined;
  const endpoints = sides.length === 0 ? [undefined] : sides.map(({ endpoint }) => endpoint);
  const addresses = endpoints.flatMap((endpoint) => mcpAddresses(request.definition, endpoint));
  if (!addresses.some((address) => address.origin === url.origin && address.pathname === url.pathname)) return undefined;
  return {
    ...(sides.some(({ provider }) => provider !== undefined)
      ? { metadataAddress: resourceMetadataAddress(origin, `/${url.host}${url.pathname}`) }
      : {}),
    scopesFor: ({ body }) => scopesOfCalls(body, tools),
    respond: (apiRequest, response) => mcp.respond(apiRequest, response, tools, switches.mcp),
  };
}

function metadataFor({ url = "/" }: IncomingMessage, origin: string, sides: readonly Side[]) {
  const providers = sides.flatMap(({ provider }) => provider ?? []);
  return metadataAt(new URL(url, origin).pathname, origin, providers, (address) => sides.some((side) => side.isResource(address)));
}

/** Returns false if the request is not for a provider. Both authentications may use the same URLs; the client ID distinguishes them. */
async function respondToOAuth(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sides: readonly Side[],
  switches: SandboxSwitches,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://sandbox");
  const matches = sides.flatMap(({ provider }) => {
    const route = provider?.routeOf(incoming.method, pathname);
    return provider === undefined || route === undefined ? [] : [{ provider, route }];
  });
  const [first] = matches;
  if (first === undefined) return false;
  const byClient = async (id = ""): Promise<SandboxProvider> => {
    for (const { provider } of matches) if (await provider.knows(id)) return provider;
    return first.provider;
  };
  if (first.route === "own") await first.provider.handleOwnRequest(incoming, outgoing);
  else if (first.route === "registration") await first.provider.register(incoming, outgoing);
  else if (first.route === "authorization") await (await byClient(searchParams.get("client_id") ?? "")).authorize(incoming, outgoing);
  else if (!(await makeTrouble(switches.token, outgoing))) {
    const tokenRequest = readTokenRequest(incoming, await readBody(incoming));
    if ("error" in tokenRequest) sendTokenRefusal(outgoing, tokenRequest);
    else await (await byClient(tokenRequest.parameters.client_id)).exchange(incoming, outgoing, tokenRequest);
  }
  return true;
}
