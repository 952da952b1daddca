// What a token endpoint's refusal means, in the provider's own words and with what to do about it (RFC 6749, section 5.2).
// Invariant: no text leaves here with the client secret, the code or a token in it, whatever the provider sends back.
import * as oauth from "oauth4webapi";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { PackAuthError } from "../errors.ts";
import { networkHint, networkMessage } from "../network-message.ts";
import { createRedactor } from "../redact.ts";
import { inItsWords, type OAuthPhase, oauthErrorText } from "./error-texts.ts";
import type { NormalisedResponse } from "./token-response.ts";

export interface Failure {
  readonly message: string;
  /** In a few words, for the list of attempts. */
  readonly summary: string;
  readonly hint: string;
  /** The field of the configuration that it comes from. */
  readonly field: string;
  /** False: another client authentication method would get the same, or the code may no longer be sent. */
  readonly otherMethodMayHelp: boolean;
}

/** Where and for what the token was asked. */
export interface FailureContext {
  readonly tokenUrl: string;
  readonly phase: OAuthPhase;
  readonly auth: AuthenticationDefinition;
  readonly redirectUri?: string;
  /** Everything that was sent and must not be shown. */
  readonly secrets: readonly string[];
}

export function failureOf(error: unknown, normalised: NormalisedResponse | undefined, context: FailureContext): Failure {
  const redactor = createRedactor(context.secrets);
  const failure = describe(error, normalised, context);
  return {
    ...failure,
    message: redactor.redact(failure.message),
    summary: redactor.redact(failure.summary),
    hint: redactor.redact(failure.hint),
  };
}

const AT_TOKEN_URL = { field: "tokenUrl", otherMethodMayHelp: false } as const;

function describe(error: unknown, normalised: NormalisedResponse | undefined, context: FailureContext): Failure {
  const { host } = new URL(context.tokenUrl);
  if (error instanceof PackAuthError) return { message: error.message, summary: error.message, hint: error.hint ?? "", ...AT_TOKEN_URL };
  if (normalised === undefined) {
    const message = `The token endpoint could not be reached: ${networkMessage(error, host)}.`;
    return { message, summary: "no answer", hint: networkHint(error, "tokenUrl"), ...AT_TOKEN_URL };
  }
  if (normalised.tooLarge) {
    const message = `${host} sent more than 1 MB in answer to the token request; it was not read.`;
    return { message, summary: "too large", hint: "Check tokenUrl.", ...AT_TOKEN_URL };
  }
  if (error instanceof oauth.ResponseBodyError) return refusalOf(error, normalised, context);
  if (normalised.text === "") {
    const message = `${host} answered with status ${normalised.status} and nothing else.`;
    return { message, summary: "no access_token", hint: "Check tokenUrl.", ...AT_TOKEN_URL };
  }
  const isPage = isWebPage(normalised.text);
  return {
    message: `${isPage ? `${host} answered with a web page, not with a token` : `The answer of ${host} holds no access_token`} (status ${normalised.status}): ${excerpt(normalised.text)}`,
    summary: isPage ? "a web page" : "no access_token",
    hint: isPage
      ? "Check tokenUrl: this looks like an address for browsers."
      : `Check tokenUrl; if the token stands inside an object, name it with nestedResponseKey${context.auth.nestedResponseKey === undefined ? "" : ` (now ${context.auth.nestedResponseKey})`}.`,
    field: isPage || context.auth.nestedResponseKey === undefined ? "tokenUrl" : "nestedResponseKey",
    otherMethodMayHelp: false,
  };
}

/** The provider said an error, or answered with the status of one. */
function refusalOf(error: oauth.ResponseBodyError, { status, text }: NormalisedResponse, context: FailureContext): Failure {
  const { host } = new URL(context.tokenUrl);
  const bare = error.error.startsWith("http_");
  const said = bare ? `status ${status}` : error.error;
  const words = error.error_description ?? (bare ? excerpt(text) : undefined);
  const { phase, auth, redirectUri } = context;
  const known = oauthErrorText({
    phase,
    auth,
    code: error.error,
    ...(error.error_description === undefined ? {} : { description: error.error_description }),
    ...(redirectUri === undefined ? {} : { redirectUri }),
  });
  const uri = error.cause.error_uri;
  const page = typeof uri === "string" && /^https:\/\/\S+$/.test(uri) ? ` The provider explains it at ${uri}.` : "";
  return {
    message: `${host} refused to give a token${known === undefined ? "" : `, because ${known.because}`}: ${inItsWords(said, words)}.`,
    summary: said,
    hint: `${known?.hint ?? hintForStatus(status)}${page}`,
    field: known?.field ?? "tokenUrl",
    otherMethodMayHelp:
      /^(invalid_client|incorrect_client_credentials|unauthorized_client|invalid_request|http_40[0135]|http_415|http_422)$/.test(
        error.error,
      ) ||
      (status === 401 && error.error !== "invalid_grant"),
  };
}

function hintForStatus(status: number): string {
  if (status === 429) return "The provider limits how often it may be asked: wait a while, then try again.";
  if (status >= 500) return "The provider has a fault of its own: try again later.";
  if (status === 401 || status === 403)
    return "Copy the client ID and secret anew from the provider's developer settings: Add OAuth credentials.";
  if (status === 404 || status === 405 || status === 410)
    return "Check tokenUrl against the provider's documentation: nothing takes token requests there.";
  return "See the provider's documentation for this error.";
}

const isWebPage = (text: string): boolean => /^\s*<(!doctype|html|head|body)/i.test(text);

/** The beginning of a text answer, without markup; never a JSON answer, which may hold half a secret. */
function excerpt(text: string): string {
  if (/^\s*[{[]/.test(text) || /(token|secret)/i.test(text)) return "(not shown: it may hold a secret)";
  return text
    .replace(/<(script|style)\b.*?(<\/\1>|$)/gis, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 160);
}
