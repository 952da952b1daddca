// OAuth 2.0 authorization code (RFC 6749, section 4.1; PKCE: RFC 7636; native apps: RFC 8252): browser, callback, exchange.

import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import * as oauth from "oauth4webapi";
import { defined } from "../../../base/defined.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { configRoot } from "../../../spec/auth-types.ts";
import type { SignedIn } from "../../accounts/signed-in.ts";
import type { Cause } from "../../diagnosis/diagnosis.ts";
import { explain } from "../../diagnosis/explain.ts";
import type { SignInFacts } from "../../diagnosis/failure.ts";
import { adviceOf, configPathOf, quoteError, refusalMessage } from "../../diagnosis/words.ts";
import { PackAuthError } from "../../errors.ts";
import { withinTime } from "../../network/abortable.ts";
import { withoutEndSlashes } from "../../network/endpoint.ts";
import { publicFetch, refuseNamed } from "../../network/look-up.ts";
import { isReachable } from "../../network/reachable-address.ts";
import { logicalText, sandboxAddress } from "../../network/sandbox-address.ts";
import { type PageRefusal, refusalOnPage } from "../../oauth/authorization-page.ts";
import { authorizationRequest } from "../../oauth/authorization-request.ts";
import { CALLBACK_PROBLEMS, extraParameters, type UnusableCallback } from "../../oauth/callback.ts";
import { withEndpoint } from "../../oauth/configured-url.ts";
import { type Discovered, discoverConfigured, mayRevoke, type Server } from "../../oauth/discovery.ts";
import { listenForRedirect } from "../../oauth/loopback-listener.ts";
import { explainOtherServer, metadataFacts, unusedMetadataNote } from "../../oauth/metadata-advice.ts";
import { discoverProvider, type Provider, registeredClient } from "../../oauth/provider.ts";
import { type Reach, sandboxReach } from "../../oauth/provider-fetch.ts";
import { type Receiver, type RedirectSettings, receiveInEditor, withForwardedPort } from "../../oauth/receiver.ts";
import { requestToken, TokenRequestError } from "../../oauth/token-request.ts";
import type { ClientCredentials } from "../../secrets/credential.ts";
import { BACK, orBack } from "../in-order.ts";
import { awaitBrowser, confirmRedirect } from "./await-browser.ts";
import { endpointFrom } from "./exchanged-endpoint.ts";
import { absoluteUrl, type Flow, type FlowContext, tokenEndpoint } from "./flow.ts";

export const signInWithBrowser: Flow = async (flowContext) => {
  const { back: _back, ...sending } = flowContext;
  // Registration sends requests before the first prompt, so the person cannot go back from that prompt.
  const begun = flowContext.auth.useDynamicClientRegistration === true ? sending : flowContext;
  const context: FlowContext = {
    ...begun,
    redirect: await withForwardedPort(begun.redirect, begun.host),
    host: { ...flowContext.host, fetch: publicFetch(flowContext.host, configuredAddresses(flowContext)) },
  };
  const reach = reachOf(context);
  const provider = await providerOf(context, reach);
  const receiver = await openReceiver({ ...context, redirect: await redirectFor(context, provider) });
  try {
    for (;;) {
      const client = await clientOf(context, provider, receiver.redirectUri, reach);
      if (client === undefined) return undefined;
      const signedIn = await orBack((toClient) =>
        signIn(context.client.isJustEntered() ? { ...context, back: toClient } : context, client, receiver, provider),
      ).catch(async (error: unknown) => {
        if (mayBeForgotten(context, error)) await context.client.forgetRegistration(client).catch(() => {});
        throw error;
      });
      if (signedIn !== BACK) return signedIn;
    }
  } finally {
    receiver.close();
  }
};

/** Returns the configured addresses. Addresses that only the provider names are checked more strictly. */
const configuredAddresses = ({ auth, endpoint }: FlowContext): readonly string[] =>
  [auth.authorizationUrl, auth.tokenUrl].filter((url) => url !== undefined).map((url) => withEndpoint(url.trim(), endpoint));

function reachOf({ host, signal, sandbox }: FlowContext): Reach {
  const reach = { fetch: host.fetch, signal };
  return sandbox ? sandboxReach(reach, sandbox.origin) : reach;
}

/** Limits requests for optional information, so that a slow provider does not delay the sign-in. */
const brieflyReached = ({ host, signal }: FlowContext): Reach => ({ fetch: host.fetch, signal: withinTime(6_000, signal) });

