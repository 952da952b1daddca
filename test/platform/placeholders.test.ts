// Custom placeholders: a value goes in once, whole and in the right writing, or the request is not made.
import assert from "node:assert/strict";
import fc from "fast-check";
import { hasPlaceholder, type PlaceholderPlace, replacePlaceholders } from "../../platform/placeholders.ts";
import { INVOCATION, PROPERTY_TIME, placeholder, RUNS, STALE } from "../support/broker.ts";

const replace = (text: string, place: PlaceholderPlace, values: Record<string, string>): string =>
  replacePlaceholders(text, place, { invocationToken: INVOCATION, values }).text;

describe("placeholders", () => {
  const value = 'a"b\\c&d=e {{key-x}} $& $1 ü%';
  const values = { key: value, "my key": "two words", other: "never" };
  const p = placeholder("key");

  const table: readonly (readonly [what: string, text: string, PlaceholderPlace, result: string])[] = [
    ["raw in a query", `https://a.com/?k=${p}`, "url", `https://a.com/?k=${encodeURIComponent(value)}`],
    ["encoded in a query", `https://a.com/?k=${encodeURIComponent(p)}`, "url", `https://a.com/?k=${encodeURIComponent(value)}`],
    [
      "encoded in lower case",
      `https://a.com/?k=${encodeURIComponent(p).toLowerCase()}`,
      "url",
      `https://a.com/?k=${encodeURIComponent(value)}`,
    ],
    ["in a path, twice", `https://a.com/${p}/${p}`, "url", `https://a.com/${encodeURIComponent(value)}/${encodeURIComponent(value)}`],
    [
      "a name with a blank, as a form writes it",
      new URLSearchParams({ a: placeholder("my key") }).toString(),
      "form-body",
      "a=two%20words",
    ],
    [
      "a name with a blank, percent-encoded",
      `https://a.com/?a=${encodeURIComponent(placeholder("my key"))}`,
      "url",
      "https://a.com/?a=two%20words",
    ],
    ["in JSON", JSON.stringify({ a: p, b: `x${p}y` }), "json", JSON.stringify({ a: value, b: `x${value}y` })],
    ["in a form's text", `a=${p}&b=1`, "form-body", `a=${encodeURIComponent(value)}&b=1`],
    ["in a header", `Key ${placeholder("my key")}!`, "header", "Key two words!"],
    ["in other text, as it is", `<x>${p}</x>`, "text", `<x>${value}</x>`],
    ["beside braces that are none", `{{${p}}} {{not-one}} {{key}}`, "text", `{{${value}}} {{not-one}} {{key}}`],
  ];
  for (const [what, text, place, result] of table)
    it(`auth-spec 5.4.3: replaces ${what}`, () => assert.equal(replace(text, place, values), result));

  it("lists what it put in, in order", () => {
    const { used } = replacePlaceholders(`${placeholder("other")} ${p}`, "text", { invocationToken: INVOCATION, values });
    assert.deepEqual(used, ["other", "key"]);
  });

  const refused: readonly (readonly [
    what: string,
    text: string,
    PlaceholderPlace,
    values: Record<string, string>,
    message: RegExp,
    hint: RegExp,
  ])[] = [
    ["a typing error", placeholder("kye"), "text", values, /\{\{kye-…\}\} names no param/, /Did you mean key\?/],
    ["an unknown name", placeholder("zzzzzzz"), "text", values, /names no param/, /Declared are: key, my key, other/],
    ["a name of Object's own", placeholder("constructor"), "text", values, /names no param/, /Declared are/],
    ["a name where none is declared", placeholder("a"), "text", {}, /names no param/, /Declared are: none/],
    ["a stale token", placeholder("key", STALE), "json", values, /token of another execution/, /invocationToken/],
    ["a stale token in a URL, encoded", encodeURIComponent(placeholder("key", STALE)), "url", values, /token of another execution/, /./],
    ["a line break in a header", p, "header", { key: "a\r\nX: 1" }, /no header can carry/, /Sign in again/],
    ["what Latin-1 lacks in a header", p, "header", { key: "ключ" }, /no header can carry/, /Sign in again/],
    ["a host that is no label", `https://${p}.a.com/`, "url", { key: "evil.com/" }, /plain host label/, /acme/],
    ["a host with a port", `https://${p}.a.com/`, "url", { key: "evil.com:80" }, /plain host label/, /acme/],
    ["a host with a user", `https://x@${p}.a.com/`, "url", { key: "evil@b" }, /plain host label/, /acme/],
    ["an empty host", `https://${p}.a.com/`, "url", { key: "" }, /plain host label/, /acme/],
    ["a host label that begins with a hyphen", `https://${p}.a.com/`, "url", { key: "-a" }, /plain host label/, /acme/],
  ];
  for (const [what, text, place, given, message, hint] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => replace(text, place, given),
        (error: { code?: string; message: string; hint?: string }) => {
          assert.equal(error.code, "request-refused");
          assert.match(error.message, message);
          assert.match(error.hint ?? "", hint);
          for (const secret of Object.values(given)) assert.ok(secret === "" || !error.message.includes(secret));
          return true;
        },
      );
    });
  }

  it("puts a plain label into the host", () => {
    assert.equal(replace(`https://${p}.a.com/x`, "url", { key: "Acme-1" }), "https://Acme-1.a.com/x");
  });

  it("finds this execution's placeholders wherever they stand", () => {
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
  it("gives every value back unchanged to whoever reads the JSON, URL or form", () => {
    fc.assert(
      fc.property(name, text, fc.string(), (key, secret, around) => {
        const given = { [key]: secret };
        const mark = placeholder(key);
        const inJson: unknown = JSON.parse(replace(JSON.stringify({ a: mark, b: [around] }), "json", given));
        assert.deepEqual(inJson, { a: secret, b: [around] });
        const wellFormed = Buffer.from(secret).toString();
        const form = new URLSearchParams(replace(new URLSearchParams({ a: mark, b: around }).toString(), "form-body", given));
        assert.equal(form.get("a"), wellFormed);
        for (const query of [encodeURIComponent(mark), mark.replace(/[#&+]/g, encodeURIComponent)]) {
          // A raw name with characters that a URL cannot hold is for the encoded form.
          if (query !== encodeURIComponent(mark) && /[^\w .~-]/.test(key)) continue;
          assert.equal(new URL(replace(`https://a.com/?a=${query}`, "url", given)).searchParams.get("a"), wellFormed);
        }
      }),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);
  it("refuses a name with a brace inside, and leaves a brace around alone", () => {
    assert.throws(() => replace(`{{ {-${INVOCATION}}}`, "url", { key: "value" }), { code: "request-refused" });
    assert.throws(() => replace(`{{%7Bkey-${INVOCATION}}}`, "url", { key: "value" }), { code: "request-refused" });
    assert.throws(() => replace(`{{a}b-${INVOCATION}}}`, "json", { key: "value" }), { code: "request-refused" });
    assert.equal(replace(`{{{key-${INVOCATION}}}}`, "text", { key: "value" }), "{value}");
  });
  it("leaves no placeholder behind, or refuses", () => {
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
