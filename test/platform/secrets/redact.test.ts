// No form of a secret gets past the redactor: the usual encoders, one over the other, any surroundings, any cut.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { createRedactor, DEEPEST_VALUE, MASK, secretsOf } from "../../../platform/secrets/redact.ts";
import { shortSecrets } from "../../../platform/secrets/short-secrets.ts";
import { PROPERTY_TIME, RUNS } from "../../support/runs.ts";

const signature = (seed: number): string => createHash("sha256").update(String(seed)).digest("hex");

const entity = (make: (code: number) => string, which: RegExp) => (text: string) =>
  text.replace(which, (character) => make(character.codePointAt(0) ?? 0));

const html = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&apos;");
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const lowerHex = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** How servers write a value into their answers. */
const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  percent: encodeURIComponent,
  "percent, letters and digits too": (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "percent in lower case": (text) => lowerHex(encodeURIComponent(text)),
  "percent twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent of RFC 3986": (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
  "a whole URL's": encodeURI,
  form: (text) => new URLSearchParams({ k: text }).toString().slice(2),
  "form twice": (text) => encodeURIComponent(new URLSearchParams({ k: text }).toString().slice(2)),
  JSON: json,
  "JSON in JSON": (text) => json(json(text)),
  "JSON in JSON in JSON": (text) => json(json(json(text))),
  "JSON with escaped slashes": (text) => json(text).replaceAll("/", "\\/"),
  "JSON with everything beyond ASCII escaped": (text) =>
    json(text).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "JSON with everything escaped": (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  "JSON with HTML escaped, as Go writes it": (text) =>
    json(text).replace(/[<>&]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
  HTML: html,
  "HTML twice": (text) => html(html(text)),
  "HTML in decimal": entity((code) => `&#${code};`, /[^A-Za-z0-9]/gu),
  "HTML in hex": entity((code) => `&#x${code.toString(16)};`, /[^A-Za-z0-9]/gu),
  "HTML in JSON": (text) => json(html(text)),
  "percent in HTML": (text) => html(encodeURIComponent(text)),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};

/** Encoders of bytes: what stands before the secret moves it by 0, 1 or 2 bytes. */
const BASE64: Readonly<Record<string, (bytes: Buffer) => string>> = {
  base64: (bytes) => bytes.toString("base64"),
  base64url: (bytes) => bytes.toString("base64url"),
  "base64 in a URL": (bytes) => encodeURIComponent(bytes.toString("base64")),
  "base64 in JSON": (bytes) => bytes.toString("base64").replaceAll("/", "\\/"),
};

const SECRETS = [
  "simple-token_1.2~3",
  "p@ss w/ord\"x\\y+z=&<>'%",
  "пароль-секрет",
  "emoji 🔑 key",
  "line\nbreak\ttab\r\n",
  "  blanks around  ",
  'a\\\\b\\"c/d',
  "12345678901234567890",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
];

/** Longer than one pattern can look for. */
const LONG_SECRETS: Readonly<Record<string, string>> = {
  "a key in many lines": `-----BEGIN PRIVATE KEY-----\n${Array.from({ length: 60 }, (_, line) => createHash("sha256").update(String(line)).digest("base64")).join("\n")}\n-----END PRIVATE KEY-----\n`,
  "a token of 30,000 characters": Array.from({ length: 500 }, (_, part) => signature(part).slice(0, 60)).join(""),
  "a text of slashes": "/".repeat(1_500),
  "a text of signs and backslashes": '=&"\\%+'.repeat(100),
  "a text of surrogate pairs": "🔑🗝".repeat(300),
};

describe("The redactor", () => {
  for (const [what, secret] of Object.entries(LONG_SECRETS))
    it(`the whole of ${what} is masked`, () => {
      const redactor = createRedactor([secret]);
      for (const [encoder, encode] of Object.entries(ENCODERS))
        assert.equal(redactor.redact(`<${encode(secret)}>`).replaceAll(MASK, ""), "<>", encoder);
      for (const [encoder, encode] of Object.entries(BASE64))
        for (const before of ["", "a", "ab"]) {
          const left = redactor.redact(encode(Buffer.from(`${before}${secret}`))).replaceAll(MASK, "");
          assert.ok(left.length <= 12, `${encoder}: ${left.slice(0, 100)}`);
        }
    }).timeout(PROPERTY_TIME);

  for (const secret of SECRETS) {
    const redactor = createRedactor([secret]);
    it(`${JSON.stringify(secret)} is masked in every form`, () => {
      for (const [name, encode] of Object.entries(ENCODERS)) {
        const masked = redactor.redact(`before ${encode(secret)} after`);
        assert.equal(masked.replace(/\s+/g, " "), `before ${MASK} after`.replace(/\s+/g, " "), name);
        assert.ok(redactor.finds(encode(secret)), name);
      }
      for (const [name, encode] of Object.entries(BASE64)) {
        for (const before of ["", "u", "us", "user:", "someone@example.com:"]) {
          const text = encode(Buffer.from(before + secret));
          const masked = redactor.redact(`Basic ${text}`);
          assert.ok(masked.includes(MASK), `${name} after ${before}`);
          // At most the two characters that share bits with the neighbours stay at each end.
          const own = Buffer.from(secret).toString("base64").length;
          assert.ok(masked.length <= `Basic ${text}`.length - own + MASK.length + 8, `${name} after ${before}: ${masked}`);
          // As a part of what was JSON, or a URL, before.
          for (const write of [json, encodeURIComponent]) {
            const whole = encode(Buffer.from(`{"${before}": "${write(secret)}"}`));
            const encodedLength = Buffer.from(write(secret)).toString("base64").length;
            assert.ok(
              redactor.redact(whole).length <= whole.length - encodedLength + MASK.length + 8,
              `${name} of ${write.name} after ${before}`,
            );
          }
        }
      }
    });
  }

  it("JSON is masked in strings, keys and numbers, and __proto__ stays a key", () => {
    const redactor = createRedactor(["secret-value", "12345678901234567890", "4711471147"]);
    const text =
      '{"__proto__":{"a":"secret-value"},"secret-value":[1,null,true,4711471147,12345678901234567890],"n":12.5,"o":{"m":1,"secret-value":2}}';
    const value = JSON.parse(text);
    const masked = redactor.redactValue(value) as Record<string, unknown>;
    assert.deepEqual(Object.entries(masked), [
      ["__proto__", { a: MASK }],
      [MASK, [1, null, true, MASK, MASK]],
      ["n", 12.5],
      ["o", { m: 1, [MASK]: 2 }],
    ]);
    assert.deepEqual(value, JSON.parse(text));
    assert.equal(({} as { a?: unknown }).a, undefined);
  });

  it("values nested too deeply are cut without a failure", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const deep = JSON.parse(`${open.repeat(50_000)}1${close.repeat(50_000)}`) as unknown;
      assert.match(JSON.stringify(createRedactor(["secret-value"]).redactValue(deep)), new RegExp(`nested more than ${DEEPEST_VALUE}`));
    }
  });

  it("overlapping secrets are masked as one", () => {
    const redactor = createRedactor(["abcdefgh", "efghijkl", "abcdefghij"]);
    assert.equal(redactor.redact("x abcdefghijkl y"), `x ${MASK} y`);
    assert.equal(redactor.redact("abcdefgh abcdefghij"), `${MASK} ${MASK}`);
  });

  it("a percent-encoded secret is masked before digits that extend its last code", () => {
    const redactor = createRedactor(["a\\\\\\\\%"]);
    assert.equal(redactor.redact("%61%5c%5c%5c%5c%2530"), `${MASK}30`);
    assert.equal(redactor.redact("%2561%255c%255c%255c%255c%252530"), `${MASK}30`);
  });

  it("bytes are masked in place", () => {
    const redactor = createRedactor(["пароль-секрет", "plain-secret"]);
    const bytes = Buffer.concat([
      Buffer.from([0, 255, 128]),
      Buffer.from("plain-secret"),
      Buffer.from([200]),
      Buffer.from("пароль-секрет"),
    ]);
    const masked = Buffer.from(redactor.redactBytes(bytes));
    assert.equal(masked.length, bytes.length);
    assert.deepEqual([...masked.subarray(0, 3)], [0, 255, 128]);
    assert.equal(masked.subarray(3, 15).toString(), "*".repeat(12));
    assert.equal(masked[15], 200);
    assert.ok([...masked.subarray(16)].every((byte) => byte === 0x2a));
    const untouched = Buffer.from([1, 2, 3]);
    assert.equal(redactor.redactBytes(untouched), untouched);
  });

  it("values too short to be masked are refused", () => {
    const redactor = createRedactor();
    assert.equal(redactor.add("12345"), false);
    assert.equal(redactor.add("123456"), true);
    assert.equal(redactor.redact("12345 123456"), `12345 ${MASK}`);
  });

  it("blank values do not mask words or indentation", () => {
    const redactor = createRedactor();
    assert.equal(redactor.add(" ".repeat(8)), false);
    assert.equal(redactor.add("   a   "), true);
    const text = JSON.stringify({ a: ["a plain sentence", 'a "quoted" one'] }, null, 8);
    assert.equal(redactor.redact(text), text);
    assert.equal(redactor.redact("x   a   y"), `x${MASK}y`);
    assert.deepEqual(shortSecrets({ kind: "values", values: { key: "   a   ", other: "long-enough" } }), ["key"]);
  });

  it("the secret parts of each credential are known", () => {
    assert.deepEqual(secretsOf({ kind: "basic", username: "key-as-name", password: "" }), [
      "key-as-name",
      Buffer.from("key-as-name:").toString("base64"),
    ]);
    assert.deepEqual(secretsOf({ kind: "basic", username: "ann", password: "a-password" }), [
      "a-password",
      Buffer.from("ann:a-password").toString("base64"),
    ]);
    assert.deepEqual(secretsOf({ kind: "token", token: "token-1" }), ["token-1"]);
    assert.deepEqual(secretsOf({ kind: "oauth2", accessToken: "access-1", refreshToken: "refresh-1" }), ["access-1", "refresh-1"]);
    assert.deepEqual(secretsOf({ kind: "values", values: { a: "value-a", b: "value-b" } }), ["value-a", "value-b"]);
    assert.deepEqual(secretsOf({ kind: "aws", accessKeyId: "id", secretAccessKey: "secret-1", sessionToken: "session-1" }), [
      "secret-1",
      "session-1",
    ]);
  });

  it("text without a secret is unchanged", () => {
    const redactor = createRedactor(["a-secret-of-some-length"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        assert.equal(redactor.redact(text), text);
      }),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);

  const secretText = fc
    .oneof(
      fc.string({ minLength: 6, maxLength: 40 }),
      fc.string({ unit: "grapheme", minLength: 6, maxLength: 20 }),
      fc
        .array(fc.constantFrom("\\", '"', "/", "%", "&", "<", "+", " ", "a", "é", "🔑", "\n", "'", "2", "5"), {
          minLength: 6,
          maxLength: 20,
        })
        .map((parts) => parts.join("")),
    )
    // Blanks alone are no secret.
    .filter((secret) => secret.trim() !== "");
  // One redactor for all that is asked of a secret: to make it takes far longer than to ask.
  it("no form of a secret passes in any surroundings, base64 alignment or cut", () => {
    const surroundings = fc.record({
      before: fc.string({ maxLength: 30 }),
      after: fc.string(),
      bytesBefore: fc.uint8Array({ maxLength: 8 }),
      bytesAfter: fc.uint8Array({ maxLength: 8 }),
    });
    const encoder = fc.constantFrom(...Object.keys(ENCODERS));
    const base64 = fc.constantFrom(...Object.keys(BASE64));
    fc.assert(
      fc.property(secretText, encoder, base64, surroundings, fc.nat(80), (secret, name, alphabet, around, limit) => {
        const redactor = createRedactor([secret]);
        const encoded = (ENCODERS[name] as (text: string) => string)(secret);
        const text = `${around.before}${encoded}${around.after}`;
        const masked = redactor.redact(text);
        assert.ok(masked.includes(MASK), name);
        assert.ok(!masked.split(MASK).some((part) => part.includes(encoded)), `${name}: ${JSON.stringify(masked)}`);
        const beginning = redactor.redactStart(text, limit);
        assert.ok(masked.startsWith(beginning), `${name}: ${JSON.stringify(beginning)} is no beginning of ${JSON.stringify(masked)}`);
        const bytes = Buffer.concat([around.bytesBefore, Buffer.from(secret), around.bytesAfter]);
        const inBase64 = (BASE64[alphabet] as (bytes: Buffer) => string)(bytes);
        assert.ok(redactor.redact(inBase64).includes(MASK), `${alphabet}: ${inBase64}`);
      }),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);
  it("every added signature is masked, and no other hash", () => {
    const redactor = createRedactor(["simple-token"]);
    for (let seed = 0; seed < 20_000; seed++) redactor.addSignature(signature(seed));
    const text = `Signature=${signature(7)}, of ${signature(-1)} and a${signature(8)}`;
    assert.equal(redactor.redact(text), `Signature=${MASK}, of ${signature(-1)} and a${signature(8)}`);
    assert.ok(redactor.finds(`x ${signature(19_999)}`) && !redactor.finds(signature(-1)));
    assert.equal(redactor.redactStart(text, 20), `Signature=${MASK}`);
    assert.equal(redactor.redactStart("x".repeat(300), 200), "x".repeat(200));
    const alone = createRedactor();
    alone.addSignature(signature(1));
    assert.equal(alone.redact(signature(1)), MASK);
    // As a regular expression of its own each would make this minutes.
    const long = JSON.stringify(Array.from({ length: 4_000 }, (_, seed) => signature(-seed)));
    assert.equal(redactor.redact(long).replaceAll(MASK, "").length, long.length - 64);
  });
});