/** Returns the configured provider. With dynamic client registration and no addresses, discovers it. */
async function providerOf(context: FlowContext, reach: Reach): Promise<Provider> {
  const { auth, endpoint } = context;
  const leaves = auth.useDynamicClientRegistration === true && auth.authorizationUrl === undefined && auth.tokenUrl === undefined;
  if (!leaves) return { authorizationUrl: absoluteUrl(context, "authorizationUrl"), tokenUrl: absoluteUrl(context, "tokenUrl") };
  context.host.progress("Looking for the provider…");
  const servers = context.mcpServers.map((address) => withEndpoint(address.trim(), endpoint));
  const otherAddresses = [...(endpoint === undefined ? [] : [endpoint]), ...context.domains.map((domain) => `https://${domain}/`)];
  const resources = [...servers.map((address) => ({ address, isMcp: true })), ...otherAddresses.map((address) => ({ address }))].filter(
    ({ address }) => URL.canParse(address),
  );
  const provider = await discoverProvider(resources, configRoot(context.scope), reach);
  // The browser opens this address itself, so `fetch` cannot check it.
  if (!context.sandbox) await refuseNamed(provider.authorizationUrl, context.host, context.signal);
  const { server } = provider;
  const addresses = [provider.authorizationUrl, provider.tokenUrl, server?.registrationUrl].filter((address) => address !== undefined);
  context.host.log(`${String(server?.issuer)} issues the tokens of ${String(provider.resource)}. Its addresses: ${addresses.join(", ")}`);
  return provider;
}

async function clientOf(
  context: FlowContext,
  provider: Provider,
  redirectUri: string,
  reach: Reach,
): Promise<ClientCredentials | undefined> {
  const { auth, sandbox, packName, host } = context;
  const registers = auth.useDynamicClientRegistration === true;
  if (sandbox && !registers) return sandbox.clientCredentials;
  // The stored client is for the real provider. The sandbox registers each sign-in separately, and the pack does not store that client.
  const stored = sandbox ? undefined : await context.client.stored();
  const isTyped = stored !== undefined && stored.registration === undefined;
  if (!registers || isTyped) return context.client.credentialsFor(provider.tokenUrl, context.back);
  context.host.progress(`Registering the application at ${new URL(provider.server?.registrationUrl ?? provider.tokenUrl).host}…`);
  const request = {
    auth,
    configRoot: configRoot(context.scope),
    packName,
    redirectUri,
    now: host.now,
    stored,
    keepClient: sandbox ? async () => {} : (client: ClientCredentials) => context.client.keep(client),
  };
  return registeredClient(provider, request, reach);
}

/**
 * Returns a redirect address of its own for a discovered provider that does not name itself in responses (RFC 9700, section 4.4.2.2).
 * A code from another provider, to which it may have sent the browser, does not arrive there. A redirect address that was registered by
 * hand stays unchanged.
 */
async function redirectFor({ redirect, sandbox, client }: FlowContext, { server }: Provider): Promise<RedirectSettings> {
  if (server === undefined || server.namesIssuer || sandbox) return redirect;
  const stored = await client.stored();
  if (stored !== undefined && stored.registration === undefined) return redirect;
  const own = createHash("sha256").update(server.issuer).digest("hex").slice(0, 8);
  return { ...redirect, path: `${withoutEndSlashes(redirect.path)}/${own}` };
}

async function openReceiver({ sandbox, redirect, host }: FlowContext): Promise<Receiver> {
  if (sandbox) {
    // The sandbox accepts any loopback address, so a busy port or a missing localhost must not fail the sign-in.
    const receiver = await listenForRedirect({ ...redirect, host: "127.0.0.1", port: 0 }, host.externalAddress?.bind(host), host.home);
    if (host.externalAddress !== undefined)
      await sandbox.addAddresses?.([await host.externalAddress(`${sandbox.origin}/`), receiver.redirectUri]).catch((error: unknown) => {
        receiver.close();
        throw error;
      });
    return receiver;
  }
  if (redirect.via === "editor" && host.editorAddress !== undefined) return receiveInEditor(host.editorAddress);
  return listenForRedirect(redirect, host.externalAddress?.bind(host), host.home);
}

