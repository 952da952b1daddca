// Explains an OAuth error to the author of a pack: why it happened, which field of the configuration is to blame, and what to try. The
// module error-codes.ts decides which error it is.
import { printable } from "../../base/printable.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { asksToken, isStandard, type OAuthPhase, type StandardCode, standardCode } from "./error-codes.ts";

export interface OAuthRefusal {
  readonly phase: OAuthPhase;
  /** The provider's `error`; `http_404` if it responded with that status and no error. */
  readonly code: string;
  /** The provider's `error_description`, if it sent one. */
  readonly description?: string;
  readonly auth: AuthenticationDefinition;
  /** The redirect address of this sign-in. */
  readonly redirectUri?: string;
  /** The kind of client: with a secret, without a secret, or registered dynamically (RFC 7591). `confidential` by default. */
  readonly client?: "confidential" | "public" | "registered";
  /** True if the page in the browser shows the error, and the provider did not send it to the redirect address. */
  readonly isOnPage?: true;
  /** The scopes that the provider's metadata lists, if it is known. */
  readonly scopesSupported?: readonly string[];
}

/** The text of an error. Invariant: if there is a field, `because` names it, so that the first sentence of every message does. */
export interface ErrorText {
  /** The reason, which follows the word “because” in the message. */
  readonly because: string;
  readonly hint: string;
  /** The field of the configuration to change; undefined if none is to blame. */
  readonly field?: string;
  /** True if the client ID or secret is to blame, so that the person may enter new ones. */
  readonly blamesClient?: true;
  /** True if the text is unspecific, so that another attempt's error may explain more. */
  readonly isVague?: true;
}

type Text = (refusal: OAuthRefusal) => ErrorText;

const list = (items: readonly string[] | undefined): string => (items === undefined || items.length === 0 ? "none" : items.join(", "));

const TRY_LATER = "Try again later, and look at the provider's status page.";
const COMPARE_TOKEN_URL = "Compare tokenUrl with the provider's documentation: host, path, version and a slash at the end all count.";

