// Revokes an account's tokens at the provider (RFC 7009) when the account is removed. This is best effort: the account is removed in any
// case, and the person sees whether the provider agreed.

import * as oauth from "oauth4webapi";
import { withoutStop } from "../diagnosis/facts.ts";
import { explainNetwork } from "../diagnosis/network-words.ts";
import { isClientRefusal } from "../diagnosis/oauth-codes.ts";
import { quoteError } from "../diagnosis/words.ts";
import type { ClientCredentials, ClientMethod, OAuth2Credential } from "../secrets/credential.ts";
import { createRedactor } from "../secrets/redact.ts";
import { authenticationBy, basicForms } from "./client-authentication.ts";
import { providerOptions, type Reach } from "./provider-fetch.ts";
import { normaliseTokenResponse } from "./token-response.ts";

interface Revocation {
  readonly revocationUrl: string;
  readonly client: ClientCredentials;
  readonly clientMethod?: ClientMethod;
}

interface RevocationFailure {
  /** The provider's error, masked. */
  readonly problem: string;
  /** True if the provider refused the client ID or secret. */
  readonly isClientRefused: boolean;
}

/** Revokes both tokens of a credential. Returns undefined if that succeeded. Never throws. */
export async function revokeTokens(
  credential: OAuth2Credential,
  revocation: Revocation,
  reach: Reach,
): Promise<RevocationFailure | undefined> {
  const { revocationUrl, client, clientMethod } = revocation;
  const { host, origin } = new URL(revocationUrl);
  const server = { issuer: origin, revocation_endpoint: revocationUrl };
  const methods = methodsOf(client, clientMethod);
  const { accessToken, refreshToken } = credential;
  // The refresh token comes first, because with it the provider ends the whole grant (RFC 7009, section 2.1).
  const tokens = [
    ...(refreshToken === undefined ? [] : [[refreshToken, "refresh_token"] as const]),
    [accessToken, "access_token"] as const,
  ];
  const redactor = createRedactor([accessToken, refreshToken, client.clientSecret].filter((secret) => secret !== undefined));
  /** Returns undefined if the provider revoked the token. Throws the error of the network. */
  const refusalOf = async (token: string, hint: string): Promise<Refusal | undefined> => {
    const options = { ...providerOptions(revocationUrl, reach), additionalParameters: { token_type_hint: hint } };
    let refusal: Refusal | undefined;
    for (const method of methods) {
      const authenticate = authenticationBy(method, client);
      const response = await oauth.revocationRequest(server, { client_id: client.clientId }, authenticate, token, options);
      // Any 2xx status is a success, because some providers return 204.
      if (response.ok) return undefined;
      refusal = await refusalIn(response);
      if (![400, 401].includes(response.status) || refusal.code === OTHER_KIND) break;
    }
    return refusal;
  };
  for (const [index, [token, hint]] of tokens.entries()) {
    try {
      const refusal = await refusalOf(token, hint);
      if (refusal === undefined) continue;
      const { code, description, isExplicit } = refusal;
      // RFC 7009, section 2.2.1: a provider need not revoke both kinds. The access token may also be invalid once the grant has ended.
      const isGone = isExplicit && index === tokens.length - 1 && index > 0;
      if (isGone || (code === OTHER_KIND && tokens.length > 1)) continue;
      // The text is masked before it is cut, because a cut secret would no longer be recognized.
      const providerError = quoteError(redactor.redact(code), description && redactor.redact(description));
      return { problem: `${host}: ${providerError}`, isClientRefused: isClientRefusal(code) };
    } catch (error) {
      return { problem: redactor.redact(withoutStop(explainNetwork(error, host).reason)), isClientRefused: false };
    }
  }
  return undefined;
}

const OTHER_KIND = "unsupported_token_type";

interface Refusal {
  readonly code: string;
  readonly description: string | undefined;
  /** True if the provider named the error, false if only the status says so. */
  readonly isExplicit: boolean;
}

/** Reads the error from the body first: with status 401, a response always has a challenge too (RFC 6749, section 5.2). */
async function refusalIn(rawResponse: Response): Promise<Refusal> {
  const { response, status } = await normaliseTokenResponse(rawResponse, {}, false);
  const { error, error_description: description } = (await response.json()) as { error: string; error_description?: string };
  const isExplicit = error !== `http_${status}`;
  return { code: isExplicit ? error : `status ${status}`, description, isExplicit };
}

/**
 * Returns the methods to try. A server must accept HTTP Basic for a client with a secret (RFC 6749, section 2.3.1); some accept only that
 * here.
 */
function methodsOf(client: ClientCredentials, lastMethod: ClientMethod | undefined): readonly ClientMethod[] {
  if (client.clientSecret === undefined) return ["none"];
  if (lastMethod === "basic-encoded") return [lastMethod, "form"];
  return lastMethod === "basic" ? [...basicForms(client), "form"] : ["form", ...basicForms(client)];
}
