// Validates requests from pack code: each request is read member by member and rebuilt from valid values.
// Invariant: whatever the pack process sends, the rest of the platform sees a well-formed request.

import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import { REQUEST_LIMITS } from "../../protocol/request-limits.ts";
import { refusal } from "../network/refusal.ts";

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
/** Headers that belong to the connection and not to the pack (RFC 9110, section 7.6.1; RFC 9112, section 6). */
const OWNED_HEADER = /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;

/** RFC 9110, section 5.5: visible characters, spaces, tabs and Latin-1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
export const isHeaderValue = (value: string): boolean => !/[^\u0009\u0020-\u007e\u0080-\u00ff]/.test(value);

/** The advice for a credential that cannot be sent in a header. */
export const ENTER_FOR_HEADER = "Sign in again, and enter it without line breaks and without characters such as … or “.";

/** RFC 9110, section 5.1: returns whether the text is a valid header name. */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);

/** Returns the validated request. Throws request-refused, and no other error, for any input. */
export function readFetchRequest(raw: unknown): FetchRequest {
  if (!isRecord(raw)) throw refusal("the request must be an object");
  const { method, url } = raw;
  if (typeof method !== "string" || !METHODS.has(method)) throw refusal(`the method ${quoted(method)} is not allowed`);
  if (typeof url !== "string") throw refusal("the request's URL must be a string");
  if (url.length > REQUEST_LIMITS.url)
    throw refusal(
      `the URL has ${numberText(url.length)} characters; servers accept at most ${numberText(REQUEST_LIMITS.url)}`,
      "Put the values into a body.",
    );
  const headers = readHeaders(raw.headers);
  const body = readBodyOf(raw.body);
  const form = raw.form === undefined ? undefined : readTexts(raw.form, "form", REQUEST_LIMITS.formFields);
  if ((method === "GET" || method === "HEAD") && (body !== undefined || form !== undefined)) {
    throw refusal(`a ${method} request cannot have a body`, "Put the values into the URL, or use POST.");
  }
  return {
    method,
    url,
    ...defined({ headers, body, form }),
    isBinaryResponse: raw.isBinaryResponse === true,
    ignoreRedirects: raw.ignoreRedirects === true,
    disableAuthentication: raw.disableAuthentication === true,
    ...(typeof raw.cacheTtlSecs === "number" ? { cacheTtlSecs: raw.cacheTtlSecs } : {}),
    ...(raw.forceCache === true ? { forceCache: true } : {}),
    ...(typeof raw.encoding === "string" ? { encoding: raw.encoding } : {}),
  };
}

function readHeaders(raw: unknown): Readonly<Record<string, string>> | undefined {
  if (raw === undefined) return undefined;
  const headers = readTexts(raw, "headers", REQUEST_LIMITS.headers);
  const size = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > REQUEST_LIMITS.headerText)
    throw refusal(
      `the headers have ${numberText(size)} characters; servers accept at most ${numberText(REQUEST_LIMITS.headerText)}`,
      "Put the values into a body.",
    );
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name)) throw refusal(`${quoted(name)} is not a valid header name`);
    if (OWNED_HEADER.test(name)) throw refusal(`the header ${name} is set by the platform: remove it`);
    if (/[\r\n]/.test(value)) throw refusal(`the header ${name} contains a line break`);
    if (!isHeaderValue(value)) throw refusal(`the header ${name} contains a character that headers cannot carry`);
  }
  return headers;
}

function readTexts(raw: unknown, what: "headers" | "form", most: number): Readonly<Record<string, string>> {
  if (!isRecord(raw)) throw refusal(`the request's ${what} must be an object`);
  const entries = Object.entries(raw);
  const count = entries.length;
  if (count > most)
    throw refusal(
      what === "form"
        ? `the form has ${numberText(count)} fields; servers accept at most ${numberText(most)}`
        : `the request has ${numberText(count)} headers; servers accept at most ${numberText(most)}`,
      "Send fewer at a time.",
    );
  // Object.fromEntries treats a name such as __proto__ as an ordinary key.
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== "string") throw refusal(`${name} in the request's ${what} must be a string`);
      return [name, value];
    }),
  );
}

function readBodyOf(raw: unknown): FetchRequest["body"] {
  if (raw === undefined) return undefined;
  if (isRecord(raw) && typeof raw.text === "string") return raw.text === "" ? undefined : { text: raw.text };
  if (isRecord(raw) && typeof raw.base64 === "string") return raw.base64 === "" ? undefined : { base64: raw.base64 };
  throw refusal("the request's body must be a string or bytes");
}

const numberText = (count: number): string => count.toLocaleString("en");

const quoted = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : `of type ${typeof value}`);