const TEXTS: Readonly<Record<StandardCode, Text>> = {
  access_denied: () => ({
    because: "the access was denied",
    hint: "Approve the access in the browser, or ask the account's administrator to allow the application.",
  }),
  invalid_client: ({ phase, auth: { credentialsLocation: location }, client }) => {
    if (client === "registered")
      return {
        because: "it no longer knows the client ID that it registered for this pack",
        hint: "Sign in again. The application is then registered again.",
        blamesClient: true,
      };
    if (phase === "authorization")
      return { because: "it does not know the client ID", hint: `${COPY_ANEW}: Add OAuth credentials.`, blamesClient: true };
    if (client === "public")
      return {
        because: "the client ID is wrong, or it needs a client secret",
        hint: `${COPY_ANEW}: Add OAuth credentials.`,
        blamesClient: true,
      };
    if (location === undefined || location === "Automatic")
      return {
        because: "the client ID or secret is wrong",
        hint: `${COPY_ANEW}: Add OAuth credentials. Leave the secret empty if the application has none.`,
        blamesClient: true,
      };
    return {
      because: `the client ID or secret is wrong, or credentialsLocation ${location} is`,
      hint: `${COPY_ANEW} (Add OAuth credentials), or try another credentialsLocation than ${location}.`,
      field: "credentialsLocation",
      blamesClient: true,
    };
  },
  invalid_grant: ({ phase, redirectUri }) =>
    phase === "refresh"
      ? {
          because: "the refresh token is expired, was revoked, or was used before",
          hint: "Sign in again. If this happens often, look up how long the provider's refresh tokens are valid.",
        }
      : {
          because: "the code is expired, was used before, or was made for another redirect address or application",
          hint: `Sign in again. If this happens again, compare the registered redirect address with ${redirectUri ?? "the one that was shown"}.`,
        },
  redirect_uri_mismatch: mismatch,
  invalid_scope: scopeText,
  unauthorized_client: (refusal) => {
    const isOfGrant = /grant|response[_ ]type/i.test(refusal.description ?? "");
    const { redirectUri = "that was sent" } = refusal;
    // A provider that knew both would send the browser back to the redirect address.
    if (refusal.isOnPage && !isOfGrant)
      return {
        because: `it does not know the client ID, or not with the redirect address ${redirectUri}`,
        hint: `${COPY_ANEW}: Add OAuth credentials. Or register ${redirectUri} there, exactly like this.`,
      };
    return asksToken(refusal) && !isOfGrant
      ? {
          // Some providers report a wrong secret this way; an application that may not use the grant is mostly refused at the authorization
          // page.
          because: `the client ID or secret is wrong, or the application may not use ${grantName(refusal.phase)}`,
          hint: `${COPY_ANEW}: Add OAuth credentials. Or allow ${grantName(refusal.phase)} for the application there.`,
          blamesClient: true,
        }
      : {
          because: `the application may not sign in by the type of this configuration (${grantName(refusal.phase)})`,
          hint: `Allow ${grantName(refusal.phase)} for the application in the provider's developer settings.`,
          field: "type",
        };
  },
  unsupported_grant_type: ({ phase }) => ({
    because: `tokenUrl does not offer ${grantName(phase)}`,
    hint: "Check tokenUrl: it may be the address of another product or version. Otherwise the provider needs another authentication type.",
    field: "tokenUrl",
  }),
  unsupported_response_type: () => ({
    because: "authorizationUrl does not offer the authorization code grant (response_type=code)",
    hint: "Check authorizationUrl. OAuth2 needs a provider with the authorization code grant.",
    field: "authorizationUrl",
  }),
  invalid_request: (refusal) => {
    // LemonLDAP::NG returns this code for an unknown refresh token.
    if (refusal.phase === "refresh" && missingParameter(refusal.description) === undefined)
      return {
        because: "the refresh token is expired or was revoked, or a parameter that tokenUrl expects is missing",
        hint: "Sign in again. If this happens again, compare tokenUrl and the fields of the configuration with the provider's documentation.",
        field: "tokenUrl",
        isVague: true,
      };
    if (asksToken(refusal))
      return {
        because: "a parameter that tokenUrl expects is missing, or one is unknown or sent twice",
        hint: "Compare tokenUrl and the fields of the configuration with the provider's documentation.",
        field: "tokenUrl",
        isVague: true,
      };
    const missing = missingParameter(refusal.description);
    if (missing !== undefined)
      return {
        because: `the parameter ${missing} is missing from additionalParams`,
        hint: `Add ${missing} to additionalParams, as the provider's documentation has it, and sign in again.`,
        field: "additionalParams",
      };
    const field = refusal.auth.additionalParams === undefined ? "authorizationUrl" : "additionalParams";
    return {
      because: `a parameter is missing, unknown or sent twice (see ${field})`,
      hint: "Compare authorizationUrl and additionalParams with the provider's documentation.",
      field,
    };
  },
  invalid_target: ({ auth }) => ({
    because: `it does not know the resource ${auth.resource ?? "that was asked for"}`,
    hint: "Compare resource with the provider's documentation, letter by letter.",
    field: "resource",
  }),
  server_error: () => ({ because: "it has an internal error", hint: TRY_LATER, isVague: true }),
  temporarily_unavailable: () => ({ because: "it is too busy, or under maintenance", hint: TRY_LATER, isVague: true }),
  invalid_token: ({ auth }) => {
    const field = auth.resource === undefined ? "scopes" : "resource";
    return {
      because: `the access token is expired or revoked, or its ${field === "scopes" ? "scopes are not those of" : "resource is not"} this API`,
      hint: "Sign in again. If a fresh token is refused too, check that scopes and resource belong to this API.",
      field,
    };
  },
  insufficient_scope: ({ auth }) => ({
    because: "scopes lack one that this request needs",
    hint: `Add the scope to scopes (now: ${list(auth.scopes)}) and sign in again. On the platform, a 403 or MissingScopesError asks the user to do so.`,
    field: "scopes",
  }),
  unsupported_token_type: () => ({
    because: "it does not revoke tokens of this kind",
    hint: "Revoke the application in the account's settings at the provider. The token stays valid until it expires.",
  }),
  invalid_redirect_uri: ({ redirectUri = "of this machine" }) => ({
    because: `it does not accept the redirect address ${redirectUri}`,
    hint: "See the settings packAuth.redirect. Some providers need 127.0.0.1, another port, or https.",
  }),
  invalid_client_metadata: () => ({
    because: "it does not accept the registration that useDynamicClientRegistration makes",
    hint: "Register the application by hand at the provider, and add its client ID: Add OAuth credentials.",
    field: "useDynamicClientRegistration",
  }),
  login_required: (refusal) => interaction("the user is not signed in there", refusal),
  consent_required: (refusal) => interaction("the user has not allowed the access yet", refusal),
  interaction_required: (refusal) => interaction("it has to ask the user something", refusal),
  account_selection_required: (refusal) => interaction("the user has to choose an account", refusal),
};

/**
 * Returns the name of a missing parameter that the sign-in itself does not send. Examples: “nonce required”, “Missing parameter: audience”.
 */
