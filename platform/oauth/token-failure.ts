// Explains the failure of a token request in the provider's own words, with what to do about it (RFC 6749, section 5.2).
// Invariant: no text contains the client secret, the code or a token, whatever the provider sends back.

import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import { quote } from "../../base/quote.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { Cause } from "../diagnosis/diagnosis.ts";
import { type Explanation, explain } from "../diagnosis/explain.ts";
import { codeOf, withoutStop } from "../diagnosis/facts.ts";
import type { Failure, SignInFacts } from "../diagnosis/failure.ts";
import type { OAuthPhase } from "../diagnosis/oauth-codes.ts";
import type { DiagnosisId } from "../diagnosis/order.ts";
import { excerpt, isWebPage, quoteError, refusalMessage, sentenceOf } from "../diagnosis/words.ts";
import { networkFailureOf, wasNeverSent } from "../network/network-failure.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { type NormalisedResponse, selectPrintableNames } from "./token-response.ts";

export interface TokenFailure extends Pick<Cause, "nextStep" | "field" | "blamesClient"> {
  readonly diagnosis: DiagnosisId;
  /** Whole sentences; the first one names the field, if there is one. */
  readonly message: string;
  /** A few words for the list of attempts. */
  readonly summary: string;
  readonly hint: string;
  readonly verdict: Verdict;
  /** The status of the response, if there is one. */
  readonly status?: number;
  /** How specific the failure is: of several attempts, the highest value is reported. */
  readonly telling: number;
}

type Verdict =
  /** The client authentication may be the reason, so another method may help. */
  | "client"
  /** The server may not have read the form, so JSON may help. */
  | "form"
  /** The provider refused the code or the refresh token. */
  | "grant"
  /** The provider refused for another reason. */
  | "other"
  /** Nothing was sent. */
  | "unsent"
  /** The request was sent, and its result is unknown. */
  | "lost";

/** What the callback and the provider's metadata say beside the token endpoint's response. */
export type ProviderFacts = Pick<SignInFacts, "metadata" | "otherHost" | "otherMetadata">;

/** The circumstances of the token request. */
interface FailureContext extends Pick<SignInFacts, "client" | "redirectUri"> {
  /** What is known of the provider from elsewhere. */
  readonly provider: ProviderFacts;
  readonly tokenUrl: string;
  readonly phase: OAuthPhase;
  readonly auth: AuthenticationDefinition;
  /** Secrets that the provider knows and that messages must not show. */
  readonly secrets: readonly string[];
}

/** Thrown if the token endpoint redirects, because following it would send the secret to another address. */
export class RedirectRefused extends Error {
  readonly status: number;
  readonly location: string | null;

  constructor({ status, headers }: Response) {
    super("the redirect was not followed");
    this.status = status;
    this.location = headers.get("location");
  }
}

/** Characters of a response that messages are made from. */
const LONGEST_TEXT = 4_000;
/** Characters of a code, a name or an address that messages show. */
const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 500;

/** The provider's error, masked before it is cut: a cut secret would no longer be recognized. */
interface MaskedError {
  readonly code: string;
  readonly description: string | undefined;
  readonly page: string | undefined;
}

function readProviderError(
  { error, error_description: description, cause: { error_uri: page } }: oauth.ResponseBodyError,
  redactor: Redactor,
): MaskedError {
  return {
    code: redactor.redactStart(error, LONGEST_NAME),
    description: description && redactor.redactStart(description, LONGEST_TEXT),
    page: typeof page === "string" && page.length <= LONGEST_ADDRESS && /^https:\/\/[!-~]+$/.test(page) ? page : undefined,
  };
}

export function failureOf(error: unknown, normalised: NormalisedResponse | undefined, context: FailureContext): TokenFailure {
  const redactor = createRedactor(context.secrets);
  const response = normalised && { ...normalised, text: redactor.redactStart(normalised.text, LONGEST_TEXT) };
  const providerError = error instanceof oauth.ResponseBodyError ? readProviderError(error, redactor) : undefined;
  const facts = factsOf(error, providerError, response, context);
  const explanation = explanationOf(facts);
  const { host } = new URL(context.tokenUrl);
  const { field, blamesClient } = explanation;
  const message =
    facts.network !== undefined
      ? `tokenUrl could not be reached: ${withoutStop(explanation.reason)}.`
      : facts.providerError === undefined || explanation.id === "token-url-is-authorization-url"
        ? sentenceOf(explanation)
        : refusalMessage(
            `${host} refused to issue a token`,
            explanation.id === "unexplained" ? undefined : explanation,
            wordsOf(facts, response),
          );
  const page = providerError?.page === undefined ? "" : ` The provider explains it at ${quote(providerError.page)}.`;
  const other = field === "tokenUrl" ? facts.signIn?.otherMetadata : undefined;
  const verdict = verdictOf(facts, response, error, explanation);
  return {
    ...defined({
      status: facts.exchange?.status,
      field: field ?? (explanation.id === "unexplained" || facts.network !== undefined ? "tokenUrl" : undefined),
      blamesClient,
    }),
    diagnosis: explanation.id,
    message: redactor.redact(message),
    summary: redactor.redact(summaryOf(facts, error)),
    nextStep: explanation.nextStep,
    hint: redactor.redact([`${explanation.advice}${page}`, other].filter(Boolean).join(" ")),
    verdict,
    telling: tellingOf(facts, explanation, verdict),
  };
}

