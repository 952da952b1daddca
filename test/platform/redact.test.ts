// Secrets are masked in every form in which they may come back.
import assert from "node:assert/strict";
import fc from "fast-check";
import { createRedactor, MASK } from "../../platform/redact.ts";

const SECRET = 'pä$$ "w/o+rd&<1>';

describe("redactor", () => {
  const redactor = createRedactor([SECRET]);
  const forms: Readonly<Record<string, string>> = {
    raw: SECRET,
    "percent-encoded": encodeURIComponent(SECRET),
    "percent-encoded, lower case": encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
    "form-encoded": new URLSearchParams({ x: SECRET }).toString().slice(2),
    "percent-encoded twice": encodeURIComponent(encodeURIComponent(SECRET)),
    json: JSON.stringify(SECRET),
    "json in json": JSON.stringify(JSON.stringify({ a: SECRET })),
    html: SECRET.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    hex: Buffer.from(SECRET).toString("hex"),
    HEX: Buffer.from(SECRET).toString("hex").toUpperCase(),
    "Basic, user a": Buffer.from(`a:${SECRET}`).toString("base64"),
    "Basic, user ab": Buffer.from(`ab:${SECRET}`).toString("base64"),
    "Basic, user abc": Buffer.from(`abc:${SECRET}`).toString("base64"),
    base64url: Buffer.from(`x${SECRET}yz`).toString("base64url"),
  };
  for (const [name, text] of Object.entries(forms)) {
    it(`masks it ${name}`, () => {
      assert.ok(redactor.redact(`before ${text} after`).includes(MASK), text);
    });
  }
  it("masks strings and keys of JSON, and leaves __proto__ a key", () => {
    const value = JSON.parse(`{"__proto__": {"a": ${JSON.stringify(SECRET)}}, ${JSON.stringify(SECRET)}: [1, null, true]}`);
    const masked = redactor.redactValue(value);
    assert.ok(!JSON.stringify(masked).includes("w/o+rd"));
    assert.ok(Object.hasOwn(masked, "__proto__"));
    assert.equal(({} as { a?: unknown }).a, undefined);
  });
  it("refuses values too short to be masked, and says so", () => {
    assert.equal(createRedactor().add("12345"), false);
    assert.equal(createRedactor().add("123456"), true);
  });
  it("never lets a secret through, whatever stands around it", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 40 }), fc.string(), fc.string(), (secret, before, after) => {
        const masked = createRedactor([secret]).redact(`${before}${secret}${after}`);
        // What the mask and its surroundings form together is not the secret.
        assert.ok(masked.includes(MASK) || !masked.includes(secret));
        assert.ok(!masked.split(MASK).some((part) => part.includes(secret)));
      }),
      { numRuns: 10_000 },
    );
  });
});
