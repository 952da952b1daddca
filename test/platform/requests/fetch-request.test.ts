// The boundary to pack code: whatever comes over it, what goes on is a well-formed request, or one clear refusal.
import assert from "node:assert/strict";
import fc from "fast-check";
import { PackAuthError } from "../../../platform/errors.ts";
import { isHeaderName, isHeaderValue, readFetchRequest } from "../../../platform/requests/fetch-request.ts";
import { RUNS } from "../../support/runs.ts";

const get = { method: "GET", url: "https://good.com" };

const REFUSED_REQUESTS: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /must be an object/],
  [null, /must be an object/],
  ["https://good.com", /must be an object/],
  [[get], /must be an object/],
  [{ url: "https://good.com" }, /method of type undefined/],
  ...["TRACE", "CONNECT", "get", "GET ", "GET\r\nX: 1", "", "PROPFIND", "__proto__"].map(
    (method) => [{ ...get, method }, /the method .* is not allowed/] as const,
  ),
  [{ method: "GET" }, /URL must be a string/],
  [{ ...get, url: 5 }, /URL must be a string/],
  [{ ...get, headers: [] }, /headers must be an object/],
  [{ ...get, headers: { a: 1 } }, /a in the request's headers must be a string/],
  [{ ...get, headers: { a: ["b"] } }, /a in the request's headers must be a string/],
  ...["", "a b", "a:b", "X\r\nY", "ü", "a\u0000", "(a)"].map(
    (name) => [{ ...get, headers: { [name]: "1" } }, /is not a valid header name/] as const,
  ),
  ...["a\r\nb", "a\nb", "\r"].map((value) => [{ ...get, headers: { X: value } }, /header X contains a line break/] as const),
  ...["a\u0000", "ключ", "\u007f", "🔑"].map(
    (value) => [{ ...get, headers: { X: value } }, /a character that headers cannot carry/] as const,
  ),
  ...[
    "Host",
    "HOST",
    "content-length",
    "Transfer-Encoding",
    "Connection",
    "Upgrade",
    "TE",
    "Proxy-Authorization",
    "proxy-connection",
    "Expect",
  ].map((name) => [{ ...get, headers: { [name]: "1" } }, /is set by the platform: remove it/] as const),
  [{ ...get, method: "POST", body: "text" }, /must be a string or bytes/],
  [{ ...get, method: "POST", body: {} }, /must be a string or bytes/],
  [{ ...get, method: "POST", form: { a: 1 } }, /a in the request's form must be a string/],
  [{ ...get, body: { text: "x" } }, /a GET request cannot have a body/],
  [{ ...get, method: "HEAD", form: { a: "1" } }, /a HEAD request cannot have a body/],
];

describe("Fetch requests", () => {
  for (const [raw, message] of REFUSED_REQUESTS) {
    it(`a request is refused: ${JSON.stringify(raw)}`, () => {
      assert.throws(
        () => readFetchRequest(raw),
        (error: unknown) => error instanceof PackAuthError && error.code === "request-refused" && message.test(error.message),
      );
    });
  }
  for (const [what, more, message] of [
    ["an oversized URL", { url: `https://good.com/?${"a".repeat(128 * 1024)}` }, /the URL has 131,090 characters/],
    [
      "a set of too many headers",
      { headers: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`h${i}`, ""])) },
      /the request has 1,001 headers/,
    ],
    ["an oversized header", { headers: { a: "x".repeat(128 * 1024) } }, /the headers have 131,073 characters/],
    [
      "a form of too many fields",
      { method: "POST", form: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, ""])) },
      /the form has 10,001 fields/,
    ],
  ] as const) {
    it(`${what} is refused with a hint`, () => {
      assert.throws(
        () => readFetchRequest({ ...get, ...more }),
        (error: unknown) => error instanceof PackAuthError && message.test(error.message) && error.hint !== undefined,
      );
    });
  }
  it("valid members are read and unknown ones dropped", () => {
    const raw = JSON.parse(
      '{"method":"POST","url":"x","headers":{"A":"1","__proto__":"2"},"body":{"text":"b","more":1},"isBinaryResponse":1,"ignoreRedirects":true,"cacheTtlSecs":"5","encoding":7,"extra":{}}',
    ) as unknown;
    const read = readFetchRequest(raw);
    assert.deepEqual(Object.entries(read.headers ?? {}), [
      ["A", "1"],
      ["__proto__", "2"],
    ]);
    assert.deepEqual(
      { ...read, headers: {} },
      {
        method: "POST",
        url: "x",
        headers: {},
        body: { text: "b" },
        isBinaryResponse: false,
        ignoreRedirects: true,
        disableAuthentication: false,
      },
    );
    assert.equal(({} as { A?: string }).A, undefined);
  });
  it("an empty body of a GET counts as absent", () => {
    assert.equal(readFetchRequest({ ...get, body: { text: "" } }).body, undefined);
  });

  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;
  const near = fc.record(
    {
      method: fc.oneof(fc.constantFrom("GET", "POST", "TRACE"), json),
      url: fc.oneof(fc.webUrl(), json),
      headers: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.string(), json)), json),
      body: fc.oneof(fc.record({ text: fc.string() }), fc.record({ base64: fc.base64String() }), json),
      form: fc.oneof(fc.dictionary(fc.string(), fc.string()), json),
      encoding: json,
      disableAuthentication: json,
    },
    { requiredKeys: [] },
  );
  it("any input is a well-formed request or a refusal", () => {
    fc.assert(
      fc.property(fc.oneof(near, json), (raw) => {
        let read: ReturnType<typeof readFetchRequest>;
        try {
          read = readFetchRequest(raw);
        } catch (error) {
          assert.ok(error instanceof PackAuthError && error.message.startsWith("Not sent: "));
          return;
        }
        assert.match(read.method, /^[A-Z]+$/);
        assert.equal(typeof read.url, "string");
        assert.equal(typeof read.disableAuthentication, "boolean");
        for (const [name, value] of Object.entries(read.headers ?? {})) {
          assert.ok(isHeaderName(name) && isHeaderValue(value));
          // What passes here, the sender takes too.
          assert.equal(new Headers({ [name]: value }).has(name), true);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
