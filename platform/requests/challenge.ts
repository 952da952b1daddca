// Explains a 400, 401 or 403 response of an API to the credential (RFC 9110, section 11.6.1; RFC 6750, section 3). The author learns that
// the API expects another scheme, or what is wrong with the token.
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { AUTH_TYPES, flowKindOf, isAuthTypeName, isOAuthType } from "../../spec/auth-types.ts";
import { type Challenge, challengesIn } from "../network/challenges.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { inItsWords, oauthErrorText, refusalMessage } from "../oauth/error-texts.ts";
import type { Credential } from "../secrets/credential.ts";

export interface ChallengeExplained {
  readonly message: string;
  /** The field of the configuration to change, if there is one. */
  readonly field?: string;
}

interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

type SentRequest = Pick<OutgoingRequest, "headers">;

/** RFC 9110, section 15.5.2: a 401 to a credential refuses that credential. Some APIs also send it for a missing right. */
export const CREDENTIAL_REFUSED =
  "The API does not accept the credential for this request. Sign in again with a valid one, or with one that has the right for it. Or compare the configuration with the API's documentation.";

/**
 * Returns the advice for a 403 to a credential: the credential lacks a right, or is not the cause (RFC 9110, section 15.5.4). Some APIs
 * also send it for an unknown credential, or if one of two credentials is missing.
 */
export const forbidden = ({ responseBody = "" }: { readonly responseBody?: string | undefined }): string =>
  responseBody.trim() === "" ? FORBIDDEN : `Read the API's answer, which may say why it forbids this request. ${FORBIDDEN}`;

const FORBIDDEN =
  "Use an account or a token that has the right for this request. Some APIs also answer so to a credential that is wrong, or that they look for in another place.";

/** The advice for a 401 to a request that disables authentication, in a run that has an account. */
export const DISABLED = "Remove disableAuthentication: true from this request if the API needs the account. Its credential was not sent.";

/** Characters of a part of a header that a message shows. */
const LONGEST_EXCERPT = 300;

/** Returns what the response says about the credential, or undefined if it says no more than its status. */
export function explainChallenge(
  response: ResponseHead,
  request: SentRequest,
  auth: AuthenticationDefinition,
): ChallengeExplained | undefined {
  if (![400, 401, 403].includes(response.status)) return undefined;
  const twice = response.status === 401 && !isOAuthType(auth.type) ? TWICE.exec(request.headers.authorization ?? "") : null;
  if (twice !== null) return { message: typedToo(twice[1] ?? "") };
  const { usedScheme, own, challenges } = readChallenges(response, request);
  // An API that sends a 403 about a scope has read the token, in whatever scheme it was sent.
  const judged = own.length === 0 && (usedScheme === undefined || response.status === 403) ? challenges : own;
  const errorChallenge = judged.find(({ parameters }) => parameters.error !== undefined);
  if (errorChallenge !== undefined) return explainError(errorChallenge, auth);
  const header = readRequestedHeader(response, request);
  if (header !== undefined) return otherHeader(header, auth);
  if (usedScheme === undefined) return undefined;
  // The standard spelling of Bearer works wherever the scheme is accepted; for other schemes some APIs accept only one spelling.
  if (usedScheme === "Bearer" && (own.length > 0 || challenges.length === 0)) return undefined;
  const expectedChallenge = own[0] ?? challenges.find(({ scheme }) => !NO_PREFIX.test(scheme)) ?? challenges[0];
  // A 400 is mostly about the request, and a 403 about a right, so neither blames a prefix that was sent.
  if (expectedChallenge === undefined)
    return response.status === 401 || (response.status === 403 && usedScheme === "")
      ? withoutChallenge(response, usedScheme, auth)
      : undefined;
  return expectedChallenge.scheme === usedScheme || headerOf(expectedChallenge) !== undefined
    ? undefined
    : otherScheme(expectedChallenge, usedScheme, auth);
}

/** Documentation shows `Authorization: Bearer …`, and authors paste all of it. Other repeated words may belong to a secret. */
const TWICE = /^(bearer|token)\s+\1\s/i;

const typedToo = (prefix: string): string =>
  `Sign in again, and enter the credential without ${prefix}: it was sent with that prefix twice.`;

/**
 * Returns the header that a challenge names in place of a scheme. PowerDNS does so, and OpenStack's services use a word of their own. Other
 * schemes begin with X- too, such as X-Dovecot-API.
 */
