// What an OAuth error means for the author of a pack: why it happened, which field of the configuration it comes from, and what to
// try. Codes of RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), RFC 7009 (2.2.1), RFC 7591 (3.2.2), RFC 8707 (2), OpenID Connect (3.1.2.6)
// and what widespread providers send in their place.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";

/** What was being done when the provider refused. */
export type OAuthPhase = "authorization" | "code" | "refresh" | "client-credentials" | "revocation" | "registration" | "resource";

export interface OAuthRefusal {
  readonly phase: OAuthPhase;
  /** The provider's `error`. */
  readonly code: string;
  /** The provider's `error_description`, where it has one. */
  readonly description?: string;
  readonly auth: AuthenticationDefinition;
  /** The redirect address of this sign-in. */
  readonly redirectUri?: string;
}

export interface ErrorText {
  /** Goes after “because”. */
  readonly because: string;
  readonly hint: string;
  /** The field of the configuration that it comes from. */
  readonly field: string;
}

type Text = (refusal: OAuthRefusal) => ErrorText;

const list = (items: readonly string[] | undefined): string => (items === undefined || items.length === 0 ? "none" : items.join(", "));

const endpointOf = ({ phase }: OAuthRefusal): string => (phase === "authorization" ? "authorizationUrl" : "tokenUrl");

const TEXTS: Readonly<Record<string, Text>> = {
  access_denied: () => ({
    because: "the access was denied",
    hint: "Approve the access in the browser, or ask the account's administrator to allow the application.",
    field: "authorizationUrl",
  }),
  invalid_client: ({ auth }) => ({
    because: "it does not know the client ID, the secret is wrong, or it wants them sent in another way",
    hint:
      auth.credentialsLocation === undefined || auth.credentialsLocation === "Automatic"
        ? "Copy the client ID and secret anew from the provider's developer settings: Add OAuth credentials."
        : `Copy the client ID and secret anew (Add OAuth credentials), or try another credentialsLocation than ${auth.credentialsLocation}.`,
    field: auth.credentialsLocation === undefined ? "tokenUrl" : "credentialsLocation",
  }),
  invalid_grant: ({ phase, redirectUri }) =>
    phase === "refresh"
      ? {
          because: "the refresh token is expired, was revoked, or was used before",
          hint: "Sign in again. Where this happens soon after each sign-in, look up how long the provider's refresh tokens live.",
          field: "tokenUrl",
        }
      : {
          because: "the code is expired, was used before, or was made for another redirect address or application",
          hint: `Sign in again; if it stays so, compare the registered redirect address with ${redirectUri ?? "the one that was shown"}.`,
          field: "tokenUrl",
        },
  redirect_uri_mismatch: ({ redirectUri, phase }) => ({
    because: "the redirect address is not registered for this application",
    hint: `Register ${redirectUri ?? "the redirect address"} at the provider, exactly like this: http or https, host, port, path and a slash at the end all count.`,
    field: endpointOf({ phase } as OAuthRefusal),
  }),
  invalid_scope: ({ auth }) => ({
    because: "it does not know one of the scopes, or does not give it to this application",
    hint: `Asked for: ${list(auth.scopes)}, joined by ${delimiterName(auth)}${auth.scopeParamName === undefined ? "" : ` as ${auth.scopeParamName}`}. Compare the names, and the delimiter, with the provider's documentation.`,
    field: "scopes",
  }),
  unauthorized_client: ({ phase }) => ({
    because: `the application may not use this way of signing in (${grantName(phase)})`,
    hint: `Allow ${grantName(phase)} for the application in the provider's developer settings.`,
    field: "type",
  }),
  unsupported_grant_type: ({ phase }) => ({
    because: `its token address does not offer ${grantName(phase)}`,
    hint: "Check tokenUrl: it may be the address of another product or version; otherwise the provider needs another authentication type.",
    field: "tokenUrl",
  }),
  unsupported_response_type: () => ({
    because: "it does not offer the authorization code grant (response_type=code) at this address",
    hint: "Check authorizationUrl; a provider without the authorization code grant cannot be used with OAuth2.",
    field: "authorizationUrl",
  }),
  invalid_request: (refusal) => ({
    because: "a parameter is missing, unknown, or there twice",
    hint:
      refusal.phase === "authorization"
        ? "Compare authorizationUrl and additionalParams with the provider's documentation."
        : "Compare tokenUrl and the fields of the configuration with the provider's documentation.",
    field: refusal.phase === "authorization" && refusal.auth.additionalParams !== undefined ? "additionalParams" : endpointOf(refusal),
  }),
  invalid_target: ({ auth }) => ({
    because: `it does not know the resource ${auth.resource ?? "that was asked for"}`,
    hint: "Compare resource with the provider's documentation, to the letter.",
    field: "resource",
  }),
  server_error: (refusal) => ({
    because: "it has a fault of its own",
    hint: "Try again later, and look at the provider's status page.",
    field: endpointOf(refusal),
  }),
  temporarily_unavailable: (refusal) => ({
    because: "it is too busy, or being maintained",
    hint: "Try again later, and look at the provider's status page.",
    field: endpointOf(refusal),
  }),
  invalid_token: ({ auth }) => ({
    because: "the access token is expired, revoked, or not made for this API",
    hint: "Sign in again. If a fresh token is refused too, check that scopes and resource belong to this API.",
    field: auth.resource === undefined ? "scopes" : "resource",
  }),
  insufficient_scope: ({ auth }) => ({
    because: "the account's token lacks a scope that this request needs",
    hint: `Add the scope to scopes (now: ${list(auth.scopes)}) and sign in again. On the platform, a 403 or MissingScopesError asks the user to do so.`,
    field: "scopes",
  }),
  unsupported_token_type: () => ({
    because: "it does not revoke tokens of this kind",
    hint: "The token stays valid until it expires; revoke the application in the account's settings at the provider.",
    field: "tokenUrl",
  }),
  invalid_redirect_uri: ({ redirectUri }) => ({
    because: "it does not take this redirect address",
    hint: `It was asked to register ${redirectUri ?? "a loopback address"}; some providers want 127.0.0.1, another port, or https. See the settings packAuth.redirect.`,
    field: "useDynamicClientRegistration",
  }),
  invalid_client_metadata: () => ({
    because: "it does not take an application that describes itself like this",
    hint: "Register the application by hand at the provider, and add its client ID: Add OAuth credentials.",
    field: "useDynamicClientRegistration",
  }),
  login_required: () => interaction("the person is not signed in there"),
  consent_required: () => interaction("the person has not agreed to the access yet"),
  interaction_required: () => interaction("it has to ask the person something"),
  account_selection_required: () => interaction("the person has to choose an account"),
};

