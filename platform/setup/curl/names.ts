// What the names of headers, query parameters and fields say about their values.
import { SECRET_FORMATS } from "../../../spec/secret-formats.ts";
import { spelling } from "../../../spec/spelling.ts";
import { MARK } from "./words.ts";

/** How sure it is that a value is a credential. */
export type Certainty =
  | "credential"
  /** The name is one that is used for credentials and for other things: a person decides. */
  | "either"
  /** It is asked about only if the request has no other credential. */
  | "unlikely"
  | "plain";

const CREDENTIAL_WORDS =
  "api-?key|app-?key|application-?key|access-?key|auth-?key|private-?key|secret-?key|subscription-?key|master-?key|account-?key|api-?token|" +
  "access-?token|auth-?token|authentication-?token|private-?token|user-?token|session-?token|security-?token|bearer-?token|" +
  "personal-?access-?token|api-?secret|app-?secret|client-?secret|consumer-?secret|secret|password|passwd|pwd|jwt|credentials?|hapikey";
const CREDENTIAL_NAME = new RegExp(`(?:^|[-.])(?:${CREDENTIAL_WORDS})$`);

/** Names that a credential has in some APIs, and an ordinary value in others. */
const EITHER_NAME =
  /(?:^|[-.])(?:key|token|auth|authorization|authentication|pass|sid|session(?:-?(?:id|key))?|token-?type|code|(?:app|application|auth|access|client|consumer|api|api-?client|integration)(?:-?(?:id|name|uid|no))?)$/;

/** Names of accounts and people, which may be a part of the credential. */
const UNLIKELY_NAME =
  /(?:^|[-.])(?:(?:user|account|tenant|customer|company|org|organi[sz]ation|workspace|team|site|store|project)(?:-?(?:id|name|key|email))?|login|email|username|uid)$/;

/** A cursor, or a key that makes a request repeatable, is no credential. */
const OTHER_KEY =
  /(?:page|next|cursor|continuation|sync|idempotency|idempotent|partition|sort|order|primary|foreign|public|cache|csrf|xsrf)-?(?:key|token)$/;

/** Returns a name in lower case with hyphens between its words. */
const hyphened = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1-$2")
    .replaceAll(/[_ [\]]+/g, "-")
    .toLowerCase()
    .replace(/-$/, "");

/** Returns whether a value looks as if it was generated: long, of letters and digits. */
export const isOpaque = (value: string): boolean =>
  /^[\w.~+/=:-]{16,2000}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^\d{4}-\d\d-\d\d/.test(value);

const hasSecretFormat = (value: string): boolean => SECRET_FORMATS.some(({ pattern }) => pattern.test(value));

/** Returns whether a value is a placeholder for a credential: the mark of `YOUR_API_KEY`. */
function namesCredential(value: string): boolean {
  const [before, placeholder, after] = value.split(MARK);
  return before === "" && after === "" && placeholder !== undefined && CREDENTIAL_NAME.test(hyphened(placeholder));
}

const CREDENTIAL_WORD = new RegExp(`(?<![a-z])(?:${CREDENTIAL_WORDS})(?![a-z])`);

/** Returns whether a text of any form names a credential. */
export const mentionsCredential = (text: string): boolean => CREDENTIAL_WORD.test(hyphened(text));

/** Returns whether a part of a path has a placeholder for a credential in it: `bot<token>`. */
export const hasCredentialMark = (segment: string): boolean =>
  segment.split(MARK).some((piece, index) => index % 2 === 1 && /(?:^|-)(?:token|key|secret)$/.test(hyphened(piece)));

export function certaintyOf(name: string, value: string): Certainty {
  const words = hyphened(name);
  if (hasSecretFormat(value)) return "credential";
  if (OTHER_KEY.test(words)) return "plain";
  if (CREDENTIAL_NAME.test(words) || namesCredential(value)) return "credential";
  if (EITHER_NAME.test(words)) return /(?:key|token)$/.test(words) && isOpaque(value) ? "credential" : "either";
  return UNLIKELY_NAME.test(words) || isOpaque(value) ? "unlikely" : "plain";
}

/** The same for a header. Unlike a parameter, one with such a name is seldom an argument of the request: `X-Token`, `X-User-Id`. */
export function headerCertainty(name: string, value: string): Certainty {
  const certainty = certaintyOf(name, value);
  if (certainty === "either" && /(?:key|token|auth|authorization|authentication)$/i.test(name)) return "credential";
  // HTTP/2 has names in small letters, without a mark between the words of MyToken.
  if (/(?:token|secret|apikey)$/i.test(name) && !OTHER_KEY.test(hyphened(name))) return "credential";
  return certainty === "unlikely" && UNLIKELY_NAME.test(hyphened(name)) ? "either" : certainty;
}

/** A header of the browser, the editor or the connection, which a pack's request does not need or must not set. */
const NOISE = new RegExp(
  `^(?:sec-.*|x-forwarded-.*|x-b3-.*|x-amz-(?:date|content-sha256|security-token)|${[
    ..."user-agent accept-encoding accept-language accept-charset host content-length connection proxy-connection keep-alive".split(" "),
    ..."transfer-encoding te trailer upgrade upgrade-insecure-requests origin referer dnt priority pragma cache-control expect".split(" "),
    ..."if-none-match if-modified-since postman-token cookie date traceparent tracestate x-request-id x-correlation-id".split(" "),
    ..."x-client-data idempotency-key x-idempotency-key x-csrf-token x-xsrf-token proxy-authorization".split(" "),
  ].join("|")})$`,
);

export const isNoise = (header: string, value: string): boolean =>
  NOISE.test(header.toLowerCase()) || (/^accept$/i.test(header) && value === "*/*");

/** Headers whose meaning is known, so that they have no credential (RFC 9110). */
const ORDINARY =
  /^(?:accept|content-(?:type|length|language|encoding|disposition|location|range|md5)|prefer|range|if-(?:none-)?match|if-(?:un)?modified-since|if-range|x-requested-with|.*version)$/i;

export const isOrdinary = (header: string): boolean => ORDINARY.test(header);

/** A cookie that a sign-in sets. */
export const isSessionCookie = (name: string): boolean => /sess|sid$|auth|token|login|jwt|csrf|xsrf|identity|remember/.test(spelling(name));
