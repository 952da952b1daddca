// Custom placeholders: a value goes in once, whole and in the right writing, or the request is not made.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { hasPlaceholder, type PlaceholderPlace, replacePlaceholders } from "../../../platform/requests/placeholders.ts";
import { INVOCATION, placeholder, STALE } from "../../support/broker.ts";
import { eachCase, pattern, readTable, texts } from "../../support/json-cases.ts";
import { PROPERTY_TIME, RUNS } from "../../support/runs.ts";

const replace = (text: string, place: PlaceholderPlace, values: Record<string, string>): string =>
  replacePlaceholders(text, place, { invocationToken: INVOCATION, values }).text;

/** The token of this execution, and that of another one, have names in the cases. */
const textWithTokens = z.string().transform((text) => text.replaceAll("TOKEN", INVOCATION).replaceAll("STALE", STALE));
const place = z.enum(["url", "form-body", "header", "json", "text"]);
const placeCase = z.strictObject({ title: z.string(), text: textWithTokens, place });
const refusedCase = placeCase.extend({ values: texts.exactOptional(), message: pattern, hint: pattern });
/** What comes right before a placeholder and is the beginning of an escape or is none, and what follows a value. */
const escapes = readTable(
  "requests/cases/placeholders-beside-escapes.json",
  z.strictObject({
    right: z.array(z.strictObject({ place, befores: z.array(z.string()) })),
    apart: z.array(z.strictObject({ place, before: z.string() })),
    combined: z.array(z.strictObject({ text: textWithTokens, place })),
    continued: z.array(z.strictObject({ secret: z.string(), text: textWithTokens, place })),
  }),
);

