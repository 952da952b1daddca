// Maps a provider's error to a standard code, from its own code or from its words. The codes are those of RFC 6749 (4.1.2.1, 5.2), RFC 6750
// (3.1), RFC 7009 (2.2.1), RFC 7591 (3.2.2), RFC 8707 (2) and OpenID Connect (3.1.2.6). `redirect_uri_mismatch` is not in a standard, but
// many providers send it.

/** The step at which the provider refused. */
export type OAuthPhase = "authorization" | "code" | "refresh" | "client-credentials" | "revocation" | "registration" | "resource";

/** Returns whether the phase sends a request to the token endpoint. */
export const asksToken = ({ phase }: { readonly phase: OAuthPhase }): boolean => ["code", "refresh", "client-credentials"].includes(phase);

const CODES = [
  "access_denied",
  "invalid_client",
  "invalid_grant",
  "redirect_uri_mismatch",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "invalid_request",
  "invalid_target",
  "server_error",
  "temporarily_unavailable",
  "invalid_token",
  "insufficient_scope",
  "unsupported_token_type",
  "invalid_redirect_uri",
  "invalid_client_metadata",
  "login_required",
  "consent_required",
  "interaction_required",
  "account_selection_required",
] as const;

export type StandardCode = (typeof CODES)[number];

const isStandard = (code: string): code is StandardCode => CODES.some((one) => one === code);

/** Codes that providers send in place of the standard's. */
const SAME_AS: ReadonlyMap<string, StandardCode> = new Map([
  ["incorrect_client_credentials", "invalid_client"],
  ["bad_client_secret", "invalid_client"],
  ["invalid_client_id", "invalid_client"],
  ["bad_client_id", "invalid_client"],
  ["invalid_client_secret", "invalid_client"],
  ["bad_verification_code", "invalid_grant"],
  ["invalid_code", "invalid_grant"],
  ["bad_redirect_uri", "redirect_uri_mismatch"],
  ["invalid_redirect_url", "redirect_uri_mismatch"],
  ["invalid_redirect", "redirect_uri_mismatch"],
  ["unauthorized_scope_error", "invalid_scope"],
  ["expired_token", "invalid_token"],
  ["token_expired", "invalid_token"],
  ["missing_required_scopes", "insufficient_scope"],
  ["user_denied", "access_denied"],
  ["unapproved_software_statement", "invalid_client_metadata"],
  ["invalid_software_statement", "invalid_client_metadata"],
]);

/** Returns the first code of a standard, or one that providers send in its place, among the words of a message. */
export const errorCodeIn = (words: string): string | undefined =>
  words.match(/\b[a-z]+(?:_[a-z]+)+\b/gi)?.find((word) => isStandard(asStandard(word)));

/** Returns whether the code says that the client ID or secret is wrong (RFC 6749, section 5.2). */
export const isClientRefusal = (code: string): boolean => asStandard(code) === "invalid_client";

const asStandard = (code: string): string => SAME_AS.get(code.toLowerCase()) ?? code.toLowerCase();

/** Returns whether the provider refused the code or refresh token itself. */
export const isInvalidGrant = (refusal: RefusalFacts): boolean => standardCode(refusal) === "invalid_grant";

interface RefusalFacts {
  readonly phase: OAuthPhase;
  readonly code: string;
  readonly description?: string;
}

/**
 * Returns the standard code of a refusal, or the provider's own code in lower case. During a refresh, `invalid_token` means the refresh
 * token, so the result is `invalid_grant`.
 */
export function standardCode(refusal: RefusalFacts): string {
  const standard = asStandard(refusal.code);
  if (refusal.phase === "refresh" && standard === "invalid_token") return "invalid_grant";
  // These codes say little, and providers send them for errors that have a code of their own.
  const isVague = !isStandard(standard) || standard === "invalid_request" || standard === "unauthorized_client";
  return isVague ? (inferStandardCode(refusal) ?? standard) : standard;
}

const WRONG =
  "(?:error validating|invalid|wrong|incorrect|unknown|bad|expired|mismatch|already (?:been )?used|not (?:valid|found|known|correct|match))";

const isWrong = (what: string, text: string): boolean =>
  new RegExp(`\\b${WRONG}\\b[^.;]{0,20}(?<![a-z])(?:${what})(?![a-z])|(?<![a-z])(?:${what})(?![a-z])[^.;]{0,20}\\b${WRONG}\\b`, "i").test(
    text,
  );

/** Matches “unknown client”, “Could not find API application with api_key”. */
const UNKNOWN_CLIENT =
  /\b(?:unknown|invalid) (?:client|application)\b|\bcould not (?:be )?f(?:ind|ound)\b[^.;]{0,30}\b(?:client|application)\b/i;

/**
 * Infers the code from the description of a provider that sends its own code or none. Examples: HubSpot's “missing or invalid client
 * secret”, Strava's “AuthorizationCode code invalid”.
 */
function inferStandardCode({ phase, description = "" }: RefusalFacts): StandardCode | undefined {
  if (phase === "authorization") return UNKNOWN_CLIENT.test(description) ? "invalid_client" : undefined;
  if (!asksToken({ phase })) return undefined;
  if (/\bclient[ _-]?secret\b[^.;]{0,10}\b(?:missing|required)\b/i.test(description)) return "invalid_client";
  if (isWrong("client[ _-]?(?:id|identifier|secret|credentials)", description)) return "invalid_client";
  if (isWrong(phase === "refresh" ? "refresh[ _-]?token" : "auth(?:ori[sz]ation)?[ _-]?code|[\"']code[\"']", description))
    return "invalid_grant";
  return isWrong("redirect[ _-]?ur[il]", description) ? "redirect_uri_mismatch" : undefined;
}
