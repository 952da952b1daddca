// JSON that is masked as text gives, parsed, what masking the parsed original gives: whatever the secrets, whatever way they are written.
import assert from "node:assert/strict";
import fc from "fast-check";
import { isTooDeep, jsonContainsSecret, maskLargeJson } from "../../../platform/bodies/masked-json.ts";
import { createRedactor, MASK, type Redactor } from "../../../platform/secrets/redact.ts";
import { redactBytes, redactText } from "../../../platform/secrets/redact-long.ts";
import { RUNS } from "../../support/runs.ts";

/** What pack code gets, by either way. */
async function masked(text: string, redactor: Redactor): Promise<unknown> {
  if (!(await jsonContainsSecret(text, redactor))) return JSON.parse(text);
  const body = await maskLargeJson(text, redactor);
  return "unparsed" in body ? JSON.parse(body.unparsed) : body;
}

const secret = fc.oneof(
  fc.string({ minLength: 6, maxLength: 12 }),
  fc.string({ unit: "grapheme", minLength: 6, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('"', "\\", "/", "a", "\n", "é"), minLength: 6, maxLength: 8 }),
  fc.integer({ min: 100_000, max: 2 ** 50 }).map(String),
);

/** A string literal in which each character stands as it is, or as one of its escapes. */
const literal = (text: string, ways: readonly number[]): string => {
  const escapedCharacters = [...text].map((character, index) => {
    const plain = JSON.stringify(character).slice(1, -1);
    const way = (ways[index % ways.length] ?? 0) % 3;
    if (way === 0) return plain;
    if (way === 1 && character === "/") return "\\/";
    return Array.from({ length: character.length }, (_, at) => {
      const hex = character.charCodeAt(at).toString(16).padStart(4, "0");
      return `\\u${way === 1 ? hex : hex.toUpperCase()}`;
    }).join("");
  });
  return `"${escapedCharacters.join("")}"`;
};

