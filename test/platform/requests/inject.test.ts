// Where each type's credential goes in a request, what it replaces, and what it leaves as the pack wrote it.
import assert from "node:assert/strict";
import { injectCredential, outgoing } from "../../../platform/requests/inject.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import type { FetchRequest } from "../../../protocol/pack-process.ts";
import { auth, INVOCATION, named, placeholder } from "../../support/broker.ts";

const inject = (authentication: AuthenticationDefinition, credential: Credential, request: Partial<FetchRequest> = {}) => {
  const whole = { method: "GET", url: "https://good.com/x?b=1%202&flag", ...request };
  return injectCredential(outgoing(whole, whole.url), credential, authentication, INVOCATION);
};
const token: Credential = { kind: "token", token: "t&k=n 1" };
const values: Credential = { kind: "values", values: { A: "value-a", B: "value-b", __proto__x: "value-p" } };
const basic: Credential = { kind: "basic", username: "ü", password: "pw:1" };
const oauth: Credential = { kind: "oauth2", accessToken: "access-1" };
const ENCODED = "t%26k%3Dn%201";
const OWN = "b=1%202&flag";

const HEADERS: readonly (readonly [AuthenticationDefinition, Credential, Record<string, string>])[] = [
  [auth("HeaderBearerToken"), token, { authorization: "Bearer t&k=n 1" }],
  [auth("CodaApiHeaderBearerToken"), token, { authorization: "Bearer t&k=n 1" }],
  [auth("CustomHeaderToken", { headerName: "X-Key" }), token, { "x-key": "t&k=n 1" }],
  [auth("CustomHeaderToken", { headerName: "X-Key", tokenPrefix: "key" }), token, { "x-key": "key t&k=n 1" }],
  [auth("CustomHeaderToken", { headerName: "X-Key", tokenPrefix: "" }), token, { "x-key": "t&k=n 1" }],
  [auth("MultiHeaderToken", { headers: [named("A"), named("B", "p")] }), values, { a: "value-a", b: "p value-b" }],
  [auth("WebBasic"), basic, { authorization: `Basic ${Buffer.from("ü:pw:1").toString("base64")}` }],
  [
    auth("WebBasic", { uxConfig: { usernameOnly: true } }),
    { kind: "basic", username: "key", password: "" },
    { authorization: `Basic ${btoa("key:")}` },
  ],
  [auth("OAuth2"), oauth, { authorization: "Bearer access-1" }],
  [auth("OAuth2", { tokenPrefix: "token" }), oauth, { authorization: "token access-1" }],
  [auth("OAuth2", { tokenPrefix: "" }), oauth, { authorization: "access-1" }],
  [auth("OAuth2ClientCredentials"), oauth, { authorization: "Bearer access-1" }],
];
const QUERIES: readonly (readonly [AuthenticationDefinition, Credential, string])[] = [
  [auth("QueryParamToken", { paramName: "api key" }), token, `?api%20key=${ENCODED}&${OWN}`],
  [auth("MultiQueryParamToken", { params: [named("A"), named("B")] }), values, `?${OWN}&A=value-a&B=value-b`],
  [auth("OAuth2", { tokenQueryParam: "t", tokenPrefix: "ignored" }), oauth, `?t=access-1&${OWN}`],
  [auth("OAuth2ClientCredentials", { tokenQueryParam: "t" }), oauth, `?t=access-1&${OWN}`],
];

