// Explains the failure of a token request in the provider's own words, with what to do about it (RFC 6749, section 5.2).
// Invariant: no text contains the client secret, the code or a token, whatever the provider sends back.

import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import { printable } from "../../base/printable.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { networkHint, networkSentence, wasNeverSent } from "../network/network-message.ts";
import { createRedactor, MASK, type Redactor } from "../secrets/redact.ts";
import { isInvalidGrant, type OAuthPhase } from "./error-codes.ts";
import { type ErrorText, inItsWords, type OAuthRefusal, oauthErrorText, refusalMessage } from "./error-texts.ts";
import { isReachable } from "./provider-fetch.ts";
import { type NormalisedResponse, selectPrintableNames } from "./token-response.ts";

export interface Failure extends Pick<ErrorText, "field" | "blamesClient"> {
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
  /** The provider refused the code or the refresh token. */
  | "grant"
  /** The provider refused for another reason. */
  | "other"
  /** Nothing was sent. */
  | "unsent"
  /** The request was sent, and its result is unknown. */
  | "lost";

/** The circumstances of the token request. */
interface FailureContext extends Pick<OAuthRefusal, "client" | "redirectUri"> {
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
interface ProviderError {
  readonly code: string;
  readonly description: string | undefined;
  readonly page: string | undefined;
}

function readProviderError(
  { error, error_description: description, cause: { error_uri: page } }: oauth.ResponseBodyError,
  redactor: Redactor,
): ProviderError {
  return {
    code: redactor.redactStart(error, LONGEST_NAME),
    description: description && redactor.redactStart(description, LONGEST_TEXT),
    page: typeof page === "string" && page.length <= LONGEST_ADDRESS && /^https:\/\/[!-~]+$/.test(page) ? page : undefined,
  };
}

export function failureOf(error: unknown, normalised: NormalisedResponse | undefined, context: FailureContext): Failure {
  const redactor = createRedactor(context.secrets);
  const response = normalised && { ...normalised, text: redactor.redactStart(normalised.text, LONGEST_TEXT) };
  const providerError = error instanceof oauth.ResponseBodyError ? readProviderError(error, redactor) : undefined;
  const failure = describe(error, providerError, response, context);
  return {
    ...failure,
    ...defined({ status: response?.status }),
    message: redactor.redact(failure.message),
    summary: redactor.redact(failure.summary),
    hint: redactor.redact(failure.hint),
  };
}

const AT_TOKEN_URL = { field: "tokenUrl", telling: 0 } as const;

function describe(
  error: unknown,
  providerError: ProviderError | undefined,
  response: NormalisedResponse | undefined,
  context: FailureContext,
): Failure {
  const { host } = new URL(context.tokenUrl);
  if (error instanceof RedirectRefused) return redirectOf(error, context);
  if (response === undefined) {
    const message = `tokenUrl could not be reached: ${networkSentence(error, host)}`;
    const verdict = wasNeverSent(error) ? "unsent" : "lost";
    return { message, summary: "no answer", hint: networkHint(error, "tokenUrl"), verdict, ...AT_TOKEN_URL };
  }
  const { status, text } = response;
  const same = sameAddress(providerError, context);
  if (same !== undefined) return { ...same, summary: `status ${status}` };
  if (providerError !== undefined) return refusalOf(providerError, response, context);
  if (response.tooLarge) {
    const message = "tokenUrl answered with more than 1 MB, or with a token that is too long.";
    return {
      message,
      summary: "too large",
      hint: "Check tokenUrl. A token has at most 16,384 characters, with few special characters.",
      verdict: "lost",
      ...AT_TOKEN_URL,
    };
  }
  if (text === "") {
    const message = `tokenUrl answered with status ${status} and nothing else.`;
    return { message, summary: "no access_token", hint: "Check tokenUrl.", verdict: "lost", ...AT_TOKEN_URL };
  }
  if (isWebPage(text)) {
    const message = `tokenUrl is an address for browsers: ${host} answered with a web page (status ${status}).${formatQuotation(excerpt(response))}`;
    return { message, summary: "a web page", hint: COMPARE, verdict: "lost", ...AT_TOKEN_URL };
  }
  return withoutToken(response, context);
}

const COMPARE = "Compare tokenUrl with the provider's documentation.";

const formatQuotation = (text: string): string => (text === "" ? "" : ` It says: “${text}”.`);

/** Explains a successful response without an access_token in the expected place (RFC 6749, section 5.1). */
function withoutToken(response: NormalisedResponse, { tokenUrl, auth: { nestedResponseKey } }: FailureContext): Failure {
  const common = { summary: "no access_token", verdict: "lost", telling: 0 } as const;
  if (response.tokenIn !== undefined && response.tokenIn.length <= LONGEST_NAME) {
    const now = nestedResponseKey === undefined ? "nestedResponseKey does not name it" : `nestedResponseKey is ${nestedResponseKey}`;
    const name = JSON.stringify(response.tokenIn);
    return {
      ...common,
      message: `The token is in the object ${name} of the answer, and ${now}.`,
      hint: `Set nestedResponseKey: ${name}, and sign in again.`,
      field: "nestedResponseKey",
    };
  }
  if (nestedResponseKey !== undefined && response.hasTopLevelToken)
    return {
      ...common,
      message: `The token is at the top level of the answer, and nestedResponseKey is ${nestedResponseKey}.`,
      hint: "Remove nestedResponseKey, and sign in again. The platform reads the token from the object that nestedResponseKey names alone.",
      field: "nestedResponseKey",
    };
  const accessToken = response.raw.access_token;
  if (accessToken !== undefined && accessToken !== null && accessToken !== "")
    return {
      ...common,
      message: "tokenUrl returned an access_token that is not a string.",
      hint: `${COMPARE} The platform reads the token from access_token as a string.`,
      field: "tokenUrl",
    };
  const names = selectPrintableNames(response.members);
  const contentSentence = names.length > 0 ? ` It contains: ${names.join(", ")}.` : formatQuotation(excerpt(response));
  const { host } = new URL(tokenUrl);
  return nestedResponseKey === undefined
    ? {
        ...common,
        message: `tokenUrl returned no access_token: ${host} answered with status ${response.status}.${contentSentence}`,
        hint: `${COMPARE} The platform reads the token from access_token, or from there in the object that nestedResponseKey names.`,
        field: "tokenUrl",
      }
    : {
        ...common,
        message: `There is no access_token in the answer, nor in its object ${JSON.stringify(nestedResponseKey)}, which nestedResponseKey names.${contentSentence}`,
        hint: "Set nestedResponseKey to the object that contains access_token.",
        field: "nestedResponseKey",
      };
}

function redirectOf({ status, location }: RedirectRefused, context: FailureContext): Failure {
  const common = { summary: `a redirect (${status})`, verdict: "other", status, ...AT_TOKEN_URL } as const;
  const same = sameAddress(undefined, context);
  if (same !== undefined) return { ...common, ...same };
  const target = location !== null && URL.canParse(location, context.tokenUrl) ? new URL(location, context.tokenUrl) : undefined;
  const message = `tokenUrl answers with a redirect (${status}). It was not followed, because it could send the secret elsewhere.`;
  const { origin, pathname } = new URL(context.tokenUrl);
  const address = target === undefined ? "" : `${target.origin}${target.pathname}`;
  const isSlash = target?.origin === origin && withoutSlash(target.pathname) === withoutSlash(pathname);
  // Only an address that a configuration may have is proposed: neither http to another host nor another scheme.
  if (!isSlash && !isReachable(address, context.tokenUrl)) return { ...common, message, hint: "Put the final address into tokenUrl." };
  return {
    ...common,
    message,
    hint: isSlash
      ? `Set tokenUrl: ${JSON.stringify(address)}. The slash at the end matters.`
      : `Set tokenUrl to ${address}, if that is the provider's. The redirect leads there.`,
  };
}

const withoutSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path);

/** Detects tokenUrl copied from authorizationUrl. The response of that address is then not about a token, whatever it says. */
function sameAddress(
  providerError: ProviderError | undefined,
  { tokenUrl, phase, auth: { authorizationUrl } }: FailureContext,
): Omit<Failure, "summary"> | undefined {
  if (
    authorizationUrl === undefined ||
    !URL.canParse(authorizationUrl, tokenUrl) ||
    (providerError !== undefined &&
      isInvalidGrant({ code: providerError.code, phase, ...defined({ description: providerError.description }) }))
  )
    return undefined;
  const [one, other] = [new URL(tokenUrl), new URL(authorizationUrl, tokenUrl)];
  if (one.origin !== other.origin || withoutSlash(one.pathname) !== withoutSlash(other.pathname)) return undefined;
  return {
    message: "tokenUrl is the same address as authorizationUrl, and returns no token.",
    hint: "Put the provider's token address into tokenUrl; it usually ends in /token.",
    verdict: "other",
    field: "tokenUrl",
    telling: 2,
  };
}

/** Explains an error that the provider returned, in the body or by its status. */
function refusalOf({ code, description, page: uri }: ProviderError, response: NormalisedResponse, context: FailureContext): Failure {
  const { status } = response;
  const isBare = code.startsWith("http_");
  const shownCode = isBare ? `status ${status}` : code;
  const explanation = description ?? (isBare ? excerpt(response) : undefined);
  const refusal: OAuthRefusal = { ...context, code, ...defined({ description: explanation }) };
  // A framework's own words for a status, such as "Not Found", are not an OAuth code.
  const errorText =
    oauthErrorText(refusal) ?? (status > 400 && status !== 422 ? oauthErrorText({ ...refusal, code: `http_${status}` }) : undefined);
  const verdict = verdictOf(refusal, response, errorText);
  const page = uri === undefined ? "" : ` The provider explains it at ${uri}.`;
  return {
    message: refusalMessage(`${new URL(context.tokenUrl).host} refused to issue a token`, errorText, inItsWords(shownCode, explanation)),
    summary: shownCode,
    hint: `${errorText?.hint ?? "See the provider's documentation for this error."}${page}`,
    ...defined({ field: errorText === undefined ? "tokenUrl" : errorText.field, blamesClient: errorText?.blamesClient }),
    verdict,
    telling: verdict === "grant" ? 3 : errorText === undefined || errorText.isVague ? 0 : errorText.blamesClient ? 1 : 2,
  };
}

function verdictOf(refusal: OAuthRefusal, { status, text }: NormalisedResponse, errorText: ErrorText | undefined): Verdict {
  const { code } = refusal;
  if (isInvalidGrant(refusal)) return "grant";
  if (code === `http_${status}` && isOfGateway(status, text)) return "lost";
  // The platform tries HTTP Basic after every 401, regardless of the error code.
  if (errorText?.blamesClient || status === 401) return "client";
  const mayBeClient = code === "invalid_request" || /^http_(400|403|415|422)$/.test(code);
  return mayBeClient && (errorText === undefined || errorText.isVague === true) ? "client" : "other";
}

/**
 * Returns whether a gateway failed. The server behind it may have processed the request; some gateways report a broken connection as 503.
 */
const isOfGateway = (status: number, text: string): boolean =>
  [502, 504, 520, 524].includes(status) || (status === 503 && /upstream|disconnect|reset/i.test(text));

export const isWebPage = (text: string): boolean => /^\s*<(!doctype|html|head|body)/i.test(text);

/**
 * Returns the start of a text response, without markup and without what may be a credential. JSON is quoted only if the response is an
 * error.
 */
export function excerpt({ text, status }: Pick<NormalisedResponse, "text" | "status">, longest = 160): string {
  const isRefusal = status >= 400;
  if (!isRefusal && !isWebPage(text) && (/^\s*[{[]/.test(text) || /token|secret/i.test(text)))
    return "(not shown: it may contain a secret)";
  const shownText = text
    .replace(/<(script|style)\b.*?(<\/\1>|$)/gis, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .replace(/((?:token|secret|password|session)["']?\s?[:=]\s?["']?)([^\s"'&,;]+)/gi, (whole, name: string, value: string) =>
      /\d/.test(value) ? name + MASK : whole,
    )
    .replace(/[\w+=-]{16,}/g, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? MASK : word))
    .trim()
    .slice(0, longest);
  return printable(shownText);
}
