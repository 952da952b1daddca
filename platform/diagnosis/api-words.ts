// Reads what an API says in a response: in its challenge (RFC 6750, section 3), or in its body.
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import { quoteName } from "../../base/quote.ts";
import { isCut, readShown } from "../bodies/shown-body.ts";
import { LONGEST_EXCERPT, readChallenges, refusedStatus, schemeOf } from "./facts.ts";
import type { Exchange, Failure } from "./failure.ts";
import { excerpt, isWebPage, quoteError } from "./words.ts";

/** Error codes of APIs (RFC 6750, section 3.1), and their common variants. A provider may use the same word for something else. */
const CODES = /\b(?:invalid_token|expired_token|token_expired|insufficient_scope|missing_required_scopes)\b/i;

export interface ApiError {
  readonly code: string;
  /** The code and the description as a message quotes them. */
  readonly words: string;
  readonly scope?: string;
  readonly isFromBody: boolean;
}

/** Returns the API's error about the credential, if it names one in its challenge, or a standard one in its body. */
export function apiError(failure: Failure): ApiError | undefined {
  const { exchange } = failure;
  const status = refusedStatus(failure);
  if (exchange === undefined || status === undefined || ![200, 400, 401, 403].includes(status)) return undefined;
  const { usedScheme, own, challenges } = readChallenges(exchange);
  // An API that sends a 403 about a scope has read the token, in whatever scheme it was sent.
  const judged = own.length === 0 && (usedScheme === undefined || status === 403) ? challenges : own;
  const parameters = judged.find((challenge) => challenge.parameters.error !== undefined)?.parameters;
  if (parameters?.error !== undefined) {
    const code = parameters.error.slice(0, LONGEST_EXCERPT);
    const scope = parameters.scope?.slice(0, LONGEST_EXCERPT);
    const words = quoteError(code, parameters.error_description);
    return { code: code.toLowerCase(), words, isFromBody: false, ...defined({ scope }) };
  }
  // Facebook writes the code and the description as quoted words behind the scheme OAuth.
  const challenge = (exchange.responseHeaders?.["www-authenticate"] ?? "").slice(0, LONGEST);
  const quoted = /(?<!=)"(invalid_token|expired_token|insufficient_scope)"(?: "([^"]{0,300})")?/.exec(challenge);
  if (quoted?.[1] !== undefined) return { code: quoted[1], words: quoteError(quoted[1], quoted[2]), isFromBody: false };
  // An API that asks for another scheme has not read the token, whatever its body says of it.
  if (status === 401 && usedScheme !== undefined && challenges.length > 0 && own.length === 0) return undefined;
  const lacks = lackingScope(failure);
  if (lacks !== undefined)
    return { code: "insufficient_scope", words: quoteName(lacks), isFromBody: true, ...defined({ scope: scopesIn(bodyOf(exchange)) }) };
  const text = bodyText(failure);
  if (status !== 200 && text !== undefined && /\baudience\b/i.test(text))
    return { code: "invalid_token", words: quoteName(text), isFromBody: true };
  const code = CODES.exec(status === 200 ? (errorInSuccess(exchange) ?? "") : (exchange.responseBody ?? "").slice(0, LONGEST))?.[0];
  if (code !== undefined && text !== undefined) return { code: code.toLowerCase(), words: quoteError(code, text), isFromBody: true };
  // Another diagnosis says that the platform renews a token only after 401.
  const isReadAs401 = status === 401 || (status !== 200 && failure.account?.isRenewable !== true);
  const words = text ?? reasonIn(exchange);
  return isReadAs401 && saysRanOut(words.replaceAll("_", " "))
    ? { code: "expired_token", words: quoteName(words), isFromBody: true }
    : undefined;
}

/** Returns the API's sentence if it says in words that a scope is missing. */
function lackingScope(failure: Failure): string | undefined {
  const { exchange } = failure;
  if (exchange === undefined) return undefined;
  const text = (exchange.status ?? 0) < 400 ? errorInSuccess(exchange) : [reasonIn(exchange), bodyText(failure)].filter(Boolean).join(": ");
  return text !== undefined && LACKS_SCOPE.test(text.replaceAll("_", " ")) ? excerpt({ text, status: 400 }, 200) : undefined;
}

