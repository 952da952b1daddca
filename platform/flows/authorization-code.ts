// OAuth 2.0 authorization code (RFC 6749, section 4.1; PKCE: RFC 7636; native apps: RFC 8252): browser, callback, exchange.
import * as oauth from "oauth4webapi";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials } from "../credential.ts";
import { endpointProblem, normaliseEndpoint } from "../endpoint.ts";
import { PackAuthError } from "../errors.ts";
import { inItsWords, oauthErrorText } from "../oauth/error-texts.ts";
import { listenForRedirect } from "../oauth/loopback-listener.ts";
import { type Receiver, receiveInEditor } from "../oauth/receiver.ts";
import { requestToken } from "../oauth/token-request.ts";
import { sandboxAddress } from "../sandbox-address.ts";
import { awaitBrowser, confirmRedirect } from "./await-browser.ts";
import { absoluteUrl, configRoot, type Flow, type FlowContext, type SignedIn, tokenEndpoint } from "./flow.ts";

export const signInWithBrowser: Flow = async (context) => {
  const authorizationUrl = absoluteUrl(context, "authorizationUrl");
  const tokenUrl = absoluteUrl(context, "tokenUrl");
  const client = context.sandbox?.clientCredentials ?? (await context.clientCredentials());
  if (client === undefined) return undefined;
  const receiver = await openReceiver(context);
  try {
    return await signIn(context, client, receiver, authorizationUrl, tokenUrl);
  } finally {
    receiver.close();
  }
};

function openReceiver({ sandbox, redirect, host }: FlowContext): Promise<Receiver> {
  // The sandbox takes any loopback address, so a busy port is no reason to fail there.
  if (sandbox) return listenForRedirect({ ...redirect, port: 0 });
  if (redirect.via === "editor" && host.editorAddress !== undefined) return receiveInEditor(host.editorAddress);
  return listenForRedirect(redirect, host.externalAddress?.bind(host));
}

async function signIn(
  context: FlowContext,
  client: ClientCredentials,
  receiver: Receiver,
  authorizationUrl: string,
  tokenUrl: string,
): Promise<SignedIn | undefined> {
  const { redirectUri } = receiver;
  const state = oauth.generateRandomState();
  const verifier = context.auth.useProofKeyForCodeExchange ? oauth.generateRandomCodeVerifier() : undefined;
  const url = await authorizationRequest(context.auth, authorizationUrl, {
    clientId: client.clientId,
    redirectUri,
    state,
    ...(verifier === undefined ? {} : { verifier }),
  });
  if (!context.sandbox && !(await confirmRedirect(context, redirectUri))) return undefined;
  const address = context.sandbox ? sandboxAddress(url, context.sandbox.browserOrigin) : url;
  const parameters = await awaitBrowser(context, receiver, { address, state });
  if (parameters === undefined) return undefined;
  if (parameters.has("error")) throw refused(context, authorizationUrl, parameters, redirectUri);
  context.host.progress("Exchanging the code for a token…");
  // The issuer is not known from the configuration, so RFC 9207's parameter cannot be compared with it.
  parameters.delete("iss");
  const answer = await requestToken(tokenEndpoint(context, tokenUrl, client), {
    kind: "code",
    callback: parameters,
    state,
    redirectUri,
    ...(verifier === undefined ? {} : { verifier }),
  });
  if (!context.sandbox) await context.rememberRedirect(redirectUri);
  const endpoint = endpointFrom(context, answer.raw);
  return {
    credential: answer.credential,
    clientMethod: answer.method,
    scopesRequested: context.auth.scopes ?? [],
    ...(answer.scopesGranted === undefined ? {} : { scopesGranted: answer.scopesGranted }),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** The authorization request (RFC 6749, section 4.1.1): what the platform sets always wins over additionalParams. */
export async function authorizationRequest(
  auth: AuthenticationDefinition,
  authorizationUrl: string,
  attempt: { readonly clientId: string; readonly redirectUri: string; readonly state: string; readonly verifier?: string },
): Promise<string> {
  const url = new URL(authorizationUrl);
  for (const [name, value] of Object.entries(auth.additionalParams ?? {}))
    if (value !== undefined && value !== null)
      url.searchParams.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  const set = (name: string, value: string): void => url.searchParams.set(name, value);
  set("response_type", "code");
  set("client_id", attempt.clientId);
  set("redirect_uri", attempt.redirectUri);
  set("state", attempt.state);
  if (auth.scopes !== undefined && auth.scopes.length > 0)
    set(auth.scopeParamName ?? "scope", auth.scopes.join(auth.scopeDelimiter ?? " "));
  if (auth.resource !== undefined) set("resource", auth.resource);
  if (attempt.verifier !== undefined) {
    const plain = auth.pkceChallengeMethod === "plain";
    set("code_challenge", plain ? attempt.verifier : await oauth.calculatePKCECodeChallenge(attempt.verifier));
    set("code_challenge_method", plain ? "plain" : "S256");
  }
  // Spaces as %20: some providers take a + for a plus.
  url.search = url.searchParams.toString().replaceAll("+", "%20");
  return url.href;
}

/** RFC 6749, section 4.1.2.1. */
function refused(context: FlowContext, authorizationUrl: string, callback: URLSearchParams, redirectUri: string): PackAuthError {
  const code = callback.get("error") ?? "";
  const description = callback.get("error_description") ?? undefined;
  const known = oauthErrorText({
    phase: "authorization",
    code,
    auth: context.auth,
    redirectUri,
    ...(description === undefined ? {} : { description }),
  });
  const { host } = new URL(authorizationUrl);
  const what =
    code === "access_denied"
      ? "The access was denied"
      : `${host} refused the sign-in${known === undefined ? "" : `, because ${known.because}`}`;
  return new PackAuthError("authorization-denied", `${what}: ${inItsWords(code, description)}.`, {
    hint: known?.hint ?? "See the provider's documentation for this error.",
    configPath: `${configRoot(context.scope)}.${known?.field ?? "authorizationUrl"}`,
  });
}

/** auth-spec 5.7.3: a property of the token response holds the endpoint. */
function endpointFrom(context: FlowContext, raw: Readonly<Record<string, unknown>>): string | undefined {
  const { endpointKey } = context.auth;
  if (endpointKey === undefined) return undefined;
  const value = raw[endpointKey];
  const configPath = `${configRoot(context.scope)}.endpointKey`;
  if (typeof value !== "string" || value === "") {
    throw new PackAuthError("endpoint-invalid", `The token response has no text under ${endpointKey}.`, {
      hint: `It has: ${Object.keys(raw).join(", ")}.`,
      configPath,
    });
  }
  if (endpointProblem(value) !== undefined) {
    throw new PackAuthError("endpoint-invalid", `The token response's ${endpointKey} is no https address.`, {
      // Not shown: with a mistaken endpointKey it may be the token.
      hint: "endpointKey must name the property that holds the account's endpoint URL.",
      configPath,
    });
  }
  return normaliseEndpoint(value);
}
