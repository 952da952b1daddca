// Maps a provider's error to a standard code, from its own code or from its words. The codes are those of RFC 6749 (4.1.2.1, 5.2), RFC 6750
// (3.1), RFC 7009 (2.2.1), RFC 7591 (3.2.2), RFC 8707 (2) and OpenID Connect (3.1.2.6). `redirect_uri_mismatch` is not in a standard, but
// many providers send it.

/** The step at which the provider refused. */
export type OAuthPhase = "authorization" | "code" | "refresh" | "client-credentials" | "revocation" | "registration" | "resource";

/** Returns whether the phase sends a request to the token endpoint. */
export const asksToken = ({ phase }: { readonly phase: OAuthPhase }): boolean => ["code", "refresh", "client-credentials"].includes(phase);

const CODES: ReadonlySet<string> = new Set(
  "access_denied invalid_client invalid_grant redirect_uri_mismatch invalid_scope unauthorized_client unsupported_grant_type unsupported_response_type invalid_request invalid_target server_error temporarily_unavailable invalid_token insufficient_scope unsupported_token_type invalid_redirect_uri invalid_client_metadata login_required consent_required interaction_required account_selection_required".split(
    " ",
  ),
);

/** Codes that providers send in place of the standard's. */
const VARIANTS: Readonly<Record<string, string>> = {
  invalid_client: "incorrect_client_credentials bad_client_secret invalid_client_id bad_client_id invalid_client_secret",
  invalid_grant: "bad_verification_code invalid_code",
  redirect_uri_mismatch: "bad_redirect_uri invalid_redirect_url invalid_redirect",
  invalid_scope: "unauthorized_scope_error invalid_scopes",
  invalid_token: "expired_token token_expired",
  insufficient_scope: "missing_required_scopes",
  access_denied: "user_denied",
  invalid_client_metadata: "unapproved_software_statement invalid_software_statement",
};
const SAME_AS: ReadonlyMap<string, string> = new Map(
  Object.entries(VARIANTS).flatMap(([code, names]) => names.split(" ").map((name) => [name, code] as const)),
);

/** Returns the first code of a standard, or one that providers send in its place, among the words of a message. */
export const errorCodeIn = (words: string): string | undefined => words.match(/\b[a-z]\w+/gi)?.find((word) => CODES.has(asStandard(word)));

/** Returns whether the code says that the client ID or secret is wrong (RFC 6749, section 5.2). */
export const isClientRefusal = (code: string): boolean => asStandard(code) === "invalid_client";

/** Some providers write a code as words, such as “Invalid Client” or “InvalidClient”. */
function asStandard(code: string): string {
  const name = code
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[ -]+/g, "_")
    .toLowerCase();
  return SAME_AS.get(name) ?? (CODES.has(name) ? name : code.toLowerCase());
}

interface RefusalFacts {
  readonly phase: OAuthPhase;
  readonly code: string;
  readonly description?: string | undefined;
}

/**
 * Returns the standard code of a refusal, or the provider's own code in lower case. During a refresh, `invalid_token` means the refresh
 * token, so the result is `invalid_grant`.
 */
export function standardCode(refusal: RefusalFacts): string {
  const standard = asStandard(refusal.code);
  if (refusal.phase === "refresh" && standard === "invalid_token") return "invalid_grant";
  return isVague(standard) ? (inferStandardCode(refusal) ?? standard) : standard;
}

/** Returns whether a code says little: providers send these for errors that have a code of their own. */
const isVague = (code: string): boolean =>
  !CODES.has(code) || ["invalid_request", "unauthorized_client", "access_denied", "server_error"].includes(code);

const WRONG =
  "(?:error validating|invalid|wrong|incorrect|unknown|unsupported|bad|expired|mismatch|already (?:been )?used|not (?:valid|found|known|correct|match|supported|registered|exist))";

const NOT_ALLOWED = "not (?:allowed|permitted|authori[sz]ed|enabled)";
const REFUSED = `(?:${WRONG}|${NOT_ALLOWED})`;

