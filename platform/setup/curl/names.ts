// What the name of a value and the value itself say: whether it is a credential, known to be data, or open.
import { isPlainValue } from "../../../base/plain-value.ts";
import { hyphened, mentionsCredential, strengthOf } from "../../../spec/credential-names.ts";
import { SECRET_FORMATS } from "../../../spec/secret-formats.ts";
import { spelling } from "../../../spec/spelling.ts";
import { MARK } from "./words.ts";

/** How sure it is that a value is a credential. */
export type Certainty =
  | "credential"
  /** Nothing tells that it is data: a person decides. */
  | "open"
  | "plain";

/** Returns whether a value looks as if it was generated: long, of letters and digits. */
export const isOpaque = (value: string): boolean =>
  /^[\w.~+/=:-]{16,2000}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^\d{4}-\d\d-\d\d/.test(value);

export const hasSecretFormat = (value: string): boolean => SECRET_FORMATS.some(({ pattern }) => pattern.test(value));

/** Returns whether a value is a placeholder for a credential: the mark of `YOUR_API_KEY`. */
function namesCredential(value: string): boolean {
  const [before, placeholder, after] = value.split(MARK);
  return before === "" && after === "" && placeholder !== undefined && isCredentialName(placeholder);
}

const isCredentialName = (name: string): boolean => /^(?:credential|usual)$/.test(strengthOf(name));

/** Returns whether a part of a path has a placeholder for a credential in it: `bot<token>`. */
export const hasCredentialMark = (segment: string): boolean =>
  segment
    .split(MARK)
    .some(
      (piece, index) => index % 2 === 1 && (isCredentialName(piece) || /^(?:(?:bot|my|your)-)?(?:token|key|secret)$/.test(hyphened(piece))),
    );

/** Returns whether a text is data: an own placeholder, or what people write. Text of a structure may have names with values in it. */
export function isPlain(text: string): boolean {
  const written = text.split(MARK).filter((_, index) => index % 2 === 0);
  const hasNames = /[\s:{[<=]/.test(text);
  return written.every(isPlainValue) && !(hasNames && mentionsCredential(written.join(" "), /[{[<=]/.test(text)));
}

export function certaintyOf(name: string, value: string): Certainty {
  if (hasSecretFormat(value)) return "credential";
  const strength = strengthOf(name);
  if (strength === "credential" || strength === "usual" || namesCredential(value)) return "credential";
  if (strength === "possible") return /(?:key|token)$/i.test(name) && isOpaque(value) ? "credential" : "open";
  return isPlain(value) ? "plain" : "open";
}

/** The same for a header. Unlike a parameter, one with such a name is seldom an argument of the request: `X-Token`, `X-User-Id`. */
export function headerCertainty(name: string, value: string): Certainty {
  const strength = strengthOf(name);
  if (strength === "possible" && /(?:key|token|auth|authorization|authentication|pass)$/i.test(name)) return "credential";
  // HTTP/2 has names in small letters, without a mark between the words of MyToken.
  const divided = name.replace(/(?<=[a-z\d])(?=(?:token|secret|key)$)/, "-");
  if (/(?:token|secret|apikey)$/i.test(name) && strengthOf(divided) !== "none") return "credential";
  return strength === "account" ? "open" : certaintyOf(name, value);
}

/** Names of headers, parameters and fields that contain a signature of the request. */
const SIGNATURE = /^(?:[a-z\d]{1,20}-){0,4}(?:(?:x|api|request)?signature|hmac)(?:-[a-z\d]{1,20}){0,2}$/;
/** Names of signatures that have other meanings too. */
const SHORT_SIGNATURE = /^(?:[a-z\d]{1,20}-){0,4}(?:(?:x|api|request)?sign|sig|hash|mac|digest|checksum|seal)$/;

/** Returns whether a signature of the request has such a name. `mayBe`: whether something else says so, where the name has other meanings. */
export function isSignatureName(name: string, mayBe: boolean): boolean {
  const words = hyphened(name);
  return !words.startsWith("content-") && (SIGNATURE.test(words) || (mayBe && SHORT_SIGNATURE.test(words)));
}

/** Returns whether a name is of the time or the number of a request, which a signature is made over. */
export const isTimeName = (name: string): boolean => /(?:^|-)(?:timestamp|ts|time|date|nonce|expires?|se)$/.test(hyphened(name));

/** A header of the browser, the editor or the connection, which a pack's request does not need or must not set. */
const NOISE = new RegExp(
  `^(?:sec-.*|x-forwarded-.*|x-b3-.*|x-datadog-.*|x-newrelic-.*|x-amz-(?:date|content-sha256|security-token)|x-amzn-trace-id|x-.*user-agent|${[
    ..."user-agent accept-encoding accept-language accept-charset host content-length connection proxy-connection keep-alive".split(" "),
    ..."transfer-encoding te trailer upgrade upgrade-insecure-requests origin referer dnt priority pragma cache-control expect".split(" "),
    ..."if-none-match if-modified-since postman-token cookie date traceparent tracestate x-request-id x-correlation-id".split(" "),
    ..."baggage sentry-trace newrelic x-cloud-trace-context uber-trace-id x-trace-id authority method path scheme".split(" "),
    ..."x-client-data idempotency-key x-idempotency-key x-csrf-token x-xsrf-token proxy-authorization".split(" "),
  ].join("|")})$`,
);

export const isNoise = (header: string, value: string): boolean =>
  NOISE.test(header.toLowerCase()) || (/^accept$/i.test(header) && value === "*/*");

/** Headers whose meaning is known (RFC 9110). */
const ORDINARY =
  /^(?:accept|content-(?:type|length|language|encoding|disposition|location|range|md5)|prefer|range|if-(?:none-)?match|if-(?:un)?modified-since|if-range|x-requested-with)$/i;

export const isOrdinary = (header: string, value: string): boolean =>
  ORDINARY.test(header) && isPlainValue(value.replace(/boundary=[^;\s]{1,200}/i, ""));

/** A cookie that a sign-in sets. */
export const isSessionCookie = (name: string): boolean => /sess|sid$|auth|token|login|jwt|csrf|xsrf|identity|remember/.test(spelling(name));
