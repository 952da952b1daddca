// Takes a sign-in back at the provider (RFC 7009) when its account is removed. Best effort: the account goes in any case, and the
// person is told whether the provider agreed.
import { t } from "@vscode/l10n";
import * as oauth from "oauth4webapi";
import type { ClientCredentials, OAuth2Credential } from "../accounts/credential.ts";
import { networkMessage } from "../requests/network-message.ts";
import { createRedactor } from "../secrets/redact.ts";
import { authenticationBy, basicForms, type ClientMethod } from "./client-authentication.ts";
import { inItsWords, isClientRefusal } from "./error-texts.ts";
import { providerOptions, type Reach } from "./provider-fetch.ts";

interface Revocation {
  readonly revocationUrl: string;
  readonly issuer?: string;
  readonly client: ClientCredentials;
  readonly clientMethod?: ClientMethod;
}

interface RevocationFailure {
  /** What the provider said, masked. */
  readonly problem: string;
  /** The provider does not take the client ID or the secret. */
  readonly isClientRefused: boolean;
}

/** Undefined where it worked. Never throws. */
export async function revokeTokens(
  credential: OAuth2Credential,
  revocation: Revocation,
  reach: Reach,
): Promise<RevocationFailure | undefined> {
  const { revocationUrl, client, clientMethod } = revocation;
  const { host, origin } = new URL(revocationUrl);
  const server = { issuer: revocation.issuer ?? origin, revocation_endpoint: revocationUrl };
  const secret = client.clientSecret;
  const methods = methodsOf(client, clientMethod);
  const { accessToken, refreshToken } = credential;
  // The refresh token first: with it the provider ends the whole grant (RFC 7009, section 2.1).
  const tokens = [
    ...(refreshToken === undefined ? [] : [[refreshToken, "refresh_token"] as const]),
    [accessToken, "access_token"] as const,
  ];
  const redactor = createRedactor([
    accessToken,
    ...(refreshToken === undefined ? [] : [refreshToken]),
    ...(secret === undefined ? [] : [secret]),
  ]);
  for (const [index, [token, hint]] of tokens.entries()) {
    try {
      const options = { ...providerOptions(revocationUrl, reach), additionalParameters: { token_type_hint: hint } };
      for (const method of methods) {
        const authenticate = authenticationBy(method, client);
        const response = await oauth.revocationRequest(server, { client_id: client.clientId }, authenticate, token, options);
        // Any 2xx: some answer 204.
        if (response.ok) break;
        if (method === methods.at(-1) || ![400, 401].includes(response.status)) await oauth.processRevocationResponse(response);
      }
    } catch (error) {
      const isLast = index === tokens.length - 1;
      // RFC 7009, section 2.2.1: a provider need not revoke both kinds; once the grant is ended, the access token may be gone with it.
      const isOfKind = error instanceof oauth.ResponseBodyError && error.error === "unsupported_token_type";
      if ((isOfKind && tokens.length > 1) || (isLast && index > 0 && error instanceof oauth.ResponseBodyError)) continue;
      const problem =
        error instanceof oauth.ResponseBodyError
          ? // Masked before it is cut: a part of a secret would stay.
            `${host}: ${inItsWords(redactor.redact(error.error), error.error_description && redactor.redact(error.error_description))}`
          : error instanceof oauth.OperationProcessingError
            ? t`${host} answered in an unknown way`
            : networkMessage(error, host).replace(/\.$/, "");
      return {
        problem: redactor.redact(problem),
        isClientRefused: error instanceof oauth.ResponseBodyError && isClientRefusal(error.error),
      };
    }
  }
  return undefined;
}

function methodsOf(client: ClientCredentials, used: ClientMethod | undefined): readonly ClientMethod[] {
  if (client.clientSecret === undefined) return ["none"];
  if (used === "basic-encoded") return [used];
  return used === "basic" ? basicForms(client) : ["form"];
}