/** Matches “missing scope”, “INVALID SCOPE”, “insufficient authentication scopes”, “token lacks the scope”, “does not contain scopes”. */
const LACKS_SCOPE =
  /\b(?:missing|insufficient|lacks?|lacking|requires?|required|without|invalid)\b[^.;]{0,40}\bscopes?\b|\bscopes?\b[^.;]{0,40}\b(?:missing|insufficient|required|not (?:been )?granted)\b|not (?:been granted|contain|have)[^.;]{0,40}\bscopes?\b/i;

/** Returns the codes beside the text of a JSON error, such as Google's `reason`. */
const reasonIn = ({ responseBody = "" }: Exchange): string =>
  /"(?:reason|code|error)"\s*:\s*"([\w.-]{1,60})"/.exec(responseBody)?.[1] ?? "";

/** Returns the scopes that a JSON error names as needed. */
function scopesIn(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const members = { ...(isRecord(body.error) ? body.error : {}), ...body };
  const named = [members.needed, members.required_scope, members.required_scopes, members.scope].find(
    (each) => each !== undefined && each !== null,
  );
  const text = Array.isArray(named) ? named.join(" ") : named;
  return typeof text === "string" && text !== "" ? text.slice(0, LONGEST_EXCERPT) : undefined;
}

const isJson = ({ responseHeaders }: Exchange): boolean => /[/+]json\b/i.test(responseHeaders?.["content-type"] ?? "");

