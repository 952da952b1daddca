// An answer of 200 that is no data: the page to sign in of a company, JSON that ends in its middle.
import assert from "node:assert/strict";
import { isSignInPage } from "../../../platform/diagnosis/api-words.ts";
import { explainMissingData } from "../../../platform/diagnosis/missing-data.ts";
import { wholeMessage } from "../../../platform/errors.ts";
import type { RequestTrace } from "../../../protocol/run.ts";
import { run } from "../../support/run.ts";
import { shopOfSuite, WHO_AM_I } from "../../support/shop.ts";

const PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>";
const JSON_TYPE = "application/json; charset=utf-8";
const traceWith = (responseBody: string, type: string, more: Partial<RequestTrace> = {}): RequestTrace => ({
  id: 1,
  method: "GET",
  url: "https://api.shop.example/orders",
  startedAt: 0,
  requestHeaders: {},
  credentials: [{ carrier: "Authorization", host: "api.shop.example" }],
  warnings: [],
  status: 200,
  responseHeaders: { "content-type": type },
  responseBody,
  ...more,
});

describe("An answer that is no data", function () {
  this.timeout(60_000);
  const { wire, open, connected } = shopOfSuite();

  const explainedCases: Record<string, [RequestTrace, RegExp]> = {
    "a web page": [traceWith(PAGE, "text/html"), /^The answer is a web page, not data\. Check the URL\. .* sign in again\./],
    "a web page behind a redirect": [
      traceWith(PAGE, "text/html", { redirectedFrom: 1, credentials: [] }),
      /^A redirect led to a web page, not to data\./,
    ],
    "half of an object": [traceWith('{"issue":{"id":3,"sub', JSON_TYPE), /^The answer ends in the middle of its JSON/],
    "half of a list": [traceWith('[{"id":3},', "application/vnd.shop+json"), /^The answer ends in the middle of its JSON/],
    "an error of MediaWiki": [
      traceWith('{"error":{"code":"readapidenied","info":"You need read permission to use this module.","*":"See api.php."}}', JSON_TYPE),
      /^The API sent an error with status 200: “You need read permission to use this module\.” .* sign in again\.$/,
    ],
    "an error of JSON-RPC": [
      traceWith('{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params.","data":"Session terminated."},"id":1}', JSON_TYPE),
      /: “Invalid params\. Session terminated\.”/,
    ],
    "an error of JSON-RPC 1.0, whose result is null": [
      traceWith('{"result":null,"error":{"message":"Not authenticated","code":1},"id":1}', JSON_TYPE),
      /: “Not authenticated”/,
    ],
    "an error of GraphQL, with nothing or with nulls": [
      traceWith(
        '{"errors":[{"message":"You are not authenticated","locations":[{"line":1,"column":2}],"path":["maybe"]}],"data":{"maybe":null}}',
        "application/graphql-response+json; charset=utf-8",
      ),
      /: “You are not authenticated”/,
    ],
    "an error with a bidirectional control character": [
      traceWith('{"error":{"message":"Sign in at \\u202emoc.dab"}}', JSON_TYPE),
      /: “Sign in at \\u202emoc\.dab”\. Read the API/,
    ],
    "an error about a token": [traceWith('{"error":{"message":"Your token has expired"}}', JSON_TYPE), /: “Your token has expired”/],
    "an error of one word": [traceWith('{"ok":false,"error":"invalid_auth"}', JSON_TYPE), /: “invalid_auth”/],
  };
  for (const [what, [trace, text]] of Object.entries(explainedCases))
    it(`${what} is explained`, () => assert.match(explainMissingData(trace) ?? "", text));

  const silent: Record<string, RequestTrace> = {
    "JSON with a masked value": traceWith('{"id":••••}\n', JSON_TYPE),
    "an empty answer": traceWith("", JSON_TYPE),
    "a truncated body": traceWith('["aaaa', JSON_TYPE, { size: 100_000 }),
    "a page with the status of an error": traceWith(PAGE, "text/html", { status: 502 }),
    "a page requested without a credential": traceWith(PAGE, "text/html", { credentials: [] }),
    "a row whose job has failed": traceWith('{"id":7,"state":"failed","error":"exit 1"}', JSON_TYPE),
    "data beside an error": traceWith('{"errors":[{"message":"No such field"}],"data":{"user":{"name":"Ann"}}}', JSON_TYPE),
    "a person beside an error": traceWith(
      '{"login":"ann","email":"ann@shop.example","error":{"message":"The mailbox is full."}}',
      JSON_TYPE,
    ),
    "a result beside an error": traceWith('{"error":{"message":"Old API"},"result":{"id":3}}', JSON_TYPE),
    "a text that is an error in JSON": traceWith('{"error":{"message":"Old API"}}', "text/plain"),
    "a page that never arrived": traceWith(PAGE, "text/html", { status: 0 }),
    "a null error": traceWith('{"ok":true,"error":null,"errors":[]}', JSON_TYPE),
    "text that only begins like JSON": traceWith("{draft", "text/plain"),
  };
  for (const [what, trace] of Object.entries(silent))
    it(`${what} is not explained`, () => assert.equal(explainMissingData(trace), undefined));

  it("a page with a password field is a sign-in page in any spelling", () => {
    assert.equal(isSignInPage(traceWith(`${PAGE}<INPUT TYPE=PASSWORD>`, "text/html")), true);
    assert.equal(isSignInPage(traceWith(PAGE, "text/html")), false);
    assert.equal(isSignInPage(traceWith("Write type=password.", "text/plain")), false);
  });

  it("the explanation follows the pack's error in a run and in getConnectionName", async () => {
    const setter = `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, ${WHO_AM_I.replace("body.name", "body.user.name")} })`;
    const loadedPack = await open(
      setter,
      `pack.addFormula({ name: "First", description: "First.", parameters: [], resultType: coda.ValueType.String,
        execute: async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/orders" })).body.orders[0] });`,
    );
    wire.respond = ({ path }, response) =>
      path === "/login" ? response.setHeader("content-type", "text/html").end(PAGE) : response.writeHead(302, { location: "/login" }).end();
    const { signInNotes } = await connected(loadedPack);
    assert.match((signInNotes[0]?.error as { hint?: string } | undefined)?.hint ?? "", /^A redirect led to a web page/);
    const account = { scope: "user", credential: { kind: "token", token: "the-pasted-token" } } as const;
    const { outcome } = await run(loadedPack, { kind: "formula", name: "First" }, [], { fetch: wire.fetch, lookup: wire.lookup, account });
    assert.ok(outcome.status === "failed");
    assert.match(outcome.error.message, /undefined/);
    assert.match(outcome.error.hint ?? "", /^A redirect led to a web page, not to data\./);
  });

  it("the hint is a sentence of its own after the pack's message", () => {
    const hint = "Sign in again.";
    const texts = ["it is not iterable", '401 - ""', "It failed.", "It said “no.”", "Why?", ""];
    assert.deepEqual(
      texts.map((message) => wholeMessage({ message, hint })),
      [
        "it is not iterable. Sign in again.",
        '401 - "". Sign in again.',
        "It failed. Sign in again.",
        "It said “no.” Sign in again.",
        "Why? Sign in again.",
        "Sign in again.",
      ],
    );
    assert.equal(wholeMessage({ message: "it is not iterable" }), "it is not iterable");
  });

  it("a run that returned nothing from an error answer gets a warning", async () => {
    const rpc = `(await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/rpc" })).body.result`;
    const loadedPack = await open(
      "setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })",
      `pack.addFormula({ name: "Total", description: "Total.", parameters: [], resultType: coda.ValueType.Number,
        execute: async (_: any, context: any) => ${rpc} });
      pack.addFormula({ name: "Names", description: "Names.", parameters: [], resultType: coda.ValueType.Array,
        items: { type: coda.ValueType.String }, execute: async (_: any, context: any) => ${rpc} ?? [] });`,
    );
    const account = { scope: "user", credential: { kind: "token", token: "the-pasted-token" } } as const;
    const warnings = async (name: string, body: string) => {
      wire.respond = (_request, response) => response.setHeader("content-type", "application/json").end(body);
      const report = await run(loadedPack, { kind: "formula", name }, [], { fetch: wire.fetch, lookup: wire.lookup, account });
      assert.equal(report.outcome.status, "succeeded");
      return (report.warnings ?? []).map(({ message }) => message).join();
    };
    const error = '{"error":{"message":"Not authenticated"},"id":1}';
    assert.match(await warnings("Total", error), /^The formula returned no value.*Read the API's error/);
    assert.match(await warnings("Names", error), /^The API sent an error with status 200/);
    assert.equal(await warnings("Total", '{"result":3,"error":null,"id":1}'), "");
    assert.equal(await warnings("Names", '{"result":[],"error":null,"id":1}'), "");
  });

  it("a run that returned a sign-in page gets a warning, another page none", async () => {
    const loadedPack = await open(
      "setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })",
      `pack.addFormula({ name: "Text", description: "Text.", parameters: [], resultType: coda.ValueType.String,
        execute: async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/text" })).body });`,
    );
    const account = { scope: "user", credential: { kind: "token", token: "the-pasted-token" } } as const;
    const warnings = async (page: string) => {
      wire.respond = ({ path }, response) =>
        path === "/login"
          ? response.setHeader("content-type", "text/html").end(page)
          : response.writeHead(302, { location: "/login" }).end();
      const report = await run(loadedPack, { kind: "formula", name: "Text" }, [], { fetch: wire.fetch, lookup: wire.lookup, account });
      assert.equal(report.outcome.status, "succeeded");
      return (report.warnings ?? []).map(({ message }) => message).join();
    };
    assert.match(
      await warnings(`${PAGE}<input name="wpPassword" size="20" type="password"/>`),
      /^A redirect led to a web page, not to data\./,
    );
    assert.equal(await warnings(PAGE), "");
  });

  it("an unreachable API is reported with the cause even if the pack hides it", async () => {
    const loadedPack = await open(
      "setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })",
      `for (const [name, hides] of [["Text", false], ["Hidden", true]] as const)
        pack.addFormula({ name, description: "Text.", parameters: [], resultType: coda.ValueType.String,
          execute: async (_: any, context: any) => {
            try {
              return (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/text" })).body;
            } catch (error) {
              throw hides ? new coda.UserVisibleError("No text today.") : error;
            }
          } });`,
    );
    const account = { scope: "user", credential: { kind: "token", token: "the-pasted-token" } } as const;
    const hintOf = async (code: string, name = "Text"): Promise<string | undefined> => {
      const failingFetch = async () => Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) }));
      const { outcome } = await run(loadedPack, { kind: "formula", name }, [], { fetch: failingFetch, lookup: wire.lookup, account });
      return outcome.status === "failed" ? outcome.error.hint : "it worked";
    };
    assert.equal(await hintOf("ECONNREFUSED"), "Check the URL, and whether the server is running.");
    assert.equal(await hintOf("ECONNRESET"), "Check the URL and the network.");
    assert.match((await hintOf("SELF_SIGNED_CERT_IN_CHAIN")) ?? "", /^Both name PEM files/);
    assert.equal(
      await hintOf("ECONNREFUSED", "Hidden"),
      "The last request failed: api.shop.example refuses connections. Check the URL, and whether the server is running.",
    );
  });
});
