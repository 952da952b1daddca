// The provider of one sign-in: its addresses, from the configuration or from discovery, and the client that is registered there.
import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { boundTo, mayGoTo } from "../accounts/client-binding.ts";
import { BY_HAND } from "../diagnosis/advice.ts";
import type { Explanation } from "../diagnosis/explain.ts";
import { explainNetwork, networkProblem } from "../diagnosis/network-words.ts";
import { PackAuthError } from "../errors.ts";
import { wasNeverSent } from "../network/network-failure.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import { discoverConfigured, discoverResource, discoverServer, type ResourceAddress, type Server } from "./discovery.ts";
import { explainOtherServer } from "./metadata-advice.ts";
import type { Reach } from "./provider-fetch.ts";
import { isCurrent, registerClient } from "./registration.ts";

export interface Provider {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The provider's metadata, if discovery found it. */
  readonly server?: Server;
  /** The API that the token is for (RFC 8707), if discovery started from it. */
  readonly resource?: string;
}

/**
 * Discovers the provider for useDynamicClientRegistration without URLs. Asks the pack's MCP servers and domains in turn for the issuer of
 * their tokens.
 * Throws configuration-invalid with what was tried.
 */
export async function discoverProvider(resources: readonly ResourceAddress[], configRoot: string, reach: Reach): Promise<Provider> {
  const explanations: string[] = [];
  const { reach: listened, problems, unreached } = listening(reach);
  const [requestedResources, requestedIssuers] = [new Set<string>(), new Set<string>()];
  for (const { address, isMcp = false } of resources) {
    const resource = await discoverResource({ address, isMcp }, requestedResources, listened);
    if (resource?.other !== undefined)
      explanations.push(
        `The metadata of ${address} names another resource, ${resource.other}, so it was not used (RFC 9728, section 3.3). Declare the MCP server under that address, or set authorizationUrl and tokenUrl.`,
      );
    for (const issuer of resource?.issuers ?? []) {
      if (requestedIssuers.has(issuer)) continue;
      requestedIssuers.add(issuer);
      const { server, otherServers } = await discoverServer(issuer, listened);
      explanations.push(...[explainOtherServer(otherServers)].filter((text) => text !== undefined));
      if (server?.authorizationUrl === undefined || server.tokenUrl === undefined) continue;
      return { authorizationUrl: server.authorizationUrl, tokenUrl: server.tokenUrl, server, ...defined({ resource: resource?.resource }) };
    }
  }
  const hosts = [...new Set(resources.map(({ address }) => new URL(address).host))];
  const [unasked] = resources.flatMap(({ address, isMcp }) => (isMcp && unreached.get(new URL(address).host)?.advice) || []);
  throw new PackAuthError(
    "configuration-invalid",
    hosts.length === 0
      ? "The pack declares no MCP server and no network domain that could say who issues its tokens."
      : hosts.length === 1
        ? `No provider was found: ${String(hosts[0])} does not say who issues its tokens (RFC 9728, RFC 8414).`
        : `No provider was found: neither ${hosts.join(" nor ")} says who issues its tokens (RFC 9728, RFC 8414).`,
    {
      // An unreachable MCP server did not say that it has no provider. A domain need not have a server at all.
      hint:
        explanations[0] ??
        [problems()[0], unasked ?? "Set authorizationUrl and tokenUrl, or declare the MCP server's domain."].filter(Boolean).join(" "),
      nextStep: nextStepOf(unreached),
      configPath: `${configRoot}.useDynamicClientRegistration`,
    },
  );
}

const nextStepOf = (unreached: ReadonlyMap<string, Explanation>) => [...unreached.values()].find(({ nextStep }) => nextStep)?.nextStep;

/**
 * Collects why responses were unusable: the host was unreachable, for example for an untrusted certificate, or it returned something else
 * than metadata.
 * The absence of metadata then proves nothing. A host that timed out is not requested again.
 */
