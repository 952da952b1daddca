// The names under which APIs take credentials, with what a name alone says. Set-up asks about values because of a name; a rule also judges
// the value, and a response has members of any name.

/** How much a name says of its value. */
export type NameStrength =
  /** Nothing but a credential has such a name. */
  | "credential"
  /** A credential has such a name, but a literal under it may be public, as an application's key is. */
  | "usual"
  /** Some APIs take a secret under the name, and others an ordinary value. */
  | "possible"
  /** The name of an account or a person, which may be a part of the credential. */
  | "account"
  | "none";

/** Services may put their own name before it: `X-Acme-Access-Token`. */
const CREDENTIAL = [
  "(?:rapid)?(?:api|access|auth|bearer|private|secret|subscription)-?(?:key|token|secret)",
  "(?:client|app)-?secret",
  "password",
];
const USUAL = [
  "(?:app|application|master|account)-?key",
  "(?:app|application|authentication|refresh|id|personal-?access)-?token",
  "(?:consumer-?)?secret",
  "passwd|pwd|passphrase|pass-phrase|jwt|bearer|credentials?|hapikey",
];
const POSSIBLE = [
  "key|token|auth|authorization|authentication|pass|pass-?(?:code|key)|pin(?:-?code)?|[th]?otp|mfa|tfa|(?:2|two)-?fa(?:ctor)?|cvv|cvc|tan|ssn",
  "(?:key-?)?phrase|seed|mnemonic|creds?|cert(?:ificate)?|cookie|assertion|signed-?request|access-?key-?id",
  "(?:user|session|security)-?token|session(?:-?(?:id|key))?|sid|code|ticket|licen[cs]e|sig|sign|signature|hmac|mac|hash|seal",
  "nonce(?:-?str)?|checksum|digest|salt|serial|fingerprint|verification|challenge|proof|captcha|unlock|recovery",
  "(?:app|application|auth|access|client|consumer|api|api-?client|integration)(?:-?(?:id|name|uid|no))?",
];
const ACCOUNT = [
  "(?:user|account|tenant|customer|company|org|organi[sz]ation|workspace|team|site|store|project)(?:-?(?:id|name|key|email))?",
  "login|email|username|uid",
];

const ending = (words: readonly string[]): RegExp => new RegExp(`(?:^|[-.])(?:${words.join("|")})$`);

const STRENGTHS: readonly (readonly [NameStrength, RegExp])[] = [
  // A cursor, or a key that makes a request repeatable, is no credential.
  [
    "none",
    /(?:page|next|cursor|continuation|sync|idempotency|idempotent|partition|sort|order|primary|foreign|public|cache|csrf|xsrf)-?(?:key|token)$/,
  ],
  ["credential", /^(?:proxy-)?authorization$/],
  ["credential", ending(CREDENTIAL)],
  ["usual", ending(USUAL)],
  ["possible", ending(POSSIBLE)],
  // HTTP/2 and forms have names in small letters, without a mark between the words.
  ["possible", /(?:pass(?:word|wd|phrase|code)|secret|(?:api|access)key|signature|hmac|otp|(?:user|login|card|account|my)(?:pin|pass))$/],
  ["account", ending(ACCOUNT)],
];

/** Returns a name in lower case with hyphens between its words. */
export const hyphened = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1-$2")
    .replaceAll(/[_ [\]]+/g, "-")
    .toLowerCase()
    .replace(/-$/, "");

/** Returns what a name says, however its words are divided: `apiKey`, `api_key`, `X-API-KEY`. */
export function strengthOf(name: string): NameStrength {
  // A number or `value` behind a name says nothing: `X-Pin-2`, `secretValue`.
  const words = hyphened(name).replace(/-?(?:(?<=[a-z]-?)\d{1,3}|-value)$/, "");
  const strength = STRENGTHS.find(([, pattern]) => pattern.test(words))?.[0];
  return strength ?? (MENTION.test(words) && !ABOUT.test(words) ? "possible" : "none");
}

/** What the name of data about a credential ends with: `X-Api-Key-Version`. */
const ABOUT = /-(?:version|type|method|format|algorithm|expir(?:y|es|es-(?:in|at)|ation))$/;

const within = (words: readonly string[]): RegExp => new RegExp(`(?<![a-z])(?:${words.join("|")})(?![a-z])`);
const MENTION = within([...CREDENTIAL, ...USUAL]);
const WIDE_MENTION = within([...CREDENTIAL, ...USUAL, ...POSSIBLE]);

/** Returns whether a text of any form names a credential. In data, such as XML, a name that is only possible counts too. */
export const mentionsCredential = (text: string, isData: boolean): boolean => (isData ? WIDE_MENTION : MENTION).test(hyphened(text));