function missingParameter(description = ""): string | undefined {
  const [, after, before] =
    /\bmissing (?:required )?parameter:? ["'`“]?([a-z_]{2,40})\b|^(?:parameter )?["'`“]?([a-z_]{2,40})["'`”]? (?:parameter )?(?:is )?(?:required|missing)\b/i.exec(
      description,
    ) ?? [];
  const name = after ?? before;
  return name === undefined || OWN_PARAMETERS.test(name) ? undefined : name;
}

const OWN_PARAMETERS = /^(response_type|client_id|client_secret|redirect_uri|state|scopes?|grant_type|code|parameters?|is|which|that)$/i;

function mismatch({ redirectUri = "that was sent" }: OAuthRefusal): ErrorText {
  return {
    because: `the redirect address ${redirectUri} is not registered for this application`,
    hint: `Register ${redirectUri} at the provider, exactly like this: http or https, host, port, path and a slash at the end all count.`,
  };
}

const COPY_ANEW = "Copy the client ID and secret again from the provider's developer settings";

/** Explains a required interaction, which prompt=none in additionalParams forbids. */
const interaction = (because: string, { auth }: OAuthRefusal): ErrorText =>
  auth.additionalParams?.prompt === "none"
    ? {
        because: `${because}, and additionalParams do not let it ask`,
        hint: "Remove prompt: none from additionalParams, and sign in again.",
        field: "additionalParams",
      }
    : { because, hint: "Sign in again." };

/** Explains a refused scope, or several scopes that the provider reads as one. */
function scopeText({ auth, description = "", scopesSupported }: OAuthRefusal): ErrorText {
  const { scopes = [], scopeDelimiter = " ", scopeParamName } = auth;
  const unknown = scopesSupported === undefined ? [] : scopes.filter((scope) => !scopesSupported.includes(scope));
  const joined = scopes.join(scopeDelimiter);
  const isOwn = scopeDelimiter !== " ";
  const requestSentence = `Asked for: ${list(scopes)}, joined by ${delimiterName(auth)}${scopeParamName === undefined ? "" : ` as ${scopeParamName}`}.`;
  // The provider reads the scopes as one if it quotes them as one, or if it lists each scope but refuses them together. With the standard's
  // space, only quotation marks prove this: a list of the requested scopes looks the same. A scope in the metadata may also not be allowed
  // for this application.
  const readsAsOne = isQuoted(joined, description) || (isOwn && (description.includes(joined) || scopesSupported !== undefined));
  if (scopes.length > 1 && unknown.length === 0 && readsAsOne)
    return {
      because: `it reads the scopes as one: scopeDelimiter joins them by ${delimiterName(auth)}`,
      hint: isOwn
        ? `Remove scopeDelimiter: the standard's is a space. Then sign in again. ${requestSentence}`
        : `Set scopeDelimiter as the provider's documentation has it, "," or ";", and sign in again. ${requestSentence}`,
      field: "scopeDelimiter",
    };
  if (scopes.length > 1 && unknown.length === 0 && isOwn && !scopes.some((scope) => description.includes(scope)))
    return {
      because: `it does not know the scopes as scopeDelimiter joins them, by ${delimiterName(auth)}, or one of them`,
      hint: `Remove scopeDelimiter, unless the provider's documentation has it: the standard's is a space. Otherwise compare the names in scopes. ${requestSentence}`,
      field: "scopeDelimiter",
    };
  return {
    because:
      unknown.length === 0
        ? "it does not know one of the scopes, or does not allow it for this application"
        : `it does not offer the scopes ${list(unknown)}`,
    hint: `${requestSentence} Compare the names, and the delimiter, with the provider's documentation.`,
    field: "scopes",
  };
}

const isQuoted = (text: string, description: string): boolean =>
  ['""', "''", "``", "“”", "‘’"].some(([open, close]) => description.includes(`${open}${text}${close}`));

/** Explains a response by its status alone (RFC 9110, section 15). */
function statusText(status: number, refusal: OAuthRefusal): ErrorText | undefined {
  if (status === 429) return { because: "it received too many requests", hint: "Wait a little, then try again.", isVague: true };
  if (status >= 500) return TEXTS.server_error(refusal);
  if (refusal.phase === "authorization")
    return {
      because:
        status === 404 || status === 410 ? "authorizationUrl leads to nothing" : "authorizationUrl leads to a page that shows an error",
      hint: "Compare authorizationUrl with the provider's documentation: host, path, version and a slash at the end all count.",
      field: "authorizationUrl",
    };
  if (!asksToken(refusal)) return undefined;
  if (status === 401) return TEXTS.invalid_client(refusal);
  if (status === 403)
    return {
      because: "the client ID or secret is wrong, or it forbids such requests",
      hint: `${COPY_ANEW}: Add OAuth credentials. ${COMPARE_TOKEN_URL}`,
      isVague: true,
    };
  const leadsNowhere = status === 404 || status === 405 || status === 410;
  return {
    because: leadsNowhere ? "there is no token endpoint at tokenUrl" : "tokenUrl does not accept such a request",
    hint: COMPARE_TOKEN_URL,
    field: "tokenUrl",
    isVague: true,
  };
}

