// Custom placeholders: a value goes in once, whole and in the right writing, or the request is not made.
import assert from "node:assert/strict";
import fc from "fast-check";
import { hasPlaceholder, type PlaceholderPlace, replacePlaceholders } from "../../../platform/requests/placeholders.ts";
import { INVOCATION, placeholder, STALE } from "../../support/broker.ts";
import { PROPERTY_TIME, RUNS } from "../../support/runs.ts";

const replace = (text: string, place: PlaceholderPlace, values: Record<string, string>): string =>
  replacePlaceholders(text, place, { invocationToken: INVOCATION, values }).text;

describe("Placeholders", () => {
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
    ["with a blank in its name, form-encoded", new URLSearchParams({ a: placeholder("my key") }).toString(), "form-body", "a=two%20words"],
    [
      "with a blank in its name, percent-encoded",
      `https://a.com/?a=${encodeURIComponent(placeholder("my key"))}`,
      "url",
      "https://a.com/?a=two%20words",
    ],
    ["in JSON", JSON.stringify({ a: p, b: `x${p}y` }), "json", JSON.stringify({ a: value, b: `x${value}y` })],
    ["in a form's text", `a=${p}&b=1`, "form-body", `a=${encodeURIComponent(value)}&b=1`],
    ["in a header", `Key ${placeholder("my key")}!`, "header", "Key two words!"],
    ["in other text, as it is", `<x>${p}</x>`, "text", `<x>${value}</x>`],
    ["beside other braces", `{{${p}}} {{not-one}} {{key}}`, "text", `{{${value}}} {{not-one}} {{key}}`],
  ];
  for (const [what, text, place, result] of table)
    it(`auth-spec 5.4.3: a placeholder is replaced ${what}`, () => assert.equal(replace(text, place, values), result));

  it("the used names are listed in order", () => {
    const { usedNames } = replacePlaceholders(`${placeholder("other")} ${p}`, "text", { invocationToken: INVOCATION, values });
    assert.deepEqual(usedNames, ["other", "key"]);
  });

  const refusedCases: readonly (readonly [
    what: string,
    text: string,
    PlaceholderPlace,
    values: Record<string, string>,
    message: RegExp,
    hint: RegExp,
  ])[] = [
    ["a typing error", placeholder("kye"), "text", values, /\{\{kye-…\}\} does not name a param/, /Did you mean key\?/],
    ["an unknown name", placeholder("zzzzzzz"), "text", values, /does not name a param/, /Declared are: key, my key, other/],
    ["a member name of Object", placeholder("constructor"), "text", values, /does not name a param/, /Declared are/],
    ["a name without declared params", placeholder("a"), "text", {}, /does not name a param/, /Declared are: none/],
    ["a stale token", placeholder("key", STALE), "json", values, /token of another execution/, /invocationToken/],
    ["a stale token in a URL, encoded", encodeURIComponent(placeholder("key", STALE)), "url", values, /token of another execution/, /./],
    ["a line break in a header", p, "header", { key: "a\r\nX: 1" }, /headers cannot carry/, /Sign in again/],
    ["a non-Latin-1 character in a header", p, "header", { key: "ключ" }, /headers cannot carry/, /Sign in again/],
    ["a host that is not a label", `https://${p}.a.com/`, "url", { key: "evil.com/" }, /single host label/, /acme/],
    ["a host with a port", `https://${p}.a.com/`, "url", { key: "evil.com:80" }, /single host label/, /acme/],
    ["a host with a user", `https://x@${p}.a.com/`, "url", { key: "evil@b" }, /single host label/, /acme/],
    ["an empty host", `https://${p}.a.com/`, "url", { key: "" }, /single host label/, /acme/],
    ["a host label that begins with a hyphen", `https://${p}.a.com/`, "url", { key: "-a" }, /single host label/, /acme/],
  ];
  for (const [what, text, place, placeholderValues, message, hint] of refusedCases) {
    it(`${what} is refused`, () => {
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
  }

  const atEscape: readonly (readonly [PlaceholderPlace, readonly string[]])[] = [
    [
      "url",
      ["?a=%", "?a=%4", "%", "?a=%25", "?a=%2525", "?a=%255", "?a=%5C", "?a=%5Cu00", "?a=%26", "?a=%26%23x", "/%2", "?%26lt", "?a=1&b=%"],
    ],
    ["form-body", ["a=%", "a=%4", "a=%5Cu", "payload=%7B%22a%22%3A%22%5C", "a=%26%23", "a=%26amp%3B", "a=b&c=\\x4"]],
    ["header", ["%", "UTF-8''%4", "\\", "\\u{", "&#", "&#x4", "&", "=?utf-8?q?=", "=?iso-8859-1?Q?a=4"]],
    [
      "json",
      ['{"a":"\\', '{"a":"\\u', '{"a":"\\u004', '{"a":"\\\\u', '{"a":"\\u0025', '{"a":"\\u005cu', '{"a":"%', '{"a":"&#', '{"a":"\\u0026#x'],
    ],
    [
      "text",
      [
        "%",
        "%4",
        "\\",
        "\\x",
        "\\u0",
        "\\0",
        "&#",
        "&#x2",
        "&",
        "&#37;",
        "&amp;#",
        "&bsol;u",
        `&#${"0".repeat(40)}`,
        `&#x${"0".repeat(200)}`,
        `\\u{${"0".repeat(20)}`,
        "\\U000000",
        "%u00",
        "&amp;&num;",
        "&#0000000000092;u",
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n=",
      ],
    ],
  ];
  for (const [place, befores] of atEscape)
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
    const fine: readonly (readonly [PlaceholderPlace, string])[] = [
      ["url", "https://a.com/%20"],
      ["url", "https://a.com/?a=%C3%A9"],
      ["url", "https://a.com/?a=1&"],
      ["url", "https://a.com/?q=%26%20"],
      ["form-body", "a=1&b="],
      ["header", "Bearer "],
      ["header", "a=1; b="],
      ["json", '{"a":"\\n'],
      ["json", '{"a":"\\u000a'],
      ["json", '{"a":"R&D '],
      ["json", '{"url":"https://a.com/?a=1&b='],
      ["text", "100% "],
      ["text", "a&b="],
      ["text", "&amp; "],
      ["text", "10000000"],
      ["json", '{"a":"\\u00e9abc'],
    ];
    for (const [place, before] of fine) assert.ok(replace(`${before}${p}`, place, placeholderValues).includes("41-secret"), before);
  });

  it("a combining mark right after a value is refused", () => {
    for (const [text, place] of [
      [`${p}\u0301`, "text"],
      [`{"a":"${p}\\u0301"}`, "json"],
      [`https://a.com/?a=${p}%CC%81`, "url"],
      [`https://a.com/?a=${p}%25cc%2581`, "url"],
      [`<a>${p}&#769;</a>`, "text"],
      [`<a>${p}&#x0301;</a>`, "text"],
    ] as const)
      assert.throws(() => replace(text, place, { key: "secretive" }), /would combine with its last character/, text);
    assert.equal(replace(`{"a":"${p}\\u000a"}`, "json", { key: "secretive" }), '{"a":"secretive\\u000a"}');
    assert.equal(replace(`https://a.com/?a=${p}%20&#x`, "url", { key: "secretive" }), "https://a.com/?a=secretive%20&#x");
  });

  it("a value that ends with the beginning of an escape is refused before its continuation", () => {
    const two = `${p}${placeholder("other")}`;
    for (const [secret, text, place] of [
      ["secret%", `${p}41`, "text"],
      ["secret%4", `${p}1`, "header"],
      ["secret\\", `{"a":"${p}n"}`, "json"],
      ["secret&", `${p}#60;`, "text"],
      ["secret%", `https://a.com/?a=${p}41`, "url"],
      ["secret%", `${p}u0041`, "text"],
      ["secret%", two, "text"],
    ] as const)
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
    const ways = [
      "",
      ".",
      "..",
      "%2e",
      "%2e%2e",
      ".%2E",
      "..\\",
      "../x",
      "..%2fx",
      "a/../b",
      "..;",
      "..;a=1",
      "%252e%252e",
      "./a",
      "%2e%2e%5c",
    ];
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
