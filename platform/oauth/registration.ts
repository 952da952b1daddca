// Dynamic client registration (RFC 7591): the application registers itself with a provider that discovery found, and receives its own
// client ID.

import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { BY_HAND } from "../diagnosis/advice.ts";
import { explain } from "../diagnosis/explain.ts";
import { withoutStop } from "../diagnosis/facts.ts";
import { explainNetwork } from "../diagnosis/network-words.ts";
import { adviceOf, quoteError, refusalMessage } from "../diagnosis/words.ts";
import { PackAuthError } from "../errors.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import { isSecretAuthMethod, SECRET_AUTH_METHODS } from "./client-authentication.ts";
import type { Server } from "./discovery.ts";
import { providerOptions, type Reach } from "./provider-fetch.ts";
import { isSecretTooLong } from "./token-response.ts";

interface RegistrationRequest {
  readonly server: Server & { readonly registrationUrl: string };
  readonly redirectUri: string;
  readonly packName: string;
  readonly auth: AuthenticationDefinition;
  /** The member that contains the configuration, for error links. */
  readonly configRoot: string;
}

/**
 * Registers a native application with one redirect address (RFC 8252, section 8.4). Returns its credentials. Throws token-exchange-failed.
 */
export async function registerClient(request: RegistrationRequest, reach: Reach): Promise<ClientCredentials> {
  const { server, redirectUri, auth } = request;
  const metadata = {
    client_name: `Pack Auth: ${request.packName}`,
    application_type: "native",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: clientMethodOf(server),
    ...(auth.scopes === undefined || auth.scopes.length === 0 ? {} : { scope: auth.scopes.join(" ") }),
  };
  const as = { issuer: server.issuer, registration_endpoint: server.registrationUrl };
  let client: Awaited<ReturnType<typeof oauth.processDynamicClientRegistrationResponse>>;
  try {
    const response = await oauth.dynamicClientRegistrationRequest(as, metadata, providerOptions(server.registrationUrl, reach));
    client = await oauth.processDynamicClientRegistrationResponse(await tolerate(response));
  } catch (error) {
    throw reach.signal?.aborted ? error : failure(error, request);
  }
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: expires, token_endpoint_auth_method: named } = client;
  const clientSecret = typeof secret === "string" ? secret : undefined;
  if (clientId.length > LONGEST_CLIENT_ID || (clientSecret !== undefined && isSecretTooLong(clientSecret)))
    throw new PackAuthError(
      "token-exchange-failed",
      `${new URL(server.registrationUrl).host} did not register the application: its client ID or secret is too long.`,
      { ...BY_HAND, configPath: `${request.configRoot}.useDynamicClientRegistration` },
    );
  // 0 means that the secret never expires (RFC 7591, section 3.2.1).
  const expiresAt = Number(expires ?? 0) * 1000 || undefined;
  // The provider may choose another method than the requested one, and returns it (RFC 7591, section 3.2.1).
  const authMethod = isSecretAuthMethod(named) ? named : undefined;
  const registration = { issuer: server.issuer, redirectUri, ...defined({ authMethod, expiresAt }) };
  return { clientId, ...defined({ clientSecret }), registration };
}

/** Prefers a public client (RFC 8252, section 8.5). Without a list the provider supports only Basic (RFC 8414). */
function clientMethodOf({ clientMethods = ["client_secret_basic"] }: Server): string {
  return ["none", ...SECRET_AUTH_METHODS].find((method) => clientMethods.includes(method)) ?? "none";
}

/** Characters of a client ID, which is part of the address that the browser opens. */
const LONGEST_CLIENT_ID = 4_096;

/**
 * Corrects deviations of providers: status 200 for 201, an empty secret for none, and a missing or invalid expiry. Such a secret never
 * expires (RFC 7591, section 3.2.1).
 */
async function tolerate(response: Response): Promise<Response> {
  if (!response.ok) return withoutChallenge(response);
  const responseBody: unknown = await response.json().catch(() => undefined);
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method }: Readonly<Record<string, unknown>> = isRecord(
    responseBody,
  )
    ? responseBody
    : {};
  const expires = Number(client_secret_expires_at);
  const members = {
    client_id,
    client_secret: client_secret === null || client_secret === "" ? undefined : client_secret,
    client_secret_expires_at: Number.isFinite(expires) && expires > 0 ? expires : 0,
    token_endpoint_auth_method,
  };
  return new Response(JSON.stringify(members), { status: 201 });
}

/** Removes the challenge, because the library does not read the body of a response that has one. The error in the body is more specific. */
function withoutChallenge(response: Response): Response {
  const { status, headers: originalHeaders, body } = response;
  const headers = new Headers(originalHeaders);
  headers.delete("www-authenticate");
  return originalHeaders.has("www-authenticate") ? new Response(body, { status, headers }) : response;
}

/** Returns whether a registration can be used for this provider and redirect address. `now` is in milliseconds since the epoch. */
export function isCurrent(client: ClientCredentials, server: Server, redirectUri: string, now: number): boolean {
  const { registration } = client;
  if (registration === undefined) return false;
  const expired = registration.expiresAt !== undefined && registration.expiresAt <= now;
  return !expired && registration.issuer === server.issuer && registration.redirectUri === redirectUri;
}

function failure(error: unknown, { server, redirectUri, auth, configRoot }: RegistrationRequest): PackAuthError {
  const { host } = new URL(server.registrationUrl);
  const configPath = `${configRoot}.useDynamicClientRegistration`;
  const status = error instanceof oauth.OperationProcessingError && error.cause instanceof Response ? error.cause.status : undefined;
  const isRefused = error instanceof oauth.ResponseBodyError || (status !== undefined && status !== 201);
  if (isRefused) {
    const { code, description } =
      error instanceof oauth.ResponseBodyError
        ? { code: error.error, description: error.error_description }
        : { code: `http_${String(status)}`, description: undefined };
    const explanation = explain({
      phase: "registration",
      auth,
      providerError: { code, ...defined({ description }) },
      signIn: { client: "registered", address: server.registrationUrl, redirectUri },
    });
    return new PackAuthError(
      "token-exchange-failed",
      refusalMessage(`${host} did not register the application`, explanation, quoteError(code.replace("http_", "status "), description)),
      { ...(explanation === undefined ? BY_HAND : adviceOf(explanation)), configPath, diagnosis: explanation?.id, cause: error },
    );
  }
  if (error instanceof oauth.OperationProcessingError)
    return new PackAuthError("token-exchange-failed", `${host} did not register the application: its answer contains no client ID.`, {
      ...BY_HAND,
      configPath,
      cause: error,
    });
  const explanation = explainNetwork(error, host, { phase: "registration" });
  return new PackAuthError("token-exchange-failed", `The application could not be registered: ${withoutStop(explanation.reason)}.`, {
    ...adviceOf(explanation),
    configPath,
    diagnosis: explanation.id,
    cause: error,
  });
}