const headerOf = ({ scheme }: Challenge): string | undefined =>
  /^x-.*(?:auth|key|secret|token)/i.test(scheme) ? scheme.slice(0, LONGEST_EXCERPT) : OPENSTACK.test(scheme) ? "X-Auth-Token" : undefined;

const OPENSTACK = /^(keystone|swift)$/i;

/** Returns the header that the API reads, if its only challenge names one and the request did not send it. */
export function readRequestedHeader({ headers }: Pick<ResponseHead, "headers">, request: SentRequest): string | undefined {
  const [challenge, ...otherChallenges] = challengesIn(headers["www-authenticate"] ?? "");
  const header = challenge === undefined || otherChallenges.length > 0 ? undefined : headerOf(challenge);
  const names = Object.keys(request.headers);
  if (challenge !== undefined && schemeOf(request)?.toLowerCase() === challenge.scheme.toLowerCase()) return undefined;
  // OpenStack's token endpoint sends the same challenge for a wrong password.
  const isMisplaced = OPENSTACK.test(challenge?.scheme ?? "") ? names.includes("authorization") : true;
  return header === undefined || !isMisplaced || names.includes(header.toLowerCase()) ? undefined : header;
}

/**
 * Returns whether a fresh token may be accepted after this one was refused. It returns false if the token is still valid and the API asks
 * for another scheme.
 * If the token's lifetime is unknown, it returns true, because some APIs name another scheme than the one that they accept.
 */
export function refreshMayHelp(response: ResponseHead, request: SentRequest, credential: Credential | undefined, now: number): boolean {
  const isGood = credential?.kind === "oauth2" && credential.expiresAt !== undefined && credential.expiresAt > now;
  const { usedScheme, own, challenges } = readChallenges(response, request);
  return !(isGood && usedScheme !== undefined && challenges.length > 0 && own.length === 0);
}

/** Returns the scheme that the credential was sent with: empty for a bare credential, undefined for none. */
function schemeOf({ headers }: SentRequest): string | undefined {
  const authorization = headers.authorization?.trim();
  return authorization === undefined ? undefined : (/^(\S+)\s/.exec(authorization)?.[1] ?? "");
}

/** Returns the challenges of a response; `own` are those of the scheme that was used. */
function readChallenges(response: ResponseHead, request: SentRequest) {
  const challenges = challengesIn(response.headers["www-authenticate"] ?? "");
  const usedScheme = schemeOf(request);
  return { usedScheme, challenges, own: challenges.filter(({ scheme }) => scheme.toLowerCase() === usedScheme?.toLowerCase()) };
}

/** Error codes of APIs (RFC 6750, section 3.1), and their common variants. A provider may use the same word for something else. */
const OF_SCOPES = ["insufficient_scope", "missing_required_scopes"];
const OF_TOKENS = ["invalid_token", "expired_token", "token_expired", ...OF_SCOPES];

function explainError({ parameters }: Challenge, auth: AuthenticationDefinition): ChallengeExplained {
  const { error = "", error_description: description, scope } = parameters;
  const code = error.slice(0, LONGEST_EXCERPT);
  const providerError = inItsWords(code, description);
  const isOfScope = OF_SCOPES.includes(code);
  const needs = isOfScope && scope !== undefined ? ` It names: ${scope.slice(0, LONGEST_EXCERPT)}.` : "";
  if (!OF_TOKENS.includes(code)) return { message: `The API refused the credential: ${providerError}. Look this up in its documentation.` };
  if (!isOAuthType(auth.type)) {
    const because = isOfScope ? "it lacks a scope that this request needs" : "it is expired, was revoked, or is mistyped";
    return { message: `The API refused the credential, because ${because}: ${providerError}. Sign in again with a new one.${needs}` };
  }
  const text = oauthErrorText({ phase: "resource", code, auth, ...defined({ description }) });
  if (text === undefined) return { message: `The API refused the credential: ${providerError}.` };
  return {
    message: `${refusalMessage("Refused", text, providerError)} ${text.hint}${needs}`,
    ...defined({ field: text.field }),
  };
}

/** Schemes that need more than a prefix before a token. */
const NO_PREFIX = /^(basic|digest|dpop|hoba|mutual|negotiate|ntlm|scram-.*)$/i;

const sentWith = (usedScheme: string): string =>
  usedScheme === "" ? "without a prefix" : `with the prefix ${usedScheme.slice(0, LONGEST_EXCERPT)}`;