const isWrong = (what: string, text: string, wrong = WRONG): boolean =>
  new RegExp(`\\b${wrong}\\b[^.;]{0,20}(?<![a-z])(?:${what})(?![a-z])|(?<![a-z])(?:${what})(?![a-z])[^.;]{0,20}\\b${wrong}\\b`, "i").test(
    text,
  );

/** Matches “unknown client”, “Could not find API application with api_key”, “Client with ID 7 not found”. */
const UNKNOWN_CLIENT =
  /\b(?:unknown|invalid|unregistered|no such) (?:client|application)\b|\bcould not (?:be )?f(?:ind|ound)\b[^.;]{0,30}\b(?:client|application)\b|\b(?:client|application)\b(?: with)?(?: \S{1,40}){0,2} (?:was |is |could |does )?not (?:be )?(?:found|known|registered|exist)\b|\bno (?:client|application) (?:was )?(?:found|exists?)\b|\bclient authentication failed\b/i;

/** The values of credentialsLocation, by the words of a server that looks there for the client ID and secret and finds none. */
const LOOKED_FOR: Readonly<Record<"AuthorizationHeader" | "Body", readonly RegExp[]>> = {
  AuthorizationHeader: [
    /\b(?:missing|invalid|required?s?|no|expected|in the)\b[^.;]{0,20}\b(?:authori[sz]ation header|basic auth)/i,
    /\b(?:use|using|via|with) (?:http )?basic\b/i,
    /\b(?:authori[sz]ation header|basic auth\w*)\b[^.;]{0,20}\b(?:missing|invalid|required|expected|not (?:found|present|provided|set))\b/i,
  ],
  Body: [
    /\b(?:missing|required?s?|no(?! such))\b[^.;]{0,30}\bclient (?:id|secret|credentials)\b/i,
    /\bclient (?:id|secret|credentials)\b[^.;]{0,20}\b(?:missing|required|empty|not (?:found|present|provided|specified|set|supplied))\b/i,
  ],
};

/** Returns where the server looks in vain for the client ID and secret, if it says so. */
export const lookedForIn = ({ code, description }: Omit<RefusalFacts, "phase">): keyof typeof LOOKED_FOR | undefined =>
  (["AuthorizationHeader", "Body"] as const).find((location) =>
    LOOKED_FOR[location].some((pattern) => pattern.test(wordsOf(code, description))),
  );

/** Returns the words of a refusal: codes are often in capitals with underscores, and a sentence may be in place of the code. */
const wordsOf = (code: string, description = ""): string =>
  `${CODES.has(asStandard(code)) ? "" : `${code}. `}${description}`.replaceAll("_", " ");

/**
 * Infers the code from the words of a provider that sends its own code or none. Examples: HubSpot's “missing or invalid client secret”,
 * Strava's “AuthorizationCode code invalid”, “invalid_grant: the code is gone”.
 */
function inferStandardCode({ phase, code, description }: RefusalFacts): string | undefined {
  const words = wordsOf(code, description);
  const isOfBrowser = phase === "authorization";
  if (!isOfBrowser && !asksToken({ phase })) return undefined;
  const named = errorCodeIn(`${code} ${description ?? ""}`);
  if (named !== undefined && !isVague(asStandard(named))) return standardCode({ phase, code: named });
  if (UNKNOWN_CLIENT.test(words)) return "invalid_client";
  if (isOfBrowser) return undefined;
  if (lookedForIn({ code, description })) return "invalid_client";
  if (isWrong("client[ -]?(?:id|identifier|secret|credentials)", words)) return "invalid_client";
  if (
    isWrong(
      phase === "refresh"
        ? "refresh[ -]?token"
        : "auth(?:ori[sz]ation)?[ -]?code|[\"']code[\"']|the code(?! verifier| challenge)|grant(?! type)",
      words,
    )
  )
    return "invalid_grant";
  if (isWrong("grant type", words)) return "unsupported_grant_type";
  if (isWrong("grants?", words, NOT_ALLOWED)) return "unauthorized_client";
  if (isWrong("redirect[ -]?ur[il]", words, REFUSED)) return "redirect_uri_mismatch";
  if (isWrong("scopes?", words, REFUSED)) return "invalid_scope";
  return named === undefined || CODES.has(asStandard(code)) ? undefined : asStandard(named);
}