/** Codes of the authorization page, APIs, revocation and registration, which a token endpoint does not send. */
const OF_OTHER_SERVICES: readonly string[] = [
  "unsupported_response_type",
  "invalid_token",
  "insufficient_scope",
  "unsupported_token_type",
  "invalid_client_metadata",
];

/** Returns the explanation of a refusal, or undefined for a code that only this provider knows. */
export function oauthErrorText(refusal: OAuthRefusal): ErrorText | undefined {
  const code = standardCode(refusal);
  const description = refusal.description ?? "";
  if (asksToken(refusal) && (OF_OTHER_SERVICES.includes(code) || (code === "invalid_request" && /response[_ ]type/i.test(description))))
    return { because: "tokenUrl is the address of another service of the provider", hint: COMPARE_TOKEN_URL, field: "tokenUrl" };
  if (code === "invalid_redirect_uri" && refusal.phase !== "registration") return TEXTS.redirect_uri_mismatch(refusal);
  // Providers explain in words the errors that have no standard code.
  if (
    /redirect[_ ]?ur[il]/i.test(description) &&
    ["invalid_request", "invalid_grant", "invalid_client", "unauthorized_client"].includes(code) &&
    refusal.phase !== "refresh"
  )
    return mismatch(refusal);
  if (/code[_ -]?(challenge|verifier)|pkce|proof key/i.test(description)) return pkceText(refusal.auth, description);
  if (refusal.phase === "authorization" && /pushed[ _-]authorization/i.test(description))
    return {
      because: "it demands a pushed authorization request (RFC 9126), which the platform does not send",
      hint: "Let the provider accept this application's sign-ins without pushed authorization requests.",
    };
  if (/\bscopes?\b/i.test(description) && code === "invalid_request" && refusal.phase !== "code") return scopeText(refusal);
  if (isStandard(code)) return TEXTS[code](refusal);
  const status = /^http_(\d{3})$/.exec(code)?.[1];
  return status === undefined ? undefined : statusText(Number(status), refusal);
}

function pkceText({ useProofKeyForCodeExchange, pkceChallengeMethod = "S256" }: AuthenticationDefinition, description: string): ErrorText {
  if (useProofKeyForCodeExchange !== true)
    return {
      because: "it demands PKCE (RFC 7636), and useProofKeyForCodeExchange is not set",
      hint: "Set useProofKeyForCodeExchange: true, and sign in again.",
      field: "useProofKeyForCodeExchange",
    };
  if (
    !/method|S256|plain/i.test(description) &&
    /not (?:supported|allowed|accepted|permitted|expected)|unsupported|unexpected|unknown|remove/i.test(description)
  )
    return {
      because: "it does not accept PKCE (RFC 7636)",
      hint: "Remove useProofKeyForCodeExchange, and sign in again.",
      field: "useProofKeyForCodeExchange",
    };
  return {
    because: `it does not accept the challenge of pkceChallengeMethod ${pkceChallengeMethod}`,
    hint: `Try another pkceChallengeMethod than ${pkceChallengeMethod}.`,
    field: "pkceChallengeMethod",
  };
}

function delimiterName({ scopeDelimiter = " " }: AuthenticationDefinition): string {
  return scopeDelimiter === " " ? "spaces" : `“${scopeDelimiter}”`;
}

function grantName(phase: OAuthPhase): string {
  if (phase === "client-credentials") return "client credentials";
  return phase === "refresh" ? "refresh tokens" : "the authorization code grant";
}

/** Characters of a code and of a description that messages show. */
const LONGEST_CODE = 100;
const LONGEST_DESCRIPTION = 300;

/**
 * Returns `code — “description”` in the provider's words, cut to a maximum length. The caller masks secrets first. Directional characters
 * are removed, so that they cannot reverse the text that follows.
 */
export function inItsWords(code: string, description: string | undefined): string {
  // Some providers send a whole sentence as the code; its full stop is removed, because the code is part of our sentence.
  const shownCode = code.slice(0, LONGEST_CODE).replace(/\.$/, "");
  const shownDescription = description?.slice(0, LONGEST_DESCRIPTION);
  return printable(
    shownDescription === undefined || shownDescription === "" || description === code ? shownCode : `${shownCode} — “${shownDescription}”`,
  );
}

/** Returns our explanation first, in one sentence that names the field to change; the provider's words follow in their own sentence. */
export const refusalMessage = (what: string, text: ErrorText | undefined, providerError: string | undefined): string =>
  `${what}${text === undefined ? "" : `, because ${text.because}`}.${providerError === undefined ? "" : ` Its answer: ${providerError}.`}`;

/** Returns the path of the field, such as `userAuthentication.tokenUrl`, or the whole configuration if no field is to blame. */
export const configPathOf = (configRoot: string, text: Pick<ErrorText, "field">): string =>
  text.field === undefined ? configRoot : `${configRoot}.${text.field}`;