describe("Credential injection", () => {
  for (const [definition, credential, headers] of HEADERS) {
    it(`${definition.type} goes into the headers ${JSON.stringify(Object.keys(headers))} and is marked`, () => {
      const { request, applied, warnings } = inject(definition, credential, { headers: { "X-Own": "1" } });
      assert.deepEqual(request.headers, { "x-own": "1", ...headers });
      assert.equal(new URL(request.url).search, `?${OWN}`);
      assert.deepEqual(
        applied.map((mark) => [mark.carrier.toLowerCase(), mark.host]),
        Object.keys(headers).map((name) => [name, "good.com"]),
      );
      assert.deepEqual(warnings, []);
    });
    it(`headers ${JSON.stringify(Object.keys(headers))} set by the pack beside ${definition.type} are replaced with a warning`, () => {
      const mine = Object.fromEntries(Object.keys(headers).map((name) => [name.toUpperCase(), "mine"]));
      const { request, warnings } = inject(definition, credential, { headers: mine });
      assert.deepEqual(request.headers, headers);
      assert.equal(warnings.length, Object.keys(headers).length);
      assert.match(warnings[0] ?? "", /set the header .* itself; it was replaced/);
    });
  }
  for (const [definition, credential, search] of QUERIES) {
    it(`${definition.type} goes into the query, whose other parameters stay`, () => {
      const { request, applied, warnings } = inject(definition, credential);
      assert.equal(new URL(request.url).search, search);
      assert.deepEqual(request.headers, {});
      assert.ok(applied.length > 0 && applied.every((mark) => mark.carrier.startsWith("?")));
      assert.deepEqual(warnings, []);
    });
  }
  it("every spelling of the credential's query parameter is replaced", () => {
    const { request, warnings } = inject(auth("QueryParamToken", { paramName: "api key" }), token, {
      url: "https://good.com/x?a=%20&api+key=1&api%20key&b=2#hash",
    });
    assert.equal(request.url, `https://good.com/x?api%20key=${ENCODED}&a=%20&b=2#hash`);
    assert.match(warnings[0] ?? "", /query parameter api key itself; it was replaced/);
  });
  it("a URL without a query gets one for the credential", () => {
    assert.equal(
      inject(auth("QueryParamToken", { paramName: "k" }), token, { url: "https://good.com/" }).request.url,
      `https://good.com/?k=${ENCODED}`,
    );
  });
  it("placeholders in a body get WebBasic's user name and password", () => {
    const { request, applied } = inject(
      auth("WebBasic"),
      { kind: "basic", username: "me", password: 'p"w' },
      {
        method: "POST",
        body: { text: JSON.stringify({ user: placeholder("username"), password: placeholder("password") }) },
      },
    );
    assert.deepEqual(JSON.parse(request.body as string), { user: "me", password: 'p"w' });
    assert.deepEqual(
      applied.map((mark) => mark.carrier),
      ["Authorization", "body {{username}}", "body {{password}}"],
    );
  });

  const custom = auth("Custom", { params: [named("A"), named("B")] });
  const secrets: Credential = { kind: "values", values: { A: 'a"1&2', B: "b-value" } };
  const bodies: readonly (readonly [what: string, Partial<FetchRequest>, body: string])[] = [
    [
      "JSON by its type",
      { headers: { "Content-Type": "application/vnd.api+json; charset=utf-8" }, body: { text: `{"k":"${placeholder("A")}"}` } },
      '{"k":"a\\"1&2"}',
    ],
    ["JSON without a type", { body: { text: `["${placeholder("A")}"]` } }, '["a\\"1&2"]'],
    ["a form", { form: { k: placeholder("A"), l: "ü &" } }, "k=a%221%262&l=%C3%BC+%26"],
    [
      "a form's text",
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: { text: `k=${placeholder("A")}` } },
      "k=a%221%262",
    ],
    ["other text", { headers: { "content-type": "text/csv" }, body: { text: placeholder("A") } }, 'a"1&2'],
  ];
  for (const [what, request, body] of bodies) {
    it(`Custom placeholders are replaced in ${what}`, () => {
      const injected = inject(custom, secrets, { method: "POST", ...request });
      assert.equal(injected.request.body, body);
      assert.deepEqual(injected.applied, [{ carrier: "body {{A}}", host: "good.com" }]);
    });
  }
  it("auth-spec 5.4.2: Custom placeholders are replaced in headers, and nothing is added", () => {
    const { request, applied } = inject(custom, secrets, { headers: { "X-Sig": `v1 ${placeholder("B")}`, Other: "1" } });
    assert.deepEqual(request.headers, { "x-sig": "v1 b-value", other: "1" });
    assert.deepEqual(applied, [{ carrier: "x-sig {{B}}", host: "good.com" }]);
  });

  const refusedCases: readonly (readonly [what: string, AuthenticationDefinition, Credential, code: string])[] = [
    [
      "a type that cannot be tried here",
      auth("GoogleServiceAccount", { scopes: ["a"] }),
      { kind: "aws", accessKeyId: "a", secretAccessKey: "b" },
      "type-unavailable",
    ],
    ["keys for no service", auth("AWSAccessKey"), { kind: "aws", accessKeyId: "a", secretAccessKey: "b" }, "configuration-invalid"],
    ["a token account whose pack is now AWS", auth("AWSAccessKey", { service: "s3" }), token, "sign-in-again"],
    ["an unknown type", auth("Nonsense"), token, "type-unavailable"],
    ["a token account whose pack is now OAuth2", auth("OAuth2"), token, "sign-in-again"],
    ["an OAuth2 account whose pack is now Basic", auth("WebBasic"), oauth, "sign-in-again"],
    ["a Basic account whose pack is now Custom", custom, basic, "sign-in-again"],
    ["an OAuth2 account whose pack is now a header token", auth("CustomHeaderToken", { headerName: "X" }), oauth, "sign-in-again"],
    [
      "a header that the account has no value for",
      auth("MultiHeaderToken", { headers: [named("A"), named("New")] }),
      values,
      "sign-in-again",
    ],
    ["a parameter named as Object's own", auth("MultiQueryParamToken", { params: [named("constructor")] }), values, "sign-in-again"],
    ["an empty header name", auth("CustomHeaderToken", { headerName: " " }), token, "configuration-invalid"],
    ["a header name with a colon", auth("CustomHeaderToken", { headerName: "X-Key:" }), token, "request-refused"],
    ["no parameter name", auth("QueryParamToken"), token, "configuration-invalid"],
    ["a token with a line break", auth("HeaderBearerToken"), { kind: "token", token: "secret\r\nX: 1" }, "request-refused"],
    ["a token that Latin-1 lacks", auth("OAuth2"), { kind: "oauth2", accessToken: "токен" }, "request-refused"],
  ];
  it("a token that cannot be sent gets a hint by its origin: typed or issued", () => {
    const hintOf = (definition: AuthenticationDefinition, credential: Credential): string => {
      try {
        inject(definition, credential);
      } catch (error) {
        return (error as { hint: string }).hint;
      }
      return assert.fail("it was not refused");
    };
    assert.match(hintOf(auth("HeaderBearerToken"), { kind: "token", token: "a\nb" }), /enter it without line breaks/);
    assert.match(hintOf(auth("OAuth2"), { kind: "oauth2", accessToken: "a\nb" }), /the provider issues tokens that cannot be sent/);
  });

  for (const [what, definition, credential, code] of refusedCases) {
    it(`${what} is refused without its value in the message`, () => {
      assert.throws(
        () => inject(definition, credential),
        (error: { code?: string; message: string }) => {
          assert.equal(error.code, code);
          assert.doesNotMatch(error.message, /secret|токен|t&k/);
          return true;
        },
      );
    });
  }
});
