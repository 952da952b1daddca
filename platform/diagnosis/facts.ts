// Reads facts that several diagnoses need from a failure.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { AUTH_TYPES, flowKindOf, isAuthTypeName, isOAuthType } from "../../spec/auth-types.ts";
import { type Challenge, challengesIn } from "./challenges.ts";
import type { Exchange, Failure } from "./failure.ts";
import { asksToken, type OAuthPhase, standardCode } from "./oauth-codes.ts";

/** Characters of a part of a header that a message shows. */
export const LONGEST_EXCERPT = 300;

/** Returns the name of the field, or of the part of the pack, that contains the address of the failed request. */
export function addressName({ phase, mcp }: Failure): string {
  if (asksToken({ phase })) return "tokenUrl";
  const names: Readonly<Partial<Record<OAuthPhase, string>>> = { authorization: "authorizationUrl", registration: "the declared domains" };
  return names[phase] ?? (mcp === undefined ? "the URL" : "endpointUrl");
}

export const withoutSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path);

export const withoutStop = (text: string): string => text.replace(/\.$/, "");

/** Returns the standard code of the provider's error, the provider's own code, or undefined if there is no error. */
export const codeOf = ({ phase, providerError }: Failure): string | undefined =>
  providerError === undefined ? undefined : standardCode({ phase, ...providerError });

/** Returns the provider's description; empty if there is none. */
export const descriptionOf = ({ providerError }: Failure): string => providerError?.description ?? "";

/** Returns the status that the request was answered with, whichever way it is known. */
export const statusOf = ({ exchange, providerError }: Failure): number | undefined =>
  exchange?.status ?? (Number(/^http_(\d{3})$/.exec(providerError?.code ?? "")?.[1]) || undefined);

/** Returns the status of the response to an API's request that carried the account's credential. */
export const refusedStatus = ({ phase, exchange }: Failure): number | undefined =>
  phase === "resource" && exchange !== undefined && exchange.credentials.length > 0 ? exchange.status : undefined;

type SentHeaders = Pick<Exchange, "requestHeaders">;

/** Returns the scheme that the credential was sent with: empty for a bare credential, undefined for none. */
export function schemeOf({ requestHeaders }: SentHeaders): string | undefined {
  const authorization = requestHeaders.authorization?.trim();
  return authorization === undefined ? undefined : (/^(\S+)\s/.exec(authorization)?.[1] ?? "");
}

/** The challenges of a response; `own` are those of the scheme that was used. */
export interface Challenges {
  readonly usedScheme: string | undefined;
  readonly challenges: readonly Challenge[];
  readonly own: readonly Challenge[];
}

export function readChallenges(exchange: Pick<Exchange, "requestHeaders" | "responseHeaders">): Challenges {
  const challenges = challengesIn(exchange.responseHeaders?.["www-authenticate"] ?? "");
  const usedScheme = schemeOf(exchange);
  return { usedScheme, challenges, own: challenges.filter(({ scheme }) => scheme.toLowerCase() === usedScheme?.toLowerCase()) };
}

/** Schemes that need more than a prefix before a token. */
export const NO_PREFIX = /^(basic|digest|dpop|hoba|mac|mutual|negotiate|ntlm|scram-.*)$/i;

/**
 * Returns the header that a challenge names in place of a scheme. PowerDNS does so, and OpenStack's services use a word of their own. Other
 * schemes begin with X- too, such as X-Dovecot-API.
 */
export const headerIn = ({ scheme }: Challenge): string | undefined =>
  /^x-.*(?:auth|key|secret|token)/i.test(scheme) ? scheme.slice(0, LONGEST_EXCERPT) : OPENSTACK.test(scheme) ? "X-Auth-Token" : undefined;

const OPENSTACK = /^(keystone|swift)$/i;

/** Returns the header that the API reads, if its only challenge names one and the request did not send it. */
export function requestedHeader(exchange: Pick<Exchange, "requestHeaders" | "responseHeaders">): string | undefined {
  const { challenges, own } = readChallenges(exchange);
  const [challenge, ...otherChallenges] = challenges;
  if (challenge === undefined || otherChallenges.length > 0 || own.length > 0) return undefined;
  const header = headerIn(challenge);
  const names = Object.keys(exchange.requestHeaders);
  // OpenStack's token endpoint sends the same challenge for a wrong password.
  const isMisplaced = OPENSTACK.test(challenge.scheme) ? names.includes("authorization") : true;
  return header === undefined || !isMisplaced || names.includes(header.toLowerCase()) ? undefined : header;
}