/** prompt=none in additionalParams keeps the provider from asking. */
const interaction = (because: string): ErrorText => ({
  because,
  hint: "Sign in again; if additionalParams has prompt: none, take it out.",
  field: "additionalParams",
});

/** What providers send in place of the standard's codes. */
const SAME_AS: Readonly<Record<string, string>> = {
  incorrect_client_credentials: "invalid_client",
  bad_client_secret: "invalid_client",
  invalid_client_id: "invalid_client",
  bad_client_id: "invalid_client",
  bad_verification_code: "invalid_grant",
  invalid_code: "invalid_grant",
  bad_redirect_uri: "redirect_uri_mismatch",
  invalid_redirect_url: "redirect_uri_mismatch",
  expired_token: "invalid_token",
  token_expired: "invalid_token",
  user_denied: "access_denied",
  unapproved_software_statement: "invalid_client_metadata",
  invalid_software_statement: "invalid_client_metadata",
};

/** Whether the code says that client ID or secret are not right (RFC 6749, section 5.2); a bare 401 can mean nothing else there. */
export const isClientRefusal = (code: string): boolean => code === "status 401" || (SAME_AS[code] ?? code) === "invalid_client";

/** Undefined for a code that nobody but this provider knows. */
export function oauthErrorText(refusal: OAuthRefusal): ErrorText | undefined {
  const code = SAME_AS[refusal.code] ?? refusal.code;
  const words = refusal.description ?? "";
  // What the standard has no code for, providers say in words.
  if (
    /redirect[_ ]?ur[il]/i.test(words) &&
    ["invalid_request", "invalid_grant", "invalid_client"].includes(code) &&
    refusal.phase !== "refresh"
  )
    return TEXTS.redirect_uri_mismatch?.(refusal);
  if (/code[_ ]?(challenge|verifier)|pkce/i.test(words) && refusal.auth.useProofKeyForCodeExchange !== true)
    return {
      because: "it demands PKCE (RFC 7636)",
      hint: "Set useProofKeyForCodeExchange: true, and sign in again.",
      field: "useProofKeyForCodeExchange",
    };
  if (/code[_ ]?(challenge|verifier)|pkce/i.test(words))
    return {
      because: "it does not take the PKCE challenge",
      hint: `Try the other pkceChallengeMethod than ${refusal.auth.pkceChallengeMethod ?? "S256"}.`,
      field: "pkceChallengeMethod",
    };
  return Object.hasOwn(TEXTS, code) ? TEXTS[code]?.(refusal) : undefined;
}

function delimiterName({ scopeDelimiter = " " }: AuthenticationDefinition): string {
  return scopeDelimiter === " " ? "blanks" : `“${scopeDelimiter}”`;
}

function grantName(phase: OAuthPhase): string {
  if (phase === "client-credentials") return "client credentials";
  return phase === "refresh" ? "refresh tokens" : "the authorization code grant";
}

/** `code — “words”`, as the provider said it. */
export const inItsWords = (code: string, description: string | undefined): string =>
  description === undefined || description === "" || description === code ? code : `${code} — “${description.slice(0, 300)}”`;
