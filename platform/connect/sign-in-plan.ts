// The first step of a sign-in: gathers what is known before the person is asked for anything.

import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { type Account, packKey } from "../accounts/accounts.ts";
import type { ToolkitCredentials } from "../accounts/toolkit-credentials.ts";
import type { SignInRecord } from "../evidence/sign-in-facts.ts";
import { endpointProblem, normaliseEndpoint } from "../network/endpoint.ts";
import { DEFAULT_REDIRECT } from "../oauth/receiver.ts";
import type { TokenExchange } from "../oauth/token-request.ts";
import type { Pack } from "../process/pack.ts";
import { ownTimezone } from "../runs/read-date.ts";
import type { WorldOptions } from "../runs/run-world.ts";
import type { ClientMethod } from "../secrets/credential.ts";
import { asksEndpoint } from "./change-endpoint.ts";
import { authenticationOf, flowOf, refuseUnsupported } from "./choose-flow.ts";
import type { Flow, FlowContext } from "./flows/flow.ts";
import type { OAuthCredentialsOptions, TypedClient } from "./oauth-credentials.ts";
import { publishedAddress } from "./published-address.ts";
import type { SignInClient } from "./sign-in-client.ts";

/** Milliseconds until the provider's page is requested: a person who is already signed in there has returned by then. */
const PAGE_DELAY = 5_000;

export interface ConnectOptions extends OAuthCredentialsOptions, Partial<Pick<FlowContext, "sandbox" | "pageDelay" | "back" | "timezone">> {
  /** Credentials that already exist (those of the Packs SDK, or pasted ones), so that no credential is asked for. */
  readonly existingCredentials?: ToolkitCredentials;
  /** The account to sign in again: it is replaced, and its label and sharing stay. */
  readonly existing?: Account;
  /** Scopes to request instead of the configuration's, to give an existing account more access. */
  readonly scopes?: readonly string[];
  /** Whether every workspace may use the account. By default that of the replaced account, else false; the caller asks after the save. */
  readonly shared?: boolean;
  /** Shared by the attempts of one sign-in, so that a second attempt does not ask for client ID and secret again. */
  readonly typedClient?: TypedClient;
  /** The world of getConnectionName and getOptions. */
  readonly world?: WorldOptions;
}

/** Summaries of the provider's responses during the sign-in. */
export interface ProviderResponses {
  readonly exchanges: TokenExchange[];
  authorization?: SignInRecord["authorization"] & object;
}

export interface SignInPlan {
  readonly pack: Pack;
  readonly options: ConnectOptions;
  readonly client: SignInClient;
  /** The packKey of the pack. */
  readonly key: string;
  readonly auth: AuthenticationDefinition;
  readonly flow: Flow;
  /** The account to sign in again. */
  readonly existing: Account | undefined;
  readonly context: FlowContext;
  /** The client authentication method that a failed attempt found; it applies to that client only. */
  readonly learnt: { method?: ClientMethod };
  readonly endpoint: EndpointPlan;
}

interface EndpointPlan {
  /** True if the person has to type the endpoint. */
  readonly needsQuestion: boolean;
  /** The endpoint that need not be typed: the one of the Packs SDK's credentials, if the platform accepts it. */
  readonly existing: string | undefined;
  /** The endpoint that is proposed to the person. */
  readonly proposed: string | undefined;
}

/** Throws PackAuthError if the configuration has no sign-in here. */
export async function planSignIn(
  pack: Pack,
  options: ConnectOptions,
  client: SignInClient,
  providerResponses: ProviderResponses,
): Promise<SignInPlan> {
  const { scope, host, accounts, sandbox } = options;
  const auth = authenticationOf(pack, scope);
  const flow = flowOf(auth, scope);
  const key = packKey(pack.entry);
  // A pack has at most one system account, which every run uses, so a new one replaces it.
  const existing = options.existing ?? (await accounts.list(key)).find((account) => scope === "system" && account.scope === "system");
  const learnt: SignInPlan["learnt"] = {};
  const context: FlowContext = {
    auth: { ...auth, ...defined({ scopes: options.scopes }) },
    scope,
    packName: options.packName,
    host,
    timezone: options.timezone ?? ownTimezone,
    redirect: options.redirect ?? DEFAULT_REDIRECT,
    mcpServers: (pack.definition.mcpServers ?? []).map(({ endpointUrl }) => endpointUrl),
    domains: auth.networkDomain === undefined ? pack.definition.networkDomains : [auth.networkDomain].flat(),
    entered: [],
    published: publishedAddress(pack.entry),
    client,
    remember: (method) => {
      learnt.method = method;
      return accounts.rememberClientMethod(key, scope, method);
    },
    record: (exchange) => void providerResponses.exchanges.push(exchange),
    recordPage: (movedTo) => {
      providerResponses.authorization = defined({ movedTo });
    },
    signal: options.signal ?? new AbortController().signal,
    pageDelay: options.pageDelay ?? PAGE_DELAY,
    forcePkce: existing?.forcePkce === true,
    ...defined({ sandbox, remembered: rememberedMethod(options, key, existing), lastRedirect: accounts.lastRedirect(key, scope) }),
  };
  return { pack, options, client, key, auth, flow, existing, context, learnt, endpoint: planEndpoint(auth, options, existing) };
}

/** Returns the client authentication method to try first. That of the pack's last sign-in is newer than the account's. */
function rememberedMethod(
  { accounts, scope, sandbox }: ConnectOptions,
  key: string,
  existing: Account | undefined,
): ClientMethod | undefined {
  const ofPack = sandbox === undefined ? accounts.clientMethod(key, scope) : undefined;
  const isSameSide = (existing?.sandboxOrigin !== undefined) === (sandbox !== undefined);
  return ofPack ?? (isSameSide ? existing?.clientMethod : undefined);
}

/** Throws configuration-invalid if the endpoint that the configuration asks for is not supported. */
function planEndpoint(
  auth: AuthenticationDefinition,
  { scope, existingCredentials }: ConnectOptions,
  account: Account | undefined,
): EndpointPlan {
  const isNeeded = asksEndpoint(auth);
  if (isNeeded) refuseUnsupported(auth, scope);
  const ofToolkit = existingCredentials?.endpoint === undefined ? undefined : normaliseEndpoint(existingCredentials.endpoint);
  const isUsable = ofToolkit !== undefined && endpointProblem(ofToolkit, auth.endpointDomain) === undefined;
  return { needsQuestion: isNeeded && !isUsable, existing: isUsable ? ofToolkit : undefined, proposed: ofToolkit ?? account?.endpoint };
}