async function signIn(
  context: FlowContext,
  client: ClientCredentials,
  receiver: Receiver,
  provider: Provider,
): Promise<SignedIn | undefined> {
  const { redirectUri } = receiver;
  const { authorizationUrl, tokenUrl } = provider;
  const effectiveAuth = authFor(context, client, provider);
  const confirmed = context.sandbox
    ? { forcePkce: context.forcePkce }
    : await confirmRedirect(context, redirectUri, effectiveAuth, client.registration !== undefined);
  if (confirmed === undefined) return undefined;
  const state = oauth.generateRandomState();
  const usesPkce = effectiveAuth.useProofKeyForCodeExchange === true || confirmed.forcePkce;
  const verifier = usesPkce ? oauth.generateRandomCodeVerifier() : undefined;
  const auth = { ...effectiveAuth, useProofKeyForCodeExchange: usesPkce };
  const requestWith = (own: { readonly state: string; readonly verifier?: string }): Promise<string> =>
    authorizationRequest(auth, authorizationUrl, { clientId: client.clientId, redirectUri, ...own });
  const url = await requestWith({ state, ...defined({ verifier }) });
  // Discovery runs while the person is in the browser, so that it costs no extra time.
  const discovery =
    context.sandbox || provider.server !== undefined
      ? { server: provider.server, otherServers: [] }
      : discoverConfigured(authorizationUrl, tokenUrl, brieflyReached(context));
  const address = context.sandbox ? sandboxAddress(url, context.sandbox.origin) : url;
  const authorization = { authorizationUrl, auth, client, redirectUri, configRoot: configRoot(context.scope) };
  const askPage = async (signal: AbortSignal): Promise<PackAuthError | undefined> => {
    await setTimeout(context.pageDelay, undefined, { signal }).catch(() => {});
    if (context.sandbox || signal.aborted) return undefined;
    // This request has its own state, so a response to it cannot complete the sign-in.
    const own = await requestWith({
      state: oauth.generateRandomState(),
      ...defined({ verifier: usesPkce ? oauth.generateRandomCodeVerifier() : undefined }),
    });
    const page = await refusalOnPage(own, { fetch: context.host.fetch, signal }, context.recordPage);
    return page === undefined ? undefined : explainRefusal(authorization, page, (await discovery).server);
  };
  let end: (failure: Error | undefined) => void = () => {};
  const outcome = new Promise<Error | undefined>((resolve) => {
    end = resolve;
  });
  const parameters = await awaitBrowser(context, receiver, {
    address,
    state,
    askPage,
    explain: async (page) => explainRefusal(authorization, page, (await discovery).server),
    explainUnusable: (unusable) => explainUnusableCallback(authorization, unusable),
    outcome,
  });
  if (parameters === undefined) {
    await context.client.forgetRegistration(client).catch(() => {});
    return undefined;
  }
  const exchange = {
    authorization,
    provider,
    parameters,
    discovered: await discovery,
    forcePkce: confirmed.forcePkce,
    state,
    ...defined({ verifier }),
  };
  const signedIn = exchangeCode(context, exchange);
  // The listener's last page waits for the outcome.
  signedIn.then(() => end(undefined), end);
  return signedIn;
}

interface Exchange {
  readonly authorization: AuthorizationAttempt;
  readonly provider: Provider;
  /** The parameters of the callback. */
  readonly parameters: URLSearchParams;
  readonly discovered: Discovered;
  readonly forcePkce: boolean;
  readonly state: string;
  readonly verifier?: string;
}

/** Exchanges the code for a token (RFC 6749, section 4.1.3). */
async function exchangeCode(context: FlowContext, exchange: Exchange): Promise<SignedIn> {
  const { authorization, provider, parameters, discovered, forcePkce, state, verifier } = exchange;
  const { auth, client, redirectUri } = authorization;
  const { tokenUrl } = provider;
  const { server } = discovered;
  checkIssuer(context, parameters, server);
  if (parameters.has("error")) throw explainRefusal(authorization, refusalIn(parameters), server);
  context.host.progress("Exchanging the code for a token…");
  const callback = readCodeCallback(context, parameters, state);
  const endpoint = tokenEndpoint(context, tokenUrl, client);
  const providerFacts = defined({
    metadata: metadataFacts(server),
    otherHost: otherHostIn(parameters, tokenUrl),
    otherMetadata: explainOtherServer(discovered.otherServers.filter(({ metadata }) => metadata.tokenUrl !== undefined)),
  });
  const tokenResponse = await requestToken(
    { ...endpoint, auth, provider: providerFacts },
    { kind: "code", callback, state, redirectUri, ...defined({ verifier }) },
  );
  if (!context.sandbox) await context.client.rememberRedirect(redirectUri);
  const place = endpointFrom(context, tokenResponse);
  return {
    credential: tokenResponse.credential,
    clientMethod: tokenResponse.method,
    scopesRequested: context.auth.scopes ?? [],
    ...defined({
      client: client.registration === undefined ? undefined : client,
      scopesGranted: tokenResponse.scopesGranted,
      endpoint: place,
      forcePkce: forcePkce || undefined,
    }),
    ...serverPart(context, provider, server, auth),
    flowNotes: [...[unusedMetadataNote(discovered, tokenUrl)].filter((note) => note !== undefined), ...extraNotes(parameters)],
  };
}

