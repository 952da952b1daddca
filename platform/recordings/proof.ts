// Proves that the text of a test contains no secret before it is written. The text is already masked. This check also finds secrets that
// were encoded or reversed, and strings that look like other secrets.
import { isRecord } from "../../base/is-record.ts";
import { SECRET_FORMATS } from "../../spec/secret-formats.ts";
import { PackAuthError } from "../errors.ts";
import { createRedactor, MASK, SHORTEST_SECRET } from "../secrets/redact.ts";
import { inside } from "./differences.ts";

interface SecretFinding {
  /** A JSON pointer (RFC 6901). */
  readonly at: string;
  /** A description of the secret, never its value. */
  readonly what: string;
}

/** What tokens and keys look like: the published forms, and more than is certain. A test that is not saved costs less than a secret. */
const FORMATS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ...SECRET_FORMATS.map(
    ({ name, pattern }) =>
      [`a text that looks like a secret (${name})`, new RegExp(`(?<![A-Za-z0-9_-])${pattern.source.slice(1)}`)] as const,
  ),
  ["a private key", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/],
  ["a Stripe test key", /\b[rs]k_test_[A-Za-z0-9]{16}/],
  ["an API key", /\bsk-[A-Za-z0-9_-]{20}/],
  ["a signature of AWS", /[?&]X-Amz-(?:Signature|Security-Token|Credential)=(?!\u2022)[^&\s"]{8}/i],
  ["a credential of a header", /\b(?:Bearer|Basic) (?!\u2022)[A-Za-z0-9._~+/=-]{16}/],
  ["a credential in an address", /:\/\/[^/\s:@"]{1,200}:[^/\s:@"\u2022]{3,200}@/],
];

/** Names of members whose string is a secret. */
const SECRET_NAME =
  /^(?:(?:x-)?(?:access|refresh|id|auth|session|storage|subject|vault)[_-]?token|client[_-]?secret|password|passwd|api[_-]?key|private[_-]?key|secret[_-]?(?:key|access[_-]?key)|set-cookie|cookie)$/i;
/** Shorter strings are ordinary words. */
const SHORTEST_NAMED = 8;

/** Returns everything that may be a secret, at most ten findings. `secrets` are all live secrets. */
export function findSecrets(test: unknown, secrets: readonly string[]): readonly SecretFinding[] {
  const live = secrets.filter((secret) => secret.trim().length >= SHORTEST_SECRET);
  const redactor = createRedactor([...live, ...live.map(backwards)]);
  const findings: SecretFinding[] = [];
  const containsSecret = (text: string): boolean => redactor.finds(text) || decoded(text).some((inner) => redactor.finds(inner));
  const look = (text: string, at: string): void => {
    if (containsSecret(text)) findings.push({ at, what: "a credential of the account" });
    else for (const [what, pattern] of FORMATS) if (pattern.test(text)) findings.push({ at, what });
  };
  const walk = (value: unknown, at: string): void => {
    if (typeof value === "string") look(value, at);
    else if (typeof value === "number") look(String(value), at);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, `${at}/${index}`);
    else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        const place = inside(at, name);
        // The finding has the place of the object, because a place with the member's name would contain the secret.
        if (containsSecret(name)) findings.push({ at, what: "a credential of the account, as a name" });
        else if (typeof member === "string" && SECRET_NAME.test(name) && member.length >= SHORTEST_NAMED && !member.includes(MASK))
          findings.push({ at: place, what: `a value that is called ${name}` });
        else walk(member, place);
      }
  };
  walk(test, "");
  // The secret may be split over several harmless strings.
  if (findings.length === 0 && redactor.finds(JSON.stringify(test))) findings.push({ at: "", what: "a credential of the account" });
  return findings.slice(0, 10);
}

/** Throws recording-refused with the places of the findings. */
export function proveClean(test: unknown, secrets: readonly string[]): void {
  const [first, ...furtherFindings] = findSecrets(test, secrets);
  if (first === undefined) return;
  const more = furtherFindings.length === 0 ? "" : ` Further places: ${furtherFindings.map(({ at }) => at).join(", ")}.`;
  throw new PackAuthError(
    "recording-refused",
    `The run was not saved as a test: ${first.at || "the test"} contains ${first.what}.${more}`,
    {
      hint: "Leave the secret out of the answers and of what the pack sends.",
      nextStep: { do: "recordTest", sandbox: true },
    },
  );
}

const backwards = (text: string): string => [...text].reverse().join("");

/** Longer base64 strings are files. Within this length a secret may be combined with other text and encoded twice. */
const LONGEST_PACKED = 64 * 1024;

/** Returns what a text contains under a second encoding, or under an encoding that the redactor does not know. */
function decoded(text: string): readonly string[] {
  const inner: string[] = [];
  for (const [run] of text.slice(0, LONGEST_PACKED).matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    const bytes = Buffer.from(run, "base64");
    inner.push(bytes.toString("latin1"), bytes.toString("utf16le"));
    if (/^(?:[0-9a-f]{2})+$/i.test(run)) inner.push(Buffer.from(run, "hex").toString("latin1"));
  }
  if (/%[0-9a-f]{2}|\\[ux]|&#/i.test(text)) inner.push(unescaped(text));
  return inner;
}

/** Decodes every character that is written as a number. */
const unescaped = (text: string): string =>
  text.replaceAll(
    /%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi,
    (whole, percent, byte, unit, hex, decimal) => {
      const code = decimal === undefined ? Number.parseInt(percent ?? byte ?? unit ?? hex, 16) : Number(decimal);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
