// Builds the address that the browser opens: the authorization request of RFC 6749, section 4.1.1, as the configuration shapes it.
import * as oauth from "oauth4webapi";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";

/** Returns the URL of the authorization request (RFC 6749, section 4.1.1). The platform's own parameters override additionalParams. */
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
  // Spaces are sent as %20, because some providers read a + as a plus sign.
  url.search = url.searchParams.toString().replaceAll("+", "%20");
  return url.href;
}