/** Adds what discovery found: the API (RFC 8707), and PKCE for a client without a secret of its own (RFC 9700, 2.1.1). */
function authFor({ auth }: FlowContext, client: ClientCredentials, { resource }: Provider): AuthenticationDefinition {
  return {
    ...auth,
    ...defined({ resource: auth.resource ?? resource }),
    ...(client.registration === undefined
      ? {}
      : { useProofKeyForCodeExchange: true, pkceChallengeMethod: auth.pkceChallengeMethod ?? "S256" }),
  };
}

function serverPart(
  context: FlowContext,
  provider: Provider,
  server: Server | undefined,
  auth: AuthenticationDefinition,
): Pick<SignedIn, "server"> {
  const { sandbox } = context;
  const discoveredRevocationUrl = mayRevoke(server?.issuer, provider.tokenUrl) ? server?.revocationUrl : undefined;
  // The sandbox has its own revocation address; a logical address would go to the real provider.
  const revocationUrl = sandbox ? sandbox.revocationUrl : discoveredRevocationUrl;
  const accountServer = defined({
    issuer: server?.issuer,
    tokenUrl: context.auth.tokenUrl === undefined ? provider.tokenUrl : undefined,
    revocationUrl,
    resource: context.auth.resource === undefined ? auth.resource : undefined,
  });
  return Object.keys(accountServer).length === 0 ? {} : { server: accountServer };
}

/** Throws authorization-invalid for a response that another provider issued (RFC 9207, section 2.4). */
function checkIssuer(context: FlowContext, parameters: URLSearchParams, server: Server | undefined): void {
  const [named = null, ...otherIssuers] = parameters.getAll("iss");
  const issuer = named === null ? null : logicalText(named, context.sandbox?.origin);
  if (server === undefined || (issuer === server.issuer && otherIssuers.length === 0) || (issuer === null && !server.namesIssuer)) return;
  const shownIssuer = issuer?.slice(0, LONGEST_ISSUER);
  throw new PackAuthError(
    "authorization-invalid",
    issuer === null
      ? `The answer does not name its issuer, which ${server.issuer} always does (RFC 9207); its code was not used.`
      : `The answer comes from ${String(shownIssuer)}, and the sign-in was begun at ${server.issuer}; its code was not used.`,
    {
      hint:
        issuer !== null && issuer !== server.issuer && withoutEndSlashes(issuer) === withoutEndSlashes(server.issuer)
          ? `Ask the provider to send ${server.issuer} as iss, as its metadata has it: only a slash at the end differs (RFC 9207, section 2.4). The platform may accept the answer all the same.`
          : "Sign in again. If this happens again, check that authorizationUrl and tokenUrl belong to one provider.",
      configPath: `${configRoot(context.scope)}.authorizationUrl`,
    },
  );
}

/** Characters of an unexpected issuer that the message shows. */
const LONGEST_ISSUER = 200;

/**
 * Returns the code and state alone. No parameter may occur twice (RFC 6749, section 3.1); unrequested ones, such as an ID token, are
 * ignored (section 4.1.2).
 */
function readCodeCallback({ scope }: FlowContext, parameters: URLSearchParams, state: string): URLSearchParams {
  const [code = "", ...otherCodes] = parameters.getAll("code");
  if (code !== "" && otherCodes.length === 0 && parameters.getAll("state").length === 1) return new URLSearchParams({ code, state });
  throw new PackAuthError(
    "authorization-invalid",
    code === ""
      ? "The provider sent the browser back with an empty code."
      : "The provider sent the browser back with a parameter twice. None of its codes was used.",
    {
      hint: "Sign in again. If this happens again, compare authorizationUrl with the provider's documentation.",
      configPath: `${configRoot(scope)}.authorizationUrl`,
    },
  );
}