const bodyOf = ({ responseBody = "" }: Exchange): unknown => (/^\s*[{[]/.test(responseBody) ? readShown(responseBody, true) : undefined);

/** Members of a JSON body that say why a request failed, the most telling first. */
const TELLING =
  "error_description error_message message msg detail Detail details info description error title reason errors fault err error_summary".split(
    " ",
  );

function textIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (depth > 3) return undefined;
  if (Array.isArray(value)) return textIn(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  for (const name of TELLING) {
    const text = textIn(value[name], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns what the body of an error says, in one line; undefined if it is empty or a web page. */
export function bodyText({ exchange }: Failure): string | undefined {
  const { responseBody = "", status = 400 } = exchange ?? {};
  if (exchange === undefined || isWebPage(responseBody)) return undefined;
  const text = textIn(bodyOf(exchange)) ?? (/^\s*[{[]/.test(responseBody) ? "" : responseBody);
  return excerpt({ text, status: Math.max(status, 400) }, 200) || undefined;
}

/** Characters of a response that are searched. Refusals are short. */
const LONGEST = 4_096;

/** Returns the prefix that the API's words demand in place of the one that was sent; empty if they name none. */
export function prefixInWords({ exchange }: Failure): string | undefined {
  const text = (exchange?.responseBody ?? "").slice(0, LONGEST);
  const groups = PREFIX.exec(text)?.groups;
  const name = groups?.before ?? groups?.after ?? groups?.form;
  const usedScheme = exchange && schemeOf(exchange);
  if (name === undefined) return WRONG_PREFIX.test(text) && usedScheme !== "" ? "" : undefined;
  if (usedScheme === undefined || name.toLowerCase() === usedScheme.toLowerCase()) return undefined;
  return /^bearer$/i.test(name) ? "Bearer" : name;
}

/** Matches `must start with Token`, `Missing 'Bearer' prefix`, `Expected 'Token <key>'` and `Authorization: JWT [token]`. */
const PREFIX =
  /\b(?:start|begin)s? with \\?["'`]?(?<after>[a-z][\w-]{1,30})\b|\b(?:missing|expected|requires?) \\?["'`]?(?<before>[a-z][\w-]{1,30})\\?["'`]? prefix\b|(?:authorization: ?|["'`])(?<form>[a-z][\w-]{1,30}) [<[{(][^<>[\]{}()]{1,40}[>\]})]/i;

/** Matches “unsupported authorization scheme”, “Invalid token prefix”, “scheme not supported”. */
const WRONG_PREFIX =
  /\b(?:unsupported|invalid|unknown|wrong) (?:authori[sz]ation|authentication|auth|token) (?:scheme|prefix)\b|\bunsupported token type\b|\b(?:scheme|prefix) (?:is )?not (?:supported|valid|recogni[sz]ed)\b/i;

/** Returns the header for a credential that the API's words demand, if the credential was sent elsewhere. */
export function headerInWords({ exchange }: Failure): string | undefined {
  const groups = HEADER.exec((exchange?.responseBody ?? "").slice(0, LONGEST))?.groups;
  const name = groups?.before ?? groups?.after ?? groups?.bare;
  return name === undefined || !OF_CREDENTIAL.test(name) ? undefined : withoutSent(name, exchange, "");
}

/** Returns the query parameter for a credential that the API's words demand, if the credential was sent elsewhere. */
export function parameterInWords({ exchange }: Failure): string | undefined {
  const groups = PARAMETER.exec((exchange?.responseBody ?? "").slice(0, LONGEST))?.groups;
  return withoutSent(groups?.before ?? groups?.after, exchange, "?");
}

/** A header such as X-Api-Version is not for a credential. */
const OF_CREDENTIAL = /auth|key|token|secret/i;

const withoutSent = (name: string | undefined, exchange: Exchange | undefined, mark: string): string | undefined =>
  name === undefined || exchange?.credentials.some(({ carrier }) => carrier.toLowerCase() === mark + name.toLowerCase()) ? undefined : name;

/** Matches `missing header X-Api-Key` and `the X-Api-Key header is required`. */
const HEADER =
  /\b(?:missing|invalid|required)\b[\s:'"`]{1,3}(?:or (?:missing|invalid) )?(?<bare>X-[\w-]{0,40}(?:key|token|auth)[\w-]{0,20})\b|\bheader\b[\s:'"`]{1,4}(?<after>X-[\w-]{1,60}|Authorization)\b|\b(?<before>X-[\w-]{1,60}|Authorization)\b[\s'"`]{1,3}(?:request )?header\b/i;

/** Matches `missing query parameter access_token` and `parameter api_key is required`. */
const PARAMETER =
  /\bparam(?:eter)?\b[\s:'"`]{1,4}(?<after>(?:access|auth|api|app)?[_-]?(?:token|key))\b|\b(?<before>(?:access|auth|api|app)[_-]?(?:token|key))\b[\s'"`]{1,3}(?:query |URL |request )?param(?:eter)?\b/i;

/** Returns whether the API says that the token has expired, by another status than 401. */
export function saysExpired(exchange: Exchange): boolean {
  const { status = 0, responseBody = "", responseHeaders = {}, credentials } = exchange;
  if (credentials.length === 0 || status === 401) return false;
  const text = status < 400 ? errorInSuccess(exchange) : `${responseHeaders["www-authenticate"] ?? ""} ${responseBody.slice(0, LONGEST)}`;
  const words = text?.replaceAll("_", " ") ?? "";
  return EXPIRED.test(words) || saysRanOut(words);
}

/**
 * Returns whether the words say “Access token expired”, “jwt expired”, “Expired session” or “Expired”. Tokens of pages, syncs or forms, and
 * licenses, do not count.
 */
const saysRanOut = (words: string): boolean =>
  EXPIRED_FIRST.test(words) ||
  words.split(/[.;{}]/).some((clause) => {
    const start = clause.search(PROOF_OF_ACCESS);
    return start !== -1 && /\b(?:expired|no longer (?:valid|active)|timed out)/i.test(clause.slice(start, start + 60));
  });
const PROOF_OF_ACCESS =
  /(?<!(?:page|sync|next|continuation|csrf|upload|refresh|licen[cs]e)[ -]?)(?:token|session|jwt|key|credentials?|login|authori[sz]ation|signature has)\b/i;
const EXPIRED_FIRST = /expired (?:access )?(?:token|session|jwt|key|credentials?)|^\W*expired\W*$/i;

/** Matches “token_expired”, “Access token expired”, “invalid_token”, “InvalidSessionId”. */
const EXPIRED = /(?:expired|invalid)[ -]?(?:access[ -]?token|token|session)/i;

/** Returns whether a response is JSON that ends in the middle. Only the end is checked, because masking can make JSON invalid. */
export function isHalfJson(exchange: Exchange): boolean {
  const text = (exchange.responseBody ?? "").trim();
  return isJson(exchange) && !isCut(exchange) && /^[{[]/.test(text) && !/[}\]]$/.test(text);
}

/** Returns whether a response is a sign-in page, which a pack may take for text: it has a password field, or a redirect led to it. */
export const isSignInPage = ({
  responseBody = "",
  redirectedFrom,
  url,
}: Pick<Exchange, "responseBody" | "redirectedFrom" | "url">): boolean =>
  isWebPage(responseBody.trim()) &&
  (/\btype\s?=\s?["']?password\b/i.test(responseBody) || (redirectedFrom !== undefined && /\/(?:log-?in|sign-?in|sso)\b/i.test(url)));

/** Returns the text of a JSON error that came with a successful status and without data. */
export const errorInSuccess = (exchange: Exchange): string | undefined =>
  isJson(exchange) && !isCut(exchange) ? errorIn(readShown(exchange.responseBody ?? "", false)) : undefined;

/** Members beside an error that are not data. Any other member may be data, unless it is null. */
const BESIDE: ReadonlySet<string> = new Set(
  "jsonrpc id ok success stat status code type message msg servedby request_id requestid trace_id timestamp account_id error_code extensions".split(
    " ",
  ),
);

/**
 * Returns the text of an error that comes without data: with `ok` or `success` false, as OAuth, JSON-RPC, GraphQL, JSON:API and MediaWiki have
 * it, or with a number that is no success. A row of data may have an `error` member too.
 */
function errorIn(body: unknown): string | undefined {
  if (!isRecord(body) || hasContent(body.data)) return undefined;
  const { error, errors, data, error_description: description, error_message: message, ...otherMembers } = body;
  const words = wordsOf(error) ?? wordsOf(Array.isArray(errors) ? errors[0] : undefined);
  const isRefused = body.ok === false || body.success === false || body.stat === "fail";
  if ((isRefused || body.status === false) && words !== undefined) return words;
  const isBeside = (name: string): boolean => BESIDE.has(name.toLowerCase());
  const rest = Object.keys(otherMembers).filter((name) => hasContent(otherMembers[name]));
  // A row may say of itself that it failed, or describe itself.
  if (isRefused && rest.every((name) => isBeside(name) || name === "description"))
    return wordsOf(description) ?? wordsOf(message) ?? wordsOf(otherMembers);
  if (rest.some((name) => typeof otherMembers[name] === "object" && !isBeside(name))) return undefined;
  if (typeof error === "string" && error !== "" && wordsOf(description) !== undefined) return `${error}: ${wordsOf(description)}`;
  if (wordsOf(message) !== undefined) return wordsOf(message);
  const isAlone = rest.every(isBeside);
  if (isAlone && typeof error !== "string" && words !== undefined) return words;
  const { code, msg, errmsg } = otherMembers;
  // A number and a message alone may be a row.
  const { errcode = data !== undefined || (isAlone && msg !== undefined) ? code : 0 } = otherMembers;
  const isFailure = typeof errcode === "number" && errcode !== 0 && (errcode < 200 || errcode > 299);
  const text = isFailure ? (wordsOf(errmsg) ?? wordsOf(otherMembers)) : undefined;
  return text === undefined || SUCCESS.test(text) ? undefined : text;
}

/** The words of a success whose number is neither 0 nor one of HTTP. */
const SUCCESS = /^\s*(?:ok|okay|success|successful|successfully|succeeded|done)\b/i;

/** Returns whether a value is more than null or an object of nulls. */
const hasContent = (value: unknown): boolean =>
  value !== null && value !== undefined && (typeof value !== "object" || Object.values(value).some((member) => member !== null));

/** Returns the words of an error: the text itself, or those of its members that say why. */
function wordsOf(error: unknown): string | undefined {
  if (!isRecord(error)) return typeof error === "string" && error !== "" ? error : undefined;
  const texts = [error.message, error.msg, error.info, error.detail, error.description, error.data].filter(
    (text) => typeof text === "string" && text !== "",
  );
  return texts.length === 0 ? undefined : texts.join(" ");
}