const write = (value: unknown, ways: readonly number[]): string => {
  if (typeof value === "string") return literal(value, ways);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, ways)).join(" , ")}]`;
  if (value !== null && typeof value === "object")
    return `{${Object.entries(value)
      .map(([key, item]) => `${literal(key, ways)}: ${write(item, ways)}`)
      .join(",")}}`;
  return JSON.stringify(value);
};

describe("JSON masked as text", function () {
  this.timeout(180_000);
  it("masking the text equals masking the values", async () => {
    const sample = secret.chain((secretText) => {
      const text = fc.oneof(
        fc.constant(secretText),
        fc.constant(encodeURIComponent(Buffer.from(secretText).toString())),
        fc.constant(Buffer.from(`u:${secretText}`).toString("base64")),
        fc.constant(JSON.stringify(JSON.stringify({ known: secretText }))),
        fc.string({ unit: "binary", maxLength: 6 }),
        fc.tuple(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 })).map(([before, after]) => before + secretText + after),
      );
      const number = /^\d+$/.test(secretText)
        ? fc.constantFrom(Number(secretText), Number(`1${secretText}`), Number(secretText) / 10)
        : fc.double({ noNaN: true });
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { depthSize: "small" },
          text,
          number.filter(Number.isFinite),
          fc.constantFrom(null, true, false),
          fc.array(tie("value"), { maxLength: 3 }),
          fc.dictionary(text, tie("value"), { maxKeys: 3 }),
        ),
      }));
      return fc.tuple(fc.constant(secretText), value, fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }));
    });
    await fc.assert(
      fc.asyncProperty(sample, async ([secretText, value, ways]) => {
        const redactor = createRedactor([secretText]);
        const text = write(value, ways);
        assert.deepEqual(await masked(text, redactor), redactor.redactValue(JSON.parse(text)));
      }),
      { numRuns: RUNS },
    );
  });

  it("a secret across a piece boundary is masked in every escaping", async () => {
    const secretText = 'canary"\\token/8d1f';
    const redactor = createRedactor([secretText]);
    const piece = 64 * 1024;
    for (const [name, encodedSecret] of [
      ["plain", JSON.stringify(secretText)],
      ["escaped", literal(secretText, [1])],
      ["mixed", literal(secretText, [0, 2])],
    ] as const) {
      for (let shift = -140; shift <= 8; shift += 3) {
        const text = `{"a":"${"\\\\".repeat(piece / 2 - 20 + (shift >> 1))}${"x".repeat(40 + (shift & 1))}","b":${encodedSecret},"c":1}`;
        const body = (await masked(text, redactor)) as { b: string; c: number };
        assert.deepEqual([body.b, body.c], [MASK, 1], `${name}, ${shift}`);
      }
    }
  });

  it("a long string is masked like a short one, also with backslashes at a boundary", async () => {
    const secretText = "canary-token";
    const redactor = createRedactor([secretText]);
    const piece = 64 * 1024;
    for (let shift = 0; shift < 8; shift++) {
      for (const before of [`${"x".repeat(piece - shift)}${"\\\\".repeat(5)}`, "\\\\".repeat(piece - shift)]) {
        const text = `["${before}${literal(secretText, [1]).slice(1, -1)}${before}"]`;
        const [result] = (await masked(text, redactor)) as [string];
        assert.ok(result === `${JSON.parse(`"${before}"`)}${MASK}${JSON.parse(`"${before}"`)}`, `${shift}: ${result.slice(-100)}`);
      }
    }
  });

  it("numbers in another notation are masked too", async () => {
    const redactor = createRedactor(["12345678"]);
    const filler = "x".repeat(64 * 1024);
    assert.deepEqual(await masked(`["${filler}", 1.2345678e7]`, redactor), [filler, MASK]);
    assert.deepEqual(await masked('{"a": 1.2345678e7, "b": [12345678.0, 9123456780], "c": 1.5e3}', redactor), {
      a: MASK,
      b: [MASK, MASK],
      c: 1500,
    });
  });

  it("invalid JSON is masked as text", async () => {
    const redactor = createRedactor(["canary-token"]);
    for (const text of ['{canary-token, "a', '["\\q canary-token"]', "[canary-token]", '["canary-token']) {
      assert.ok(await jsonContainsSecret(text, redactor));
      const body = await maskLargeJson(text, redactor);
      assert.ok(!JSON.stringify(body).includes("canary-token"), JSON.stringify(body));
    }
  });

  it("a text counts as JSON exactly if JSON.parse accepts it", async () => {
    const redactor = createRedactor(["no such secret"]);
    const part = fc.constantFrom(
      ..."[]{}:,".split(""),
      '"a"',
      '"\\n"',
      '"\\q"',
      '"\t"',
      "1",
      "-0.5e3",
      "01",
      "+1",
      "true",
      "null",
      "nul",
      " ",
      "\n",
      "\u00a0",
    );
    const token = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")),
      fc.json(),
      fc.json().map((text) => text.slice(1)),
      fc.json().map((text) => `${text} \r\n`),
    );
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        let parsed: unknown = { text };
        try {
          parsed = { unparsed: text, value: JSON.parse(text) };
        } catch {}
        const body = await maskLargeJson(text, redactor);
        assert.deepEqual("unparsed" in body ? { ...body, value: JSON.parse(body.unparsed) } : body, parsed);
      }),
      { numRuns: RUNS },
    );
  });

  it("depth counts nested lists and objects, not brackets in strings", async () => {
    assert.equal(await isTooDeep(`${"[".repeat(1_001)}${"]".repeat(1_001)}`), true);
    assert.equal(await isTooDeep(`${"[".repeat(1_000)}${"]".repeat(1_000)}   `), false);
    assert.equal(await isTooDeep(JSON.stringify({ a: `${"[".repeat(5_000)}\\"${"{".repeat(5_000)}` })), false);
    assert.equal(await isTooDeep(`[${"[],".repeat(5_000)}{}]`), false);
    assert.equal(await isTooDeep(`["a\\"",${'{"a":'.repeat(1_000)}`), true);
    assert.equal(await isTooDeep(`[${"{},".repeat(5_000)}[]]`), false);
  });
});

describe("Long texts and bytes", () => {
  it("long texts and bytes are masked like short ones", async () => {
    const redactor = createRedactor(["abcabcabc", "secret-value"]);
    const part = fc.constantFrom("abc", "abcabcabc", "secret-value", encodeURIComponent("secret-value"), "x", "é");
    const filler = fc.integer({ min: 65_000, max: 65_600 });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 60 }), filler, async (parts, length) => {
        const text = "x".repeat(length) + parts.join("");
        assert.equal(await redactText(text, redactor), redactor.redact(text));
        const bytes = Buffer.from(text);
        assert.deepEqual(Buffer.from(await redactBytes(bytes, redactor)), Buffer.from(redactor.redactBytes(bytes)));
      }),
      { numRuns: Math.min(RUNS, 300) },
    );
  });
});
