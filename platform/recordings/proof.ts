// The proof that a test holds no secret, made of the text that is to be written. Masking came before; this looks once more, and further: for
// what an encoder made of a secret, for a secret backwards, and for what looks like anybody's secret.
import { isRecord } from "../../base/is-record.ts";
import { SECRET_FORMATS } from "../../spec/secret-formats.ts";
import { PackAuthError } from "../errors.ts";
import { createRedactor, MASK, SHORTEST_SECRET } from "../secrets/redact.ts";
import { inside } from "./differences.ts";

interface SecretFinding {
  /** A JSON pointer. */
  readonly at: string;
  /** What it is, as a person knows it; never the value. */
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

/** Names of members whose text is one. */
const SECRET_NAME =
  /^(?:(?:x-)?(?:access|refresh|id|auth|session|storage|subject|vault)[_-]?token|client[_-]?secret|password|passwd|api[_-]?key|private[_-]?key|secret[_-]?(?:key|access[_-]?key)|set-cookie|cookie)$/i;
/** Shorter ones are words. */
const SHORTEST_NAMED = 8;

/** Everything that may be a secret, at most ten. `secrets`: all live ones. */
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
        // The name is no place to repeat what it holds.
        if (containsSecret(name)) findings.push({ at, what: "a credential of the account, as a name" });
        else if (typeof member === "string" && SECRET_NAME.test(name) && member.length >= SHORTEST_NAMED && !member.includes(MASK))
          findings.push({ at: place, what: `a value that is called ${name}` });
        else walk(member, place);
      }
  };
  walk(test, "");
  // Of pieces that are harmless each.
  if (findings.length === 0 && redactor.finds(JSON.stringify(test))) findings.push({ at: "", what: "a credential of the account" });
  return findings.slice(0, 10);
}

/** Throws recording-refused, which says where. */
export function proveClean(test: unknown, secrets: readonly string[]): void {
  const [first, ...furtherFindings] = findSecrets(test, secrets);
  if (first === undefined) return;
  const more = furtherFindings.length === 0 ? "" : ` Further places: ${furtherFindings.map(({ at }) => at).join(", ")}.`;
  throw new PackAuthError(
    "recording-refused",
    `The run was not saved as a test: ${first.at || "the test"} contains ${first.what}.${more}`,
    {
      hint: "Record it with an account of the sandbox (--sandbox), and leave the secret out of its answers and of what the pack sends.",
    },
  );
}

const backwards = (text: string): string => [...text].reverse().join("");

/** Longer runs of base64 are files; within this a secret may have been packed with something else, and encoded twice. */
const LONGEST_PACKED = 64 * 1024;

/** What stands in a text under a second encoding, or one of a kind that the redactor does not know. */
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

/** Every character that an encoder wrote as a number. */
const unescaped = (text: string): string =>
  text.replaceAll(
    /%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi,
    (whole, percent, byte, unit, hex, decimal) => {
      const code = decimal === undefined ? Number.parseInt(percent ?? byte ?? unit ?? hex, 16) : Number(decimal);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
