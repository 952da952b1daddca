// Builds the address that the browser opens: the authorization request of RFC 6749, section 4.1.1, as the configuration shapes it.
import * as oauth from "oauth4webapi";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FieldWith } from "../../spec/configuration-fields.ts";

type Parameters = Readonly<Record<string, string>>;

/** Returns the parameter with the scopes (RFC 6749, section 3.3); empty if there are none. */
export const scopeParameter = ({ scopes = [], scopeDelimiter = " ", scopeParamName = "scope" }: AuthenticationDefinition): Parameters =>
  scopes.length === 0 ? {} : { [scopeParamName]: scopes.join(scopeDelimiter) };

/** Returns the resource indicator (RFC 8707, section 2). */
export const resourceParameter = ({ resource }: AuthenticationDefinition): Parameters => (resource === undefined ? {} : { resource });

/** Returns the code challenge of the verifier (RFC 7636, section 4.3); empty if PKCE is not used. */
async function codeChallenge(
  { pkceChallengeMethod = "S256" }: AuthenticationDefinition,
  verifier: string | undefined,
): Promise<Parameters> {
  if (verifier === undefined) return {};
  const challenge = pkceChallengeMethod === "plain" ? verifier : await oauth.calculatePKCECodeChallenge(verifier);
  return { code_challenge: challenge, code_challenge_method: pkceChallengeMethod };
}

const additionalParameters = ({ additionalParams = {} }: AuthenticationDefinition): Parameters =>
  Object.fromEntries(
    Object.entries(additionalParams)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );

/** How each field enters the request. */
const PARAMETERS: Readonly<
  Record<
    FieldWith<"authorization request">,
    (auth: AuthenticationDefinition, verifier: string | undefined) => Parameters | Promise<Parameters>
  >
> = {
  additionalParams: additionalParameters,
  scopes: scopeParameter,
  scopeDelimiter: scopeParameter,
  scopeParamName: scopeParameter,
  resource: resourceParameter,
  pkceChallengeMethod: codeChallenge,
};

/** Returns the URL of the authorization request (RFC 6749, section 4.1.1). The platform's own parameters override additionalParams. */
export async function authorizationRequest(
  auth: AuthenticationDefinition,
  authorizationUrl: string,
  {
    clientId,
    redirectUri,
    state,
    verifier,
  }: { readonly clientId: string; readonly redirectUri: string; readonly state: string; readonly verifier?: string },
): Promise<string> {
  const url = new URL(authorizationUrl);
  const { additionalParams, ...own } = PARAMETERS;
  const standard = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, state };
  for (const enter of [additionalParams, () => standard, ...new Set(Object.values(own))])
    for (const [name, value] of Object.entries(await enter(auth, verifier))) url.searchParams.set(name, value);
  // Spaces are sent as %20, because some providers read a + as a plus sign.
  url.search = url.searchParams.toString().replaceAll("+", "%20");
  return url.href;
}
