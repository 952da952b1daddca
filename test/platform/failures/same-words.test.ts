// The same answer of a server is explained in the same words at a sign-in, in a run, at a refresh and by an MCP server.
import assert from "node:assert/strict";
import { explain } from "../../../platform/diagnosis/explain.ts";
import type { Exchange, Failure } from "../../../platform/diagnosis/failure.ts";
import { explainNetwork } from "../../../platform/diagnosis/network-words.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { requestToken } from "../../../platform/oauth/token-request.ts";
import { auth } from "../../support/broker.ts";
import { ACCOUNT, MCP } from "../../support/diagnosis-example.ts";

const URL_OF_ALL = "https://acme.example/api";
const config = auth("OAuth2", { authorizationUrl: "https://acme.example/authorize", tokenUrl: URL_OF_ALL });

const exchangeOf = (status: number, headers: Readonly<Record<string, string>>, body: string): Exchange => ({
  method: "POST",
  url: URL_OF_ALL,
  requestHeaders: { authorization: "Bearer ••••" },
  credentials: [{ carrier: "Authorization", host: "acme.example" }],
  status,
  responseHeaders: headers,
  responseBody: body,
});

/** The facts at each step that asks an API or an MCP server. */
const steps = (exchange: Exchange): Readonly<Record<string, Failure>> => ({
  "a sign-in": { phase: "resource", auth: config, exchange, account: { ...ACCOUNT, isFresh: true } },
  "a run": { phase: "resource", auth: config, exchange, account: ACCOUNT },
  "an MCP server": { phase: "resource", auth: config, exchange, account: ACCOUNT, mcp: MCP },
});

/** Returns the message of a refresh whose token endpoint gives the answer, or no answer. */
async function refreshMessage(response: Response | Error): Promise<string> {
  const endpoint = {
    auth: config,
    configRoot: "userAuthentication",
    tokenUrl: URL_OF_ALL,
    address: URL_OF_ALL,
    client: { clientId: "the-client-id", clientSecret: "the-client-secret" },
    fetch: async () => {
      if (response instanceof Error) throw response;
      return response.clone();
    },
    now: Date.now,
  };
  const error = await requestToken(endpoint, { kind: "refresh", refreshToken: "the-refresh-token" }).catch((reason: unknown) => reason);
  assert.ok(error instanceof PackAuthError);
  return `${error.message} ${error.hint ?? ""}`;
}

describe("An answer that means the same everywhere", () => {
  const json = { "content-type": "application/json" };
  for (const [what, status, headers, body] of [
    ["429 with Retry-After", 429, { "retry-after": "120" }, ""],
    ["429 with JSON", 429, json, '{"message":"slow down"}'],
    ["500", 500, {}, ""],
    ["500 with a page", 500, { "content-type": "text/html" }, "<html><h1>Oops</h1></html>"],
    ["502", 502, {}, "bad gateway"],
    ["503 with JSON", 503, json, '{"error":"maintenance"}'],
  ] as const)
    it(`${what} has the same reason and advice at every step`, async () => {
      const explanations = Object.entries(steps(exchangeOf(status, headers, body))).map(
        ([step, failure]) => [step, explain(failure)] as const,
      );
      const [[, first] = []] = explanations;
      assert.ok(first !== undefined);
      for (const [step, explanation] of explanations)
        assert.deepEqual([explanation?.id, explanation?.reason, explanation?.advice], [first.id, first.reason, first.advice], step);
      const refresh = await refreshMessage(new Response(body, { status, headers }));
      assert.ok(refresh.includes(first.reason) && refresh.includes(first.advice), refresh);
    });

  for (const code of ["ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "CERT_HAS_EXPIRED", "UND_ERR_CONNECT_TIMEOUT"])
    it(`no answer (${code}) has the same reason at every step`, async () => {
      const error = new TypeError("fetch failed", { cause: Object.assign(new Error("it failed"), { code }) });
      const { reason } = explainNetwork(error, "acme.example");
      assert.ok((await refreshMessage(error)).includes(reason));
      assert.equal(explainNetwork(error, "acme.example", { phase: "registration" }).reason, reason);
    });

  for (const [what, status, headers, body] of [
    ["400", 400, json, '{"message":"name is missing"}'],
    ["401 with a challenge", 401, { "www-authenticate": 'Bearer error="invalid_token"' }, ""],
    ["403", 403, json, '{"message":"no"}'],
    ["403 about a scope", 403, { "www-authenticate": 'Bearer error="insufficient_scope"' }, ""],
    ["another scheme", 401, { "www-authenticate": "Token" }, ""],
  ] as const)
    it(`${what} has one diagnosis in a run and at a sign-in`, () => {
      const { "a sign-in": signIn, "a run": run } = steps(exchangeOf(status, headers, body));
      assert.ok(signIn !== undefined && run !== undefined);
      assert.equal(explain(signIn)?.id, explain(run)?.id);
    });
});
