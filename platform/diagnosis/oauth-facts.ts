// Reads facts about a refusal of OAuth that several diagnoses need.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { OAuth2Facts } from "../../spec/provider-page.ts";
import { isDocumented, wholePage } from "../../spec/provider-readings.ts";
import { providerOf } from "../../spec/providers.ts";
import { codeOf, descriptionOf, listedScopes, listOf, statusOf } from "./facts.ts";
import type { Failure } from "./failure.ts";
import { asksToken } from "./oauth-codes.ts";

/** Returns whether the provider refused the client ID or secret. A token endpoint that answers 401 and blames nothing else does so too. */
export function refusesClient(failure: Failure): boolean {
  const code = codeOf(failure) ?? "";
  if (code === "invalid_client" || !asksToken(failure) || statusOf(failure) !== 401) return code === "invalid_client";
  return code !== "unauthorized_client" && !NOT_THE_CLIENT.test(`${code} ${descriptionOf(failure)}`);
}

/** What a refusal names if it is not about the client: the grant, the scope, the redirect address, the API, or the form of the body. */
const NOT_THE_CLIENT = /grant|scope|redirect|target|audience|\bjson\b|content[ -]type|not (?:allowed|permitted|authori[sz]ed) (?:to|for)/i;

/** Returns whether the token endpoint asks in words for JSON in place of a form. */
export const wantsJson = (failure: Failure): boolean => {
  const words = `${failure.providerError?.code ?? ""} ${descriptionOf(failure)}`;
  return (
    asksToken(failure) &&
    /\bjson\b|\bvalid dict(?:ionary)?\b/i.test(words) &&
    !/x-www-form-urlencoded|\bform[ -]?(?:data|encoded)\b/i.test(words)
  );
};

export const isOfScopes = (failure: Failure): boolean =>
  failure.phase !== "resource" &&
  (codeOf(failure) === "invalid_scope" ||
    (["invalid_client", "unauthorized_client"].includes(codeOf(failure) ?? "") && /\bscopes?\b/i.test(descriptionOf(failure))) ||
    (codeOf(failure) === "invalid_request" && failure.phase !== "code" && /\bscopes?\b/i.test(descriptionOf(failure))));

/** Returns the requested scopes that the provider's metadata does not list. */
export function unlistedScopes(failure: Failure): readonly string[] {
  const listed = listedScopes(failure);
  return listed === undefined ? [] : (failure.auth.scopes ?? []).filter((scope) => !listed.includes(scope));
}

export const delimiterName = ({ scopeDelimiter = " " }: Pick<AuthenticationDefinition, "scopeDelimiter">): string =>
  scopeDelimiter === " " ? "spaces" : `“${scopeDelimiter}”`;

/** Returns the delimiter of the provider's documentation, or undefined if the provider is not known or accepts several. */
export function documentedDelimiter(auth: AuthenticationDefinition): OAuth2Facts["scopeDelimiter"] {
  const page = providerOf(auth);
  if (page === undefined || page.accepts["oauth2.scopeDelimiter"] !== undefined) return undefined;
  return isDocumented(wholePage(page), "oauth2.scopeDelimiter") ? page.oauth2.scopeDelimiter : undefined;
}

/** Returns whether the authorization URL is that of the provider's documentation, so that it is not to blame. */
export function hasDocumentedUrl(auth: AuthenticationDefinition): boolean {
  const page = providerOf(auth);
  return (
    page?.oauth2.authorizationUrl === auth.authorizationUrl &&
    page !== undefined &&
    isDocumented(wholePage(page), "oauth2.authorizationUrl")
  );
}

/** Returns the sentence that names the scopes as they were asked for. */
export const requestedScopes = (auth: AuthenticationDefinition): string =>
  `Asked for: ${listOf(auth.scopes)}, joined by ${delimiterName(auth)}${auth.scopeParamName === undefined ? "" : ` as ${auth.scopeParamName}`}.`;

export const isOfPkce = (failure: Failure): boolean =>
  failure.phase !== "resource" && /code[_ -]?(challenge|verifier)|pkce|proof key/i.test(descriptionOf(failure));

export const listsPkce = ({ signIn }: Failure): boolean => signIn?.metadata?.challengeMethods.includes("S256") === true;

export const isOfGrant = (failure: Failure): boolean =>
  /grant|response[_ ]type|not (?:enabled|allowed|permitted|authori[sz]ed) (?:to|for)/i.test(descriptionOf(failure));