/** Returns an address on another host that came with the code, for example that of the account's data centre. */
function otherHostIn(parameters: URLSearchParams, tokenUrl: string): SignInFacts["otherHost"] {
  const { host } = new URL(tokenUrl);
  const other = extraParameters(parameters).find(([, value]) => isReachable(value, tokenUrl) && new URL(value).host !== host);
  if (other === undefined) return undefined;
  const [parameter, value] = other;
  return { parameter, origin: new URL(value).origin };
}

function extraNotes(parameters: URLSearchParams): readonly string[] {
  const names = extraParameters(parameters).map(([name]) => name);
  return names.length === 0 ? [] : [`The provider sent ${names.join(", ")} with the code. The platform passes this to no pack.`];
}

/** Explains an unusable callback. Invariant: it may come from anybody, so nothing is stored, asked or deleted because of it. */
function explainUnusableCallback(authorization: AuthorizationAttempt, { problem, parameters }: UnusableCallback): PackAuthError {
  const { auth, redirectUri, configRoot } = authorization;
  if (problem === "no-state" && parameters.has("error")) {
    const { message, hint, nextStep, configPath } = explainRefusal(authorization, refusalIn(parameters), undefined);
    return new PackAuthError("authorization-invalid", `${message} The answer has no state.`, { hint, nextStep, configPath });
  }
  const mode = auth.additionalParams?.response_mode === undefined ? undefined : "additionalParams";
  const byQuery =
    mode === undefined
      ? "Let the provider send the browser back with the code in the address (response_mode=query)."
      : "Remove response_mode from additionalParams, and sign in again.";
  const compare = "Compare authorizationUrl with the provider's documentation.";
  const hints: Readonly<Record<UnusableCallback["problem"], string>> = {
    "no-state": compare,
    empty: compare,
    fragment: byQuery,
    post: byQuery,
    path: `Register ${redirectUri} at the provider, exactly like this.`,
  };
  return new PackAuthError("authorization-invalid", CALLBACK_PROBLEMS[problem], {
    hint: hints[problem],
    configPath: `${configRoot}.${(["fragment", "post"].includes(problem) && mode) || "authorizationUrl"}`,
  });
}

/** Reads the error of a callback (RFC 6749, section 4.1.2.1). */
function refusalIn(callback: URLSearchParams): PageRefusal {
  const code = callback.get("error") ?? "";
  const description = callback.get("error_description") ?? undefined;
  return { code, providerError: quoteError(code, description), ...defined({ description }) };
}

interface AuthorizationAttempt {
  readonly authorizationUrl: string;
  readonly auth: AuthenticationDefinition;
  readonly client: ClientCredentials;
  readonly redirectUri: string;
  readonly configRoot: string;
}

/** Explains the provider's refusal. Without words of the provider, the person has read them on its page. */
function explainRefusal(
  authorization: AuthorizationAttempt,
  { code, description, providerError, isOnPage }: PageRefusal,
  server: Server | undefined,
): PackAuthError {
  const { authorizationUrl, auth, client, redirectUri, configRoot } = authorization;
  const isRegistered = client.registration !== undefined;
  const explanation = explain({
    phase: "authorization",
    auth,
    providerError: { code, ...defined({ description }) },
    signIn: {
      client: isRegistered ? "registered" : "confidential",
      address: authorizationUrl,
      redirectUri,
      ...defined({ isOnPage, metadata: metadataFacts(server) }),
    },
  });
  const isExplained = explanation !== undefined && explanation.id !== "unexplained";
  const isDenied = explanation?.id === "access-denied";
  const what = isDenied ? "The access was denied" : `${new URL(authorizationUrl).host} refused the sign-in`;
  const isTyped = explanation?.blamesClient === true && !isRegistered;
  return new PackAuthError(
    isTyped ? "credentials-refused" : "authorization-denied",
    refusalMessage(what, isExplained && !isDenied ? explanation : undefined, providerError),
    {
      ...(explanation && adviceOf(explanation)),
      configPath: configPathOf(configRoot, explanation ?? {}),
      diagnosis: explanation?.id,
      cause: explanation,
    },
  );
}

/**
 * Returns whether the provider may have deleted the registration, so that the next sign-in registers again. Either the provider said so, or
 * the browser never came back and may have shown it.
 */
function mayBeForgotten({ signal }: FlowContext, error: unknown): boolean {
  if (error instanceof TokenRequestError) return error.isClientRefused;
  if (!(error instanceof PackAuthError)) return signal.aborted;
  return error.code === "authorization-timed-out" || (error.cause as Cause | undefined)?.blamesClient === true;
}
