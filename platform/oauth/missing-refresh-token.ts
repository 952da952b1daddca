// Advises about a token that expires and cannot be refreshed: what to add so that the provider issues a refresh token (RFC 6749, 1.5).
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import type { Credential, OAuth2Credential } from "../secrets/credential.ts";

/** Returns what to try; providers differ in how they issue refresh tokens. */
export function refreshTokenHint(auth: AuthenticationDefinition): string {
  const host = URL.canParse(auth.authorizationUrl ?? "") ? new URL(auth.authorizationUrl ?? "").hostname : "";
  if (/(^|\.)google\.com$/.test(host)) return `Add additionalParams: { access_type: "offline", prompt: "consent" }, and sign in again.`;
  if (auth.scopes?.includes("offline_access") === true || auth.scopes?.includes("offline") === true)
    return "Look in the provider's documentation for what else it needs, often prompt: consent. Or allow refresh tokens for the application there. The scope is already requested.";
  return "Many providers issue one only on request: by the scope offline_access, by additionalParams such as access_type: offline, or by a setting of the application.";
}

/**
 * Returns a note for the end of a sign-in, or undefined if the token never expires or can be refreshed. `now` is in milliseconds since the
 * epoch.
 */
export function missingRefreshToken(credential: OAuth2Credential, auth: AuthenticationDefinition, now: number): string | undefined {
  if (!asksProvider(auth.type) || credential.refreshToken !== undefined || credential.expiresAt === undefined) return undefined;
  const minutes = Math.max(1, Math.round((credential.expiresAt - now) / 60_000));
  return `The provider returned no refresh token. The account works for ${minutes} min, then you must sign in again. ${refreshTokenHint(auth)}`;
}

/**
 * Explains a 401 to an expired token. Returns undefined if the token has not expired or can be refreshed. `now` is in milliseconds since
 * the epoch.
 */
export function ranOut(credential: Credential, auth: AuthenticationDefinition | undefined, now: number): string | undefined {
  if (credential.kind !== "oauth2" || auth === undefined || !asksProvider(auth.type)) return undefined;
  if (credential.refreshToken !== undefined || credential.expiresAt === undefined || credential.expiresAt > now) return undefined;
  return `Sign in again: the access token has expired. The provider returned no refresh token. ${refreshTokenHint(auth)}`;
}