function listening(reach: Reach): {
  readonly reach: Reach;
  problems(): readonly string[];
  readonly unreached: ReadonlyMap<string, Explanation>;
} {
  const problemsByHost = new Map<string, string>();
  const unreached = new Map<string, Explanation>();
  const silent = new Map<string, unknown>();
  const fetch: Reach["fetch"] = async (url, init) => {
    const { host } = new URL(url);
    if (silent.has(host)) throw silent.get(host);
    return reach.fetch(url, init);
  };
  const onProblem = (address: string, error: unknown): void => {
    const { host } = new URL(address);
    if (error instanceof Error && error.name === "TimeoutError") silent.set(host, error);
    if (wasNeverSent(error)) unreached.set(host, explainNetwork(error, host, mcpServer(host)));
    const problem = discoveryProblem(error, host);
    if (problem !== undefined && !problemsByHost.has(host)) problemsByHost.set(host, problem);
  };
  return { reach: { ...reach, fetch, onProblem }, problems: () => [...problemsByHost.values()], unreached };
}

/** The step of a request to an MCP server, before anything is known of it. */
const mcpServer = (serverName: string) =>
  ({ phase: "resource", mcp: { serverName, isHttpSse: false, isOfSession: false, isAnonymous: true } }) as const;

/** Returns why metadata could not be read, as a sentence; undefined if the response only says that there is no metadata. */
export function discoveryProblem(error: unknown, host: string): string | undefined {
  if (!(error instanceof oauth.OperationProcessingError)) return `${host} could not be asked: ${networkProblem(error, host).sentence}`;
  if (error.code === oauth.RESPONSE_IS_NOT_JSON) return `${host} answered with a web page instead of its metadata.`;
  if (error.code === oauth.PARSE_ERROR) return `The metadata of ${host} is not valid JSON.`;
  return error.code === oauth.RESPONSE_IS_NOT_CONFORM
    ? undefined
    : `The metadata of ${host} lacks what the standard requires: ${error.message}.`;
}

interface ClientRequest {
  readonly auth: AuthenticationDefinition;
  readonly configRoot: string;
  readonly packName: string;
  readonly redirectUri: string;
  readonly now: () => number;
  readonly stored: ClientCredentials | undefined;
  keepClient(client: ClientCredentials): Promise<void>;
}

/** Returns the stored client if it is still valid, else registers a new one. Throws configuration-invalid or token-exchange-failed. */
export async function registeredClient(provider: Provider, request: ClientRequest, reach: Reach): Promise<ClientCredentials> {
  const { auth, configRoot, redirectUri, stored } = request;
  const { reach: listened, problems, unreached } = listening(reach);
  const { server, otherServers } =
    provider.server === undefined
      ? await discoverConfigured(provider.authorizationUrl, provider.tokenUrl, listened)
      : { server: provider.server, otherServers: [] };
  if (
    stored !== undefined &&
    server !== undefined &&
    isCurrent(stored, server, redirectUri, request.now()) &&
    mayGoTo(stored, provider.tokenUrl)
  )
    return stored;
  const registrationUrl = server?.registrationUrl;
  if (server === undefined || registrationUrl === undefined) {
    const explanation = server === undefined ? (explainOtherServer(otherServers) ?? problems()[0]) : undefined;
    throw new PackAuthError(
      "configuration-invalid",
      `${new URL(provider.tokenUrl).host} has no address for dynamic client registration (RFC 7591).`,
      {
        hint: [explanation, BY_HAND.hint].filter(Boolean).join(" "),
        nextStep: nextStepOf(unreached) ?? BY_HAND.nextStep,
        configPath: `${configRoot}.useDynamicClientRegistration`,
      },
    );
  }
  const { packName } = request;
  const registered = await registerClient({ server: { ...server, registrationUrl }, redirectUri, packName, auth, configRoot }, reach);
  const client = boundTo(registered, provider.tokenUrl);
  await request.keepClient(client);
  return client;
}
