// Finds problems behind a successful status: a web page, truncated JSON, or an error in JSON. A pack can only report these as an error of
// its own.
import { isRecord } from "../../base/is-record.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { isCut, readShown } from "../bodies/shown-body.ts";
import { excerpt, isWebPage } from "../oauth/token-failure.ts";

/** Returns advice for a response to the account's request that contains no data; undefined if it may contain data. */
export function noData(request: RequestTrace): string | undefined {
  const { status = 0, responseBody = "", responseHeaders, credentials, redirectedFrom } = request;
  if (status < 200 || status > 299) return undefined;
  const text = responseBody.trim();
  if (isWebPage(text)) {
    const isRedirected = redirectedFrom !== undefined;
    // A pack that requests web pages does so without an account.
    if (credentials.length === 0 && !isRedirected) return undefined;
    const what = isRedirected ? "A redirect led to a web page, not to data." : "The answer is a web page, not data.";
    return `${what} Check the URL. If it is a page to sign in, the API did not accept the credential: sign in again. A proxy or the network may also have answered in the API's place.`;
  }
  const isJson = /[/+]json\b/i.test(responseHeaders?.["content-type"] ?? "");
  // Only the end is checked, because masking can make JSON invalid.
  const isHalf = isJson && !isCut(request) && /^[{[]/.test(text) && !/[}\]]$/.test(text);
  if (isHalf)
    return "The answer ends in the middle of its JSON, so the pack got it as text. Try again. If this happens again, look for the cause at the API or at a proxy before it.";
  const errorText = errorWords(request);
  return errorText === undefined
    ? undefined
    : `Read the API's error, which came with status ${status}: “${excerpt({ text: errorText, status: 400 }, 200)}”. If it is about the credential, sign in again.`;
}

/** Returns the text of a JSON error that came with a successful status and without data. */
export function errorWords(request: RequestTrace): string | undefined {
  const { responseBody = "", responseHeaders } = request;
  const isWholeJson = /[/+]json\b/i.test(responseHeaders?.["content-type"] ?? "") && !isCut(request);
  return isWholeJson ? errorIn(readShown(responseBody, false)) : undefined;
}

/** Returns advice for a request without a response. `message` is the pack's error, which may be its own. */
export function unreachable({ failureReason = "", hint }: RequestTrace, message: string): string | undefined {
  return hint === undefined || message.includes(failureReason) ? hint : `The last request failed: ${failureReason}. ${hint}`;
}

/** Returns whether the response is a sign-in page, which a pack may take for text. Such a page has a password field. */
export const isSignInPage = ({ responseBody = "" }: RequestTrace): boolean =>
  isWebPage(responseBody.trim()) && /\btype\s?=\s?["']?password\b/i.test(responseBody);

/** Members beside an error that are not data. Any other member may be data, unless it is null. */
const BESIDE: ReadonlySet<string> = new Set(
  "jsonrpc id ok success status code type message servedby request_id requestid trace_id timestamp".split(" "),
);

/**
 * Returns the text of an error that comes without data, as in JSON-RPC, GraphQL and MediaWiki. A row of data may have an `error` member
 * too.
 */
function errorIn(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const { error, errors, data, ...otherMembers } = body;
  if (Object.values(otherMembers).some((value) => value !== null && typeof value === "object")) return undefined;
  const hasData = isRecord(data) ? Object.values(data).some((value) => value !== null) : (data ?? null) !== null;
  if (hasData) return undefined;
  const first: unknown = isRecord(error) ? error : Array.isArray(errors) ? errors[0] : undefined;
  if (isRecord(first))
    return Object.keys(otherMembers).every((name) => otherMembers[name] === null || BESIDE.has(name.toLowerCase()))
      ? wordsOf(first)
      : undefined;
  return typeof error === "string" && error !== "" && (otherMembers.ok === false || otherMembers.success === false) ? error : undefined;
}

const wordsOf = (error: Readonly<Record<string, unknown>>): string | undefined => {
  const texts = [error.message, error.info, error.data].filter((text) => typeof text === "string" && text !== "");
  return texts.length === 0 ? undefined : texts.join(" ");
};