describe("Placeholders", () => {
  const value = 'a"b\\c&d=e {{key-x}} $& $1 ü%';
  const values = { key: value, "my key": "two words", other: "never" };
  const p = placeholder("key");

  eachCase("requests/cases/placeholders.json", placeCase.extend({ result: z.string() }), ({ title, text, place, result }) => {
    it(`auth-spec 5.4.3: a placeholder is replaced ${title}`, () => assert.equal(replace(text, place, values), result));
  });

  it("the used names are listed in order", () => {
    const { usedNames } = replacePlaceholders(`${placeholder("other")} ${p}`, "text", { invocationToken: INVOCATION, values });
    assert.deepEqual(usedNames, ["other", "key"]);
  });

  eachCase(
    "requests/cases/placeholders-refused.json",
    refusedCase,
    ({ title, text, place, values: placeholderValues = values, message, hint }) => {
      it(`${title} is refused`, () => {
        assert.throws(
          () => replace(text, place, placeholderValues),
          (error: { code?: string; message: string; hint?: string }) => {
            assert.equal(error.code, "request-refused");
            assert.match(error.message, message);
            assert.match(error.hint ?? "", hint);
            for (const secret of Object.values(placeholderValues)) assert.ok(secret === "" || !error.message.includes(secret));
            return true;
          },
        );
      });
    },
  );

  for (const { place, befores } of escapes.right)
    it(`a placeholder right after the beginning of an escape is refused in ${place}`, () => {
      for (const before of befores) {
        const text = `${place === "url" ? "https://a.com/" : ""}${before}${p}`;
        assert.throws(
          () => replace(text, place, { key: "0041-the-secret" }),
          (error: { code?: string; message: string; hint?: string }) =>
            error.code === "request-refused" &&
            /the placeholder \{\{key-…\}\} comes right after the beginning of an escape/.test(error.message) &&
            /another character between them/.test(error.hint ?? "") &&
            !error.message.includes("the-secret"),
          text,
        );
      }
    });

  it("a placeholder after a complete escape, a blank or a line break is replaced", () => {
    const placeholderValues = { key: "41-secret" };
    for (const { place, before } of escapes.apart)
      assert.ok(replace(`${before}${p}`, place, placeholderValues).includes("41-secret"), before);
  });

  it("a combining mark right after a value is refused", () => {
    for (const { text, place } of escapes.combined)
      assert.throws(() => replace(text, place, { key: "secretive" }), /would combine with its last character/, text);
    assert.equal(replace(`{"a":"${p}\\u000a"}`, "json", { key: "secretive" }), '{"a":"secretive\\u000a"}');
    assert.equal(replace(`https://a.com/?a=${p}%20&#x`, "url", { key: "secretive" }), "https://a.com/?a=secretive%20&#x");
  });

  it("a value that ends with the beginning of an escape is refused before its continuation", () => {
    for (const { secret, text, place } of escapes.continued)
      assert.throws(() => replace(text, place, { key: secret, other: "41" }), /beginning of an escape/, text);
    assert.equal(replace(`<a>${p}</a>`, "text", { key: "secret%" }), "<a>secret%</a>");
    assert.equal(replace(`a=${p}&b=1`, "form-body", { key: "secret&" }), "a=secret%26&b=1");
  });

  it("no decoding of the text shows a value in an unmasked form", () => {
    const readers: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => text.replace(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      (text) => text.replace(/\\u([\da-f]{4})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      (text) => text.replace(/\\x([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      (text) => text.replace(/\\([\\/"nt])/g, (_all, one: string) => (one === "n" ? "\n" : one === "t" ? "\t" : one)),
      (text) => text.replace(/&#(\d+);?/g, (_all, code: string) => String.fromCharCode(Number(code) % 0x10000)),
      (text) => text.replace(/&#x([\da-f]{1,4});?/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    ];
    const piece = fc.constantFrom("%", "\\", "u", "x", "00", "4", "&", "#", "25", "5c", ";", "a", " ", "=", "amp;");
    const before = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const secret = fc.stringMatching(/^[0-9a-f]{4}[0-9a-z]{8}$/);
    fc.assert(
      fc.property(before, secret, fc.array(fc.nat(readers.length - 1), { maxLength: 3 }), (around, key, order) => {
        let text: string;
        try {
          text = replace(`${around}${p}`, "text", { key });
        } catch {
          return;
        }
        for (const index of order) text = readers[index]?.(text) ?? text;
        assert.ok(text.includes(key), JSON.stringify([around, key, text]));
      }),
      { numRuns: RUNS * 4 },
    );
  }).timeout(PROPERTY_TIME);

  it("a value that changes the path of a URL is refused in every encoding", () => {
    const ways = readTable("requests/cases/path-segments.json", z.array(z.string()));
    for (const key of ways) {
      const [alone, after, relative] = [`https://a.com/v1/${p}/x`, `https://a.com/v1/.${p}`, `v1/${p}?q=1`];
      if (key !== "") for (const text of [alone, relative]) assert.throws(() => replace(text, "url", { key }), /reads as \. or \.\./, key);
      if (key === "" || key === ".") assert.throws(() => replace(after, "url", { key }), /reads as \. or \.\./, key);
      assert.ok(replace(`https://a.com/v1?q=${p}#${p}`, "url", { key }));
    }
    for (const key of ["a.b", "...", "v1.2", "group/project", "a..b", ".well-known", "..a"])
      assert.equal(replace(`https://a.com/${p}/x`, "url", { key }), `https://a.com/${encodeURIComponent(key)}/x`);
  });

  it("values that form the scheme of a URL are refused", () => {
    assert.throws(() => replace(`${p}://${placeholder("other")}/`, "url", { key: "https", other: "evil.good.com" }), /scheme of the URL/);
    assert.throws(() => replace(`${p}:x`, "url", { key: "https" }), /scheme of the URL/);
  });

  it("any value keeps the path of a URL as the pack wrote it", () => {
    const part = fc.constantFrom(".", "/", "%2e", "%2F", "\\", "%5c", ";", "?", "#", "%", "25", "a", "\t", "@", ":", " ");
    const any = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(any, any, (key, other) => {
        let url: URL;
        try {
          url = new URL(replace(`https://a.com/first/${p}/second/x${placeholder("other")}.json/last?q=1#end`, "url", { key, other }));
        } catch (error) {
          assert.match((error as Error).message, /reads as \. or \.\./);
          return;
        }
        const segments = url.pathname.split("/");
        assert.equal(segments.length, 6);
        assert.deepEqual([segments[1], segments[3], segments[5]], ["first", "second", "last"]);
        assert.deepEqual([url.host, url.search, url.hash], ["a.com", "?q=1", "#end"]);
        assert.match(segments[4] ?? "", /^x.*\.json$/);
      }),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);

  it("a plain label is replaced in the host", () => {
    assert.equal(replace(`https://${p}.a.com/x`, "url", { key: "Acme-1" }), "https://Acme-1.a.com/x");
  });

  it("placeholders of the current execution are found in every encoding", () => {
    for (const text of [p, encodeURIComponent(p), encodeURIComponent(p).toLowerCase(), `x${placeholder("any name")}y`])
      assert.ok(hasPlaceholder(text, INVOCATION), text);
    for (const text of ["", placeholder("key", STALE), `{{key}}-${INVOCATION}`, INVOCATION])
      assert.ok(!hasPlaceholder(text, INVOCATION), text);
  });

  const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[{}%"\\]/.test(text));
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("$&", "$`", "$1", "{{a-b}}", `{{x-${STALE}}}`, "%7B%7B", "\\", '"', "+", "&b=1"),
  );
  it("every value survives the parsing of JSON, URL or form unchanged", () => {
    fc.assert(
      fc.property(name, text, fc.string(), (key, secret, around) => {
        const placeholderValues = { [key]: secret };
        const mark = placeholder(key);
        const inJson: unknown = JSON.parse(replace(JSON.stringify({ a: mark, b: [around] }), "json", placeholderValues));
        assert.deepEqual(inJson, { a: secret, b: [around] });
        const wellFormed = Buffer.from(secret).toString();
        const form = new URLSearchParams(replace(new URLSearchParams({ a: mark, b: around }).toString(), "form-body", placeholderValues));
        assert.equal(form.get("a"), wellFormed);
        for (const query of [encodeURIComponent(mark), mark.replace(/[#&+]/g, encodeURIComponent)]) {
          // A raw name with characters that a URL cannot hold is for the encoded form.
          if (query !== encodeURIComponent(mark) && /[^\w .~-]/.test(key)) continue;
          assert.equal(new URL(replace(`https://a.com/?a=${query}`, "url", placeholderValues)).searchParams.get("a"), wellFormed);
        }
      }),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);
  it("a name with a brace inside is refused, a brace around is kept", () => {
    assert.throws(() => replace(`{{ {-${INVOCATION}}}`, "url", { key: "value" }), { code: "request-refused" });
    assert.throws(() => replace(`{{%7Bkey-${INVOCATION}}}`, "url", { key: "value" }), { code: "request-refused" });
    assert.throws(() => replace(`{{a}b-${INVOCATION}}}`, "json", { key: "value" }), { code: "request-refused" });
    assert.equal(replace(`{{{key-${INVOCATION}}}}`, "text", { key: "value" }), "{value}");
  });
  it("no placeholder remains, or the text is refused", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom("{{", "}}", "-", INVOCATION, STALE, "key", "%7B%7B", "%7d%7D", "{", "}", "%7B"),
            fc.string({ maxLength: 3 }),
          ),
        ),
        (parts) => {
          let result: string;
          try {
            result = replace(parts.join(""), "url", { key: "value" });
          } catch (error) {
            assert.equal((error as { code?: string }).code, "request-refused");
            return;
          }
          assert.doesNotMatch(
            result,
            new RegExp(`(\\{\\{|%7B%7B)(?:(?!\\{\\{|\\}\\}|%7B%7B|%7D%7D).)*-${INVOCATION}(\\}\\}|%7D%7D)`, "is"),
          );
        },
      ),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);
});
