// Advises about a token that expires and cannot be refreshed: what to add so that the provider issues a refresh token (RFC 6749, 1.5).
import { durationInWords } from "../../base/duration.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import { refreshTokenHint } from "../diagnosis/advice.ts";
import type { Credential, OAuth2Credential } from "../secrets/credential.ts";

/**
 * Returns a note for the end of a sign-in, or undefined if the token never expires or can be refreshed. `now` is in milliseconds since the
 * epoch.
 */
export function missingRefreshToken(credential: OAuth2Credential, auth: AuthenticationDefinition, now: number): string | undefined {
  if (!asksProvider(auth.type) || credential.refreshToken !== undefined || credential.expiresAt === undefined) return undefined;
  const lifetime = durationInWords((credential.expiresAt - now) / 1_000);
  return `The provider returned no refresh token. The account works for ${lifetime}, then you must sign in again. ${refreshTokenHint(auth)}`;
}

/** Returns whether the token has expired and cannot be refreshed. `now` is in milliseconds since the epoch. */
export const hasRunOut = (credential: Credential, auth: AuthenticationDefinition, now: number): boolean =>
  credential.kind === "oauth2" &&
  asksProvider(auth.type) &&
  credential.refreshToken === undefined &&
  credential.expiresAt !== undefined &&
  credential.expiresAt <= now;
