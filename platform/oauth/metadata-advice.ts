// Adds advice from a provider's metadata (RFC 8414) to its errors: unlisted scopes, required PKCE, and other addresses than the configured
// ones. It only advises, because metadata need not be complete.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { PackAuthError } from "../errors.ts";
import type { OAuth2Credential } from "../secrets/credential.ts";
import type { Discovered, OtherServer, Server } from "./discovery.ts";
import { type ErrorText, type OAuthRefusal, oauthErrorText } from "./error-texts.ts";
import { OFFLINE_ACCESS, type TokenRequestError } from "./token-request.ts";

/** The most scopes of a long list that a message shows. */
const MOST_SCOPES = 20;

/**
 * Returns a note about scopes that the metadata does not list, or undefined if it lists all. It is only a hint: a server may omit scopes
 * from the list (RFC 8414, section 2).
 */
function unlistedScopes({ scopes = [] }: AuthenticationDefinition, server: Server | undefined): string | undefined {
  const listed = server?.scopes;
  const missing = listed === undefined || listed.length === 0 ? [] : scopes.filter((scope) => !listed.includes(scope));
  if (listed === undefined || missing.length === 0) return undefined;
  const listedScopes = listed.slice(0, MOST_SCOPES).join(", ");
  return `scopes: the provider's metadata does not list ${missing.join(", ")}. It lists ${listedScopes}${listed.length > MOST_SCOPES ? ", …" : ""}.`;
}

/** Explains a refusal at the authorization page, with the metadata if that says more than the code. */
export function authorizationText(refusal: Omit<OAuthRefusal, "phase">, server: Server | undefined): ErrorText | undefined {
  const listed = server?.scopes === undefined || server.scopes.length === 0 ? {} : { scopesSupported: server.scopes };
  const errorText = oauthErrorText({ ...refusal, phase: "authorization", ...listed });
  const { auth, code, description } = refusal;
  // If the error is only a code, PKCE is the likeliest missing parameter. If it has a description, that may mean another parameter.
  const isGeneral = errorText?.field === "authorizationUrl" || errorText?.field === "additionalParams";
  if (code === "invalid_request" && errorText !== undefined && isGeneral && demandsPkce(auth, server))
    return description !== undefined && description !== code
      ? { ...errorText, hint: `${errorText.hint} ${IF_PKCE}` }
      : {
          because: "a parameter is missing: its metadata lists PKCE (RFC 7636), and useProofKeyForCodeExchange is not set",
          hint: "Set useProofKeyForCodeExchange: true, and sign in again.",
          field: "useProofKeyForCodeExchange",
        };
  const { useProofKeyForCodeExchange: usesPkce, pkceChallengeMethod: method = "S256" } = auth;
  const methods = ["S256", "plain"].filter((each) => server?.challengeMethods?.includes(each));
  if (code === "invalid_request" && isGeneral && usesPkce === true && methods.length > 0 && !methods.includes(method))
    return {
      because: `its metadata does not list pkceChallengeMethod ${method}`,
      hint: `Set pkceChallengeMethod to what it lists: ${methods.join(", ")}. Then sign in again.`,
      field: "pkceChallengeMethod",
    };
  const unlisted = errorText?.field === "scopes" ? unlistedScopes(auth, server) : undefined;
  return errorText === undefined || unlisted === undefined ? errorText : { ...errorText, hint: `Correct ${unlisted}` };
}

const IF_PKCE = "Its metadata lists PKCE: if it demands that, set useProofKeyForCodeExchange: true.";

const demandsPkce = ({ useProofKeyForCodeExchange }: AuthenticationDefinition, server: Server | undefined): boolean =>
  useProofKeyForCodeExchange !== true && server?.challengeMethods?.includes("S256") === true;

/**
 * Adds to a refused token request what the metadata says about tokenUrl and PKCE. The note about another host, from the callback, comes
 * first.
 */
export function withAdvice(
  error: TokenRequestError,
  { server, otherServers }: Discovered,
  auth: AuthenticationDefinition,
  otherHost: string | undefined,
): PackAuthError {
  const advice = [
    error.configPath?.endsWith(".tokenUrl")
      ? explainOtherServer(otherServers.filter(({ metadata }) => metadata.tokenUrl !== undefined))
      : undefined,
    error.summary === "invalid_request" && demandsPkce(auth, server) ? IF_PKCE : undefined,
  ].filter((text) => text !== undefined);
  if (advice.length === 0 && otherHost === undefined) return error;
  const { message, hint, configPath } = error;
  return new PackAuthError(error.code, message, {
    hint: [otherHost, hint, ...advice].filter(Boolean).join(" "),
    configPath,
  });
}

/** Explains metadata that was not used, and which fields to set so that its addresses are used. */
export function explainOtherServer([other]: readonly OtherServer[]): string | undefined {
  if (other === undefined) return undefined;
  const { requestedIssuer, metadata } = other;
  const [issuer, requestedUrl] = [new URL(metadata.issuer).href, new URL(requestedIssuer).href];
  const addresses = (["authorizationUrl", "tokenUrl"] as const)
    .flatMap((field) => (metadata[field] === undefined ? [] : `${field}: ${JSON.stringify(metadata[field])}`))
    .join(" and ");
  const what =
    issuer === requestedUrl
      ? `The metadata of ${issuer} names other addresses.`
      : `The metadata of ${requestedUrl} names another issuer, ${issuer}, so it was not used (RFC 8414, section 3.3).`;
  return addresses === "" ? what : `${what} If that is the right provider, set ${addresses}.`;
}

/** Returns notes about a successful sign-in with this credential. */
export function metadataNotes(
  { server, otherServers }: Discovered,
  auth: AuthenticationDefinition,
  tokenUrl: string,
  { refreshToken }: OAuth2Credential,
): readonly string[] {
  const [other] = server === undefined ? otherServers.filter(({ metadata }) => metadata.tokenUrl === tokenUrl) : [];
  // A provider that issued a refresh token supports the scope for it, even if the metadata does not list that scope.
  const scopes = (auth.scopes ?? []).filter((name) => refreshToken === undefined || name !== OFFLINE_ACCESS);
  const unlisted = unlistedScopes({ ...auth, scopes }, server);
  return [
    unlisted,
    other &&
      `The metadata of ${new URL(other.requestedIssuer).href} names another issuer, ${new URL(other.metadata.issuer).href}. It was not used (RFC 8414, section 3.3), so removing the account revokes nothing. The provider has to name ${new URL(other.requestedIssuer).href}.`,
  ].filter((note) => note !== undefined);
}
