// Where each type's credential goes in a request, what it replaces, and what it leaves as the pack wrote it.
import assert from "node:assert/strict";
import { z } from "zod";
import { injectCredential, outgoing } from "../../../platform/requests/inject.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import type { FetchRequest } from "../../../protocol/pack-process.ts";
import { auth, INVOCATION, named, placeholder } from "../../support/broker.ts";
import { eachCase } from "../../support/json-cases.ts";

const inject = (authentication: AuthenticationDefinition, credential: Credential, request: Partial<FetchRequest> = {}) => {
  const whole = { method: "GET", url: "https://good.com/x?b=1%202&flag", ...request };
  return injectCredential(outgoing(whole, whole.url), credential, authentication, INVOCATION);
};
const token: Credential = { kind: "token", token: "t&k=n 1" };
const ENCODED = "t%26k%3Dn%201";
const OWN = "b=1%202&flag";

const definition = z.looseObject({ type: z.string() }).transform(({ type, ...fields }) => auth(type, fields));
const credentialCase = z.strictObject({ authentication: definition, credential: z.custom<Credential>() });
const headerCase = credentialCase.extend({ headers: z.record(z.string(), z.string()) });
const queryCase = credentialCase.extend({ search: z.string() });
/** A request, with TOKEN for the token of this execution. */
const request = z
  .custom<object>()
  .transform((each): Partial<FetchRequest> => JSON.parse(JSON.stringify(each).replaceAll("TOKEN", INVOCATION)));
const bodyCase = z.strictObject({ title: z.string(), request, body: z.string() });
const refusedCase = credentialCase.extend({ title: z.string(), code: z.string() });

describe("Credential injection", () => {
  eachCase("requests/cases/credentials-in-headers.json", headerCase, ({ authentication, credential, headers }) => {
    it(`${authentication.type} goes into the headers ${JSON.stringify(Object.keys(headers))} and is marked`, () => {
      const { request, applied, warnings } = inject(authentication, credential, { headers: { "X-Own": "1" } });
      assert.deepEqual(request.headers, { "x-own": "1", ...headers });
      assert.equal(new URL(request.url).search, `?${OWN}`);
      assert.deepEqual(
        applied.map((mark) => [mark.carrier.toLowerCase(), mark.host]),
        Object.keys(headers).map((name) => [name, "good.com"]),
      );
      assert.deepEqual(warnings, []);
    });
    it(`headers ${JSON.stringify(Object.keys(headers))} set by the pack beside ${authentication.type} are replaced with a warning`, () => {
      const mine = Object.fromEntries(Object.keys(headers).map((name) => [name.toUpperCase(), "mine"]));
      const { request, warnings } = inject(authentication, credential, { headers: mine });
      assert.deepEqual(request.headers, headers);
      assert.equal(warnings.length, Object.keys(headers).length);
      assert.match(warnings[0] ?? "", /set the header .* itself; it was replaced/);
    });
  });

  eachCase("requests/cases/credentials-in-queries.json", queryCase, ({ authentication, credential, search }) => {
    it(`${authentication.type} goes into the query, whose other parameters stay`, () => {
      const { request, applied, warnings } = inject(authentication, credential);
      assert.equal(new URL(request.url).search, search);
      assert.deepEqual(request.headers, {});
      assert.ok(applied.length > 0 && applied.every((mark) => mark.carrier.startsWith("?")));
      assert.deepEqual(warnings, []);
    });
  });

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

  eachCase("requests/cases/placeholders-in-bodies.json", bodyCase, ({ title, request, body }) => {
    it(`Custom placeholders are replaced in ${title}`, () => {
      const injected = inject(custom, secrets, { method: "POST", ...request });
      assert.equal(injected.request.body, body);
      assert.deepEqual(injected.applied, [{ carrier: "body {{A}}", host: "good.com" }]);
    });
  });

  it("auth-spec 5.4.2: Custom placeholders are replaced in headers, and nothing is added", () => {
    const { request, applied } = inject(custom, secrets, { headers: { "X-Sig": `v1 ${placeholder("B")}`, Other: "1" } });
    assert.deepEqual(request.headers, { "x-sig": "v1 b-value", other: "1" });
    assert.deepEqual(applied, [{ carrier: "x-sig {{B}}", host: "good.com" }]);
  });
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

  eachCase("requests/cases/credentials-refused.json", refusedCase, ({ title, authentication, credential, code }) => {
    it(`${title} is refused without its value in the message`, () => {
      assert.throws(
        () => inject(authentication, credential),
        (error: { code?: string; message: string }) => {
          assert.equal(error.code, code);
          assert.doesNotMatch(error.message, /secret|токен|t&k/);
          return true;
        },
      );
    });
  });
});
