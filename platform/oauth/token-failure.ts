// What a token endpoint's refusal means, in the provider's own words and with what to do about it (RFC 6749, section 5.2).
// Invariant: no text leaves here with the client secret, the code or a token in it, whatever the provider sends back.
import * as oauth from "oauth4webapi";
import { PackAuthError } from "../errors.ts";
import { networkMessage } from "../network-message.ts";
import { createRedactor } from "../redact.ts";
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

/** What the provider's codes mean here, and what to do (RFC 6749, section 5.2). */
const HINTS: Readonly<Record<string, { hint: string; field?: string }>> = {
  invalid_client: { hint: "Check the client ID and secret: Add OAuth credentials." },
  invalid_grant: {
    hint: "The code or refresh token is expired, used or made for another redirect address: sign in again, and compare the registered redirect address.",
  },
  unauthorized_client: { hint: "Allow this grant for the application at the provider." },
  unsupported_grant_type: { hint: "The provider does not offer this grant at this tokenUrl.", field: "tokenUrl" },
  invalid_scope: { hint: "Check the scopes and scopeDelimiter against the provider's documentation.", field: "scopes" },
  invalid_request: { hint: "Compare the configuration with the provider's documentation." },
  redirect_uri_mismatch: { hint: "Register the redirect address exactly as shown before the browser opened." },
  incorrect_client_credentials: { hint: "Check the client ID and secret: Add OAuth credentials." },
  bad_verification_code: { hint: "The code is expired or was used: sign in again." },
};

/** `secrets`: everything that was sent and must not be shown. */
export function failureOf(
  error: unknown,
  normalised: NormalisedResponse | undefined,
  tokenUrl: string,
  secrets: readonly string[],
): Failure {
  const redactor = createRedactor(secrets);
  const failure = describe(error, normalised, new URL(tokenUrl).host);
  return { ...failure, message: redactor.redact(failure.message), summary: redactor.redact(failure.summary) };
}

function describe(error: unknown, normalised: NormalisedResponse | undefined, host: string): Failure {
  if (error instanceof PackAuthError)
    return { message: error.message, summary: error.message, hint: error.hint ?? "", field: "tokenUrl", otherMethodMayHelp: false };
  if (normalised === undefined) {
    const message = `The token endpoint could not be reached: ${networkMessage(error, host)}.`;
    return { message, summary: "no answer", hint: "Check tokenUrl and the network.", field: "tokenUrl", otherMethodMayHelp: false };
  }
  if (normalised.tooLarge) {
    const message = `${host} sent more than 1 MB in answer to the token request; it was not read.`;
    return { message, summary: "too large", hint: "Check tokenUrl.", field: "tokenUrl", otherMethodMayHelp: false };
  }
  if (error instanceof oauth.ResponseBodyError) {
    const known = HINTS[error.error];
    const said = error.error.startsWith("http_") ? `status ${normalised.status}` : error.error;
    const words = error.error_description ?? (error.error.startsWith("http_") ? excerpt(normalised.text) : undefined);
    return {
      message: `${host} refused to give a token: ${said}${words ? ` — “${words.slice(0, 300)}”` : ""}.`,
      summary: said,
      hint: known?.hint ?? hintForStatus(normalised.status),
      field: known?.field ?? "tokenUrl",
      otherMethodMayHelp:
        /^(invalid_client|incorrect_client_credentials|unauthorized_client|invalid_request|http_40[0135]|http_415|http_422)$/.test(
          error.error,
        ) ||
        (normalised.status === 401 && error.error !== "invalid_grant"),
    };
  }
  const message =
    normalised.text === ""
      ? `${host} answered with status ${normalised.status} and nothing else.`
      : `The answer of ${host} holds no access_token (status ${normalised.status}): ${excerpt(normalised.text)}`;
  return {
    message,
    summary: "no access_token",
    hint: "Check tokenUrl; if the token stands inside an object, name it with nestedResponseKey.",
    field: "tokenUrl",
    otherMethodMayHelp: false,
  };
}

function hintForStatus(status: number): string {
  if (status === 429) return "The provider limits how often it may be asked: wait a while, then try again.";
  if (status >= 500) return "The provider has a fault: try again later.";
  if (status === 401 || status === 403) return "Check the client ID and secret: Add OAuth credentials.";
  return status === 404 || status === 405 ? "Check tokenUrl against the provider's documentation." : "";
}

/** The beginning of a text answer, without markup; never a JSON answer, which may hold half a secret. */
function excerpt(text: string): string {
  if (/^\s*[{[]/.test(text) || /(token|secret)/i.test(text)) return "(not shown: it may hold a secret)";
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 160);
}
