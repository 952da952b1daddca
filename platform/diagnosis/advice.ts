// Sentences of advice that several diagnoses share.

import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { refreshTokenAsk } from "../../spec/providers.ts";

export const COPY_ANEW = "Copy the client ID and secret again from the provider's developer settings";
export const CLIENT_AGAIN = { advice: `${COPY_ANEW}.`, nextStep: { do: "addClient" }, blamesClient: true } as const;
export const TRY_LATER = "Try again later, and look at the status page or the log of the server.";
export const COMPARE_TOKEN_URL =
  "Compare tokenUrl with the provider's documentation: host, path, version and a slash at the end all count.";
export const BY_HAND = { hint: "Register the application by hand at the provider.", nextStep: { do: "addClient" } } as const;
export const IF_PKCE = "Its metadata lists PKCE: if it demands that, set useProofKeyForCodeExchange: true.";
export const MCP_ADDRESS = "Look up the server's address for Streamable HTTP, and write it as endpointUrl.";

export const AFTER_401 = "The platform renews a token only after a formula fails with a 401 StatusCodeError.";
export const THROW_401 = "Throw a StatusCodeError with status 401 after such an answer.";

/** Returns what to try so that the provider issues a refresh token (RFC 6749, section 1.5). Providers differ in how they do so. */
export function refreshTokenHint(auth: AuthenticationDefinition): string {
  const { params = [], scopes = [], source } = refreshTokenAsk(auth) ?? {};
  const missing = params.filter(({ name }) => auth.additionalParams?.[name] === undefined);
  if (missing.length > 0)
    return `Add additionalParams: { ${missing.map(({ name, value }) => `${name}: "${value}"`).join(", ")} }, and sign in again. See ${source}.`;
  const [scope] = scopes;
  if (scope !== undefined && !scopes.some((each) => auth.scopes?.includes(each)))
    return `Add the scope ${scope}, and sign in again. See ${source}.`;
  if (auth.scopes?.includes("offline_access") === true || auth.scopes?.includes("offline") === true)
    return "Look in the provider's documentation for what else it needs, often prompt: consent. Or allow refresh tokens for the application there. The scope is already requested.";
  return "Many providers issue one only on request: by the scope offline_access, by additionalParams such as access_type: offline, or by a setting of the application.";
}