function otherScheme({ scheme, parameters }: Challenge, usedScheme: string, auth: AuthenticationDefinition): ChallengeExplained {
  const requestedScheme = scheme.slice(0, LONGEST_EXCERPT);
  const { field, change } = NO_PREFIX.test(scheme) ? changeOfType(requestedScheme) : changeOfPrefix(requestedScheme, auth);
  const errorSentence =
    parameters.error === undefined
      ? ""
      : ` It says: ${inItsWords(parameters.error.slice(0, LONGEST_EXCERPT), parameters.error_description)}.`;
  // An image registry names its service and a realm that issues tokens for a password. Other realms may be any URL.
  const { realm = "", service } = parameters;
  const isOfRegistry = service !== undefined && /^https?:\/\/\S+$/.test(realm) && !NO_PREFIX.test(scheme);
  const from = isOfRegistry ? ` Its tokens come from ${realm.slice(0, LONGEST_EXCERPT)}.` : "";
  return {
    message: `${field} does not fit: the API asks for the scheme ${requestedScheme}, and the credential was sent ${sentWith(usedScheme)}. ${change}${from}${errorSentence}`,
    field,
  };
}

function otherHeader(header: string, { type }: AuthenticationDefinition): ChallengeExplained {
  const set = `headerName: ${JSON.stringify(header)}`;
  const fields = isAuthTypeName(type) ? AUTH_TYPES[type].fields.map(({ name }) => name) : [];
  const { field, change } = fields.includes("headerName")
    ? { field: "headerName", change: `Set ${set}.` }
    : fields.includes("headers")
      ? { field: "headers", change: `Add ${header} to headers.` }
      : flowKindOf(type) === "custom"
        ? { field: "params", change: `Write the placeholder in the header ${header}.` }
        : { field: "type", change: `Use AuthenticationType.CustomHeaderToken with ${set}.` };
  return { message: `${field} does not fit: the API asks for the header ${header}, and nothing was sent in it. ${change}`, field };
}

/**
 * Explains a response without a challenge, whose API may not have recognized the credential. A 403 rather means that it did, and forbids
 * the request.
 */
function withoutChallenge({ status }: ResponseHead, usedScheme: string, auth: AuthenticationDefinition): ChallengeExplained | undefined {
  const { field, change } = changeOfPrefix("Bearer", auth);
  if (field === "type" || field === "params") return undefined;
  if (status === 403)
    return {
      message: `Use an account or a token that has the right for this request. The credential was sent ${sentWith(usedScheme)}. If the API's documentation has Bearer: ${change}`,
    };
  return {
    message: `${field} may not fit: the credential was sent ${sentWith(usedScheme)}, and the API names no scheme. If its documentation has Bearer: ${change} Otherwise sign in again with a valid credential.`,
    field,
  };
}

interface Change {
  readonly field: string;
  readonly change: string;
}

function changeOfPrefix(scheme: string, { type }: AuthenticationDefinition): Change {
  const set = `tokenPrefix: ${JSON.stringify(scheme)}`;
  const fields = isAuthTypeName(type) ? AUTH_TYPES[type].fields : [];
  const prefix = fields.find(({ name }) => name === "tokenPrefix");
  if (prefix !== undefined) {
    const isDefault = prefix.default === JSON.stringify(scheme);
    return { field: "tokenPrefix", change: isDefault ? `Remove tokenPrefix, which is ${scheme} by default.` : `Set ${set}.` };
  }
  if (fields.some(({ name }) => name === "headers")) return { field: "headers", change: `Set ${set} for the header Authorization.` };
  if (flowKindOf(type) === "custom")
    return { field: "params", change: `Write ${scheme} and a space before the placeholder in the header Authorization.` };
  return {
    field: "type",
    change:
      scheme.toLowerCase() === "bearer"
        ? "Use AuthenticationType.HeaderBearerToken."
        : `Use AuthenticationType.CustomHeaderToken with headerName: "Authorization" and ${set}.`,
  };
}

function changeOfType(scheme: string): Change {
  const change =
    scheme.toLowerCase() === "basic"
      ? "Use AuthenticationType.WebBasic. An API that asks for Basic expects a user name and a password."
      : scheme.toLowerCase() === "dpop"
        ? "Let the provider issue Bearer tokens to the application. The platform cannot bind a token to a key (RFC 9449)."
        : "Look in the API's documentation for another way to sign in. The platform has no authentication type for this one.";
  return { field: "type", change };
}