/** Explains the facts. A framework's own words for a status, such as "Not Found", are not an OAuth code, so the status counts then. */
function explanationOf(facts: Failure): Explanation {
  const status = facts.exchange?.status ?? 0;
  const explanation = explain(facts);
  const byStatus =
    explanation?.id === "unexplained" && status > 400 && status !== 422
      ? explain({ ...facts, providerError: { ...facts.providerError, code: `http_${status}` } })
      : explanation;
  if (byStatus === undefined) throw new Error("a failed token request has a response or an error of the network");
  return byStatus;
}

/** Collects the masked facts. */
function factsOf(
  error: unknown,
  providerError: MaskedError | undefined,
  response: NormalisedResponse | undefined,
  { tokenUrl, phase, auth, client, redirectUri, provider }: FailureContext,
): Failure {
  const signIn = { client, address: tokenUrl, ...provider, ...defined({ redirectUri }) };
  const base = { phase, auth, signIn };
  const sent = { method: "POST", url: tokenUrl, requestHeaders: {}, credentials: [] };
  if (error instanceof RedirectRefused)
    return {
      ...base,
      exchange: { ...sent, status: error.status },
      tokenResponse: { redirect: error.location, isTooLarge: false, hasTopLevelToken: false, hasOddToken: false, members: [] },
    };
  if (response === undefined) return { ...base, network: networkFailureOf(error, new URL(tokenUrl).host) };
  const { status, text } = response;
  const exchange = { ...sent, status, responseBody: text, responseHeaders: defined({ "retry-after": response.retryAfter }) };
  if (providerError !== undefined) {
    // A provider without an error in its response is quoted instead.
    const description = providerError.description ?? (providerError.code.startsWith("http_") ? excerpt(response) : undefined);
    return { ...base, exchange, providerError: { code: providerError.code, ...defined({ description }) } };
  }
  const accessToken = response.raw.access_token;
  return {
    ...base,
    exchange,
    tokenResponse: {
      isTooLarge: response.tooLarge,
      hasTopLevelToken: response.hasTopLevelToken,
      hasOddToken: accessToken !== undefined && accessToken !== null && accessToken !== "",
      members: selectPrintableNames(response.members),
      ...defined({ tokenIn: response.tokenIn }),
    },
  };
}

function wordsOf({ providerError, exchange }: Failure, response: NormalisedResponse | undefined): string {
  const { code = "", description } = providerError ?? {};
  return quoteError(code.startsWith("http_") ? `status ${exchange?.status ?? response?.status ?? 0}` : code, description);
}

/** Returns a few words for the list of attempts. */
function summaryOf({ network, providerError, tokenResponse, exchange }: Failure, error: unknown): string {
  const status = exchange?.status ?? 0;
  if (network !== undefined) return "no answer";
  if (error instanceof RedirectRefused) return `a redirect (${status})`;
  if (providerError !== undefined) return providerError.code.startsWith("http_") ? `status ${status}` : providerError.code;
  if (tokenResponse?.isTooLarge === true) return "too large";
  return isWebPage(exchange?.responseBody ?? "") ? "a web page" : "no access_token";
}

/** Returns how specific the failure is. */
function tellingOf({ providerError }: Failure, { id, isVague, blamesClient }: Explanation, verdict: Verdict): number {
  if (id === "token-url-is-authorization-url") return 2;
  if (verdict === "grant") return 3;
  // A server that is busy or broken says nothing of the request.
  if (providerError === undefined || isVague || ["server-error", "temporarily-unavailable", "too-many-requests"].includes(id)) return 0;
  return blamesClient ? 1 : 2;
}

function verdictOf(facts: Failure, response: NormalisedResponse | undefined, error: unknown, explanation: Explanation): Verdict {
  const { providerError } = facts;
  if (error instanceof RedirectRefused || explanation.id === "token-url-is-authorization-url") return "other";
  if (response === undefined) return wasNeverSent(error) ? "unsent" : "lost";
  if (providerError === undefined) return "lost";
  const { status, text } = response;
  const { code } = providerError;
  if (codeOf(facts) === "invalid_grant") return "grant";
  if (code === `http_${status}` && isOfGateway(status, text)) return "lost";
  if (explanation.id === "token-url-wants-json") return "form";
  // The platform tries HTTP Basic after every 401, regardless of the error code.
  if (explanation.blamesClient || status === 401) return "client";
  // A server that cannot read the body finds no grant_type in it.
  const finds = `${code} ${providerError.description ?? ""}`;
  const lacksGrant =
    /\bgrant[_ ]type\b/i.test(finds) && /\b(?:missing|required|empty|null|not (?:found|present|provided|set|specified))\b/i.test(finds);
  if (explanation.id === "grant-not-offered" || lacksGrant || status === 415) return "form";
  const mayBeClient = code === "invalid_request" || /^http_(400|403|415|422)$/.test(code);
  return mayBeClient && explanation.isVague === true ? "client" : "other";
}

/**
 * Returns whether a gateway failed. The server behind it may have processed the request; some gateways report a broken connection as 503.
 */
const isOfGateway = (status: number, text: string): boolean =>
  [502, 504, 520, 524].includes(status) || (status === 503 && /upstream|disconnect|reset/i.test(text));
