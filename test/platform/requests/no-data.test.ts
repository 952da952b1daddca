// An answer of 200 that is no data: the page to sign in of a company, JSON that ends in its middle.
import assert from "node:assert/strict";
import { z } from "zod";
import { isSignInPage } from "../../../platform/diagnosis/api-words.ts";
import { explainMissingData } from "../../../platform/diagnosis/missing-data.ts";
import { wholeMessage } from "../../../platform/errors.ts";
import { testOf } from "../../../platform/recordings/record-test.ts";
import type { RequestTrace } from "../../../protocol/run.ts";
import { body, eachCase, pattern } from "../../support/json-cases.ts";
import { recordRun, run } from "../../support/run.ts";
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

  const answer = z.strictObject({
    title: z.string(),
    type: z.string().default(JSON_TYPE),
    body,
    trace: z.looseObject({}).optional(),
    says: pattern.optional(),
    source: z.string().optional(),
  });
  eachCase("requests/cases/answers-with-success.json", answer, ({ title, type, body: text, trace, says }) =>
    it(`${title} is ${says === undefined ? "not " : ""}explained`, () => {
      const explanation = explainMissingData(traceWith(text, type, trace));
      if (says === undefined) assert.equal(explanation, undefined);
      else assert.match(explanation ?? "", says);
    }),
  );

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

  it("a run that returned nothing from an error answer gets a warning, and so does its saved test", async () => {
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
    wire.respond = (_request, response) => response.setHeader("content-type", "application/json").end(error);
    const options = { fetch: wire.fetch, lookup: wire.lookup, account };
    const test = await testOf(await recordRun(loadedPack, { kind: "formula", name: "Names" }, [], options), "pack.ts");
    assert.match(test.notes.join(), /The API sent an error with status 200: “Not authenticated”/);
    assert.equal(test.outcome.status, "succeeded");
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
    const warnings = async (page: string, location = "/home") => {
      wire.respond = ({ path }, response) =>
        path === location ? response.setHeader("content-type", "text/html").end(page) : response.writeHead(302, { location }).end();
      const report = await run(loadedPack, { kind: "formula", name: "Text" }, [], { fetch: wire.fetch, lookup: wire.lookup, account });
      assert.equal(report.outcome.status, "succeeded");
      return (report.warnings ?? []).map(({ message }) => message).join();
    };
    assert.match(
      await warnings(`${PAGE}<input name="wpPassword" size="20" type="password"/>`),
      /^A redirect led to a web page, not to data\./,
    );
    assert.equal(await warnings(PAGE), "");
    assert.match(await warnings(PAGE, "/login"), /^A redirect led to a web page/);
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
    assert.match((await hintOf("SELF_SIGNED_CERT_IN_CHAIN")) ?? "", /^It may be/);
    assert.equal(
      await hintOf("ECONNREFUSED", "Hidden"),
      "The last request failed: api.shop.example refuses connections. Check the URL, and whether the server is running.",
    );
  });
});