/** Returns the prefix that fits the token: its token_type if that is a prefix, or Bearer. */
export function tokenScheme({ account }: Failure): string {
  const { tokenType = "Bearer" } = account ?? {};
  return NO_PREFIX.test(tokenType) ? "Bearer" : tokenType;
}

export const sentWith = (usedScheme: string): string =>
  usedScheme === "" ? "without a prefix" : `with the prefix ${usedScheme.slice(0, LONGEST_EXCERPT)}`;

/** A change of one field, as a sentence. */
export interface FieldChange {
  readonly field: string;
  readonly change: string;
}

/** Returns the change that lets the credential be sent with the scheme. */
export function changeOfPrefix(scheme: string, { type }: AuthenticationDefinition): FieldChange {
  const set = `tokenPrefix: ${JSON.stringify(scheme)}`;
  const fields = isAuthTypeName(type) ? AUTH_TYPES[type].fields : [];
  const prefix = fields.find(({ name }) => name === "tokenPrefix");
  if (prefix !== undefined) {
    const isDefault = prefix.default === JSON.stringify(scheme);
    return { field: "tokenPrefix", change: isDefault ? `Remove tokenPrefix, which is ${scheme} by default.` : `Set ${set}.` };
  }
  if (scheme.toLowerCase() === "oauth" && !isOAuthType(type)) return { field: "type", change: "Use AuthenticationType.OAuth2." };
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

/** Returns the change that lets the credential be sent in the header. */
export function changeOfHeader(header: string, { type }: AuthenticationDefinition): FieldChange {
  const set = `headerName: ${JSON.stringify(header)}`;
  const fields = isAuthTypeName(type) ? AUTH_TYPES[type].fields.map(({ name }) => name) : [];
  if (fields.includes("headerName")) return { field: "headerName", change: `Set ${set}.` };
  if (fields.includes("headers")) return { field: "headers", change: `Add ${header} to headers.` };
  if (flowKindOf(type) === "custom") return { field: "params", change: `Write the placeholder in the header ${header}.` };
  return { field: "type", change: `Use AuthenticationType.CustomHeaderToken with ${set}.` };
}

export function changeOfType(scheme: string): FieldChange {
  const change =
    scheme.toLowerCase() === "basic"
      ? "Use AuthenticationType.WebBasic. An API that asks for Basic expects a user name and a password."
      : scheme.toLowerCase() === "dpop"
        ? "Let the provider issue Bearer tokens to the application. The platform cannot bind a token to a key (RFC 9449)."
        : "Look in the API's documentation for another way to sign in. The platform has no authentication type for this one.";
  return { field: "type", change };
}

/** Returns the names of a list, or “none”. */
export const listOf = (items: readonly string[] | undefined): string =>
  items === undefined || items.length === 0 ? "none" : items.join(", ");

export function grantName(phase: OAuthPhase): string {
  if (phase === "client-credentials") return "client credentials";
  return phase === "refresh" ? "refresh tokens" : "the authorization code grant";
}

/** Returns the scopes of the metadata, or undefined if it lists none. */
export const listedScopes = ({ signIn }: Failure): readonly string[] | undefined =>
  signIn?.metadata === undefined || signIn.metadata.scopes.length === 0 ? undefined : signIn.metadata.scopes;

/**
 * Returns the name of a missing parameter that the request itself does not send. Examples: “nonce required”, “Missing parameter: audience”,
 * “client_key should not be empty”, “No audience parameter was provided”.
 */
export function missingParameter(description: string): string | undefined {
  for (const pattern of MISSING) {
    const name = pattern.exec(description)?.groups?.name;
    if (name !== undefined && !OWN_PARAMETERS.test(name)) return name;
  }
  return undefined;
}

const MISSING = [
  /\bmissing (?:the )?(?:required |mandatory )?(?:parameters?|field):? ["'`“]?(?<name>[a-z_]{2,40})\b/i,
  /^(?:the )?(?:parameter )?["'`“]?(?<name>[a-z_]{2,40})["'`”]? (?:parameter |field )?(?:is )?(?:required|missing|mandatory)\b/i,
  /(?<![a-z_])(?<name>[a-z_]{3,40}) (?:should|must|can(?:not| not)) (?:not )?be (?:empty|blank|null)\b/i,
  /\bno ["'`“]?(?<name>[a-z_]{2,40})["'`”]? (?:parameter )?(?:was )?(?:provided|given|specified|sent)\b/i,
];

const OWN_PARAMETERS =
  /^(missing|invalid|response_type|client_id|client_secret|redirect_uri|state|scopes?|grant_type|code|parameters?|is|which|that|field|it|value|this|request|token|refresh_token)$/i;
