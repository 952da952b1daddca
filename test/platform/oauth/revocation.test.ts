// Revocation (RFC 7009): what is removed here is made void at the provider, and nothing that a provider does keeps it from being removed.
import assert from "node:assert/strict";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import { revokeTokens } from "../../../platform/oauth/revocation.ts";
import type { ClientMethod, OAuth2Credential } from "../../../platform/secrets/credential.ts";
import { oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { makeHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

describe("Revocation (RFC 7009)", () => {
  let raw: TokenServer;
  before(async () => {
    raw = await openTokenServer();
  });
  after(() => raw.close());
  beforeEach(() => raw.reset());

  const removed = async (
    respond: (form: URLSearchParams) => TokenServerResponse,
    server?: { issuer: string; revocationUrl: string },
    limit: { timeout?: number } = {},
  ) => {
    const host = makeHost();
    const accounts = openAccounts(host);
    const forms: URLSearchParams[] = [];
    raw.reply = (form) => {
      forms.push(form);
      return respond(form);
    };
    const tokens = { access: "the-access-token", refresh: "the-refresh-token" };
    const { account } = await storeAccount(accounts, oauthDefinition(`${raw.base}/token`), tokens, server === undefined ? {} : { server });
    const removal = await removeAccount(account.id, { ...host, accounts, ...limit });
    assert.equal(await accounts.get(account.id), undefined, "it is removed in any case");
    assert.equal(await accounts.credential(account.id), undefined);
    return { removal, forms };
  };
  const here = () => ({ issuer: raw.base, revocationUrl: `${raw.base}/revoke` });

  it("RFC 7009, 2.1: the refresh token, then the access token are sent with hint and client secret", async () => {
    const { removal, forms } = await removed(() => ({ body: "" }), here());
    assert.deepEqual(removal, { revoked: true });
    assert.deepEqual(
      forms.map((form) => [form.get("token"), form.get("token_type_hint"), form.get("client_id"), form.get("client_secret")]),
      [
        ["the-refresh-token", "refresh_token", "client", "client-secret"],
        ["the-access-token", "access_token", "client", "client-secret"],
      ],
    );
  });

  it("RFC 7009, 2.2.1: a provider may revoke one kind only; a refusal is reported and masked", async () => {
    const oneKind = (form: URLSearchParams) =>
      form.get("token_type_hint") === "access_token"
        ? { status: 400, body: '{"error":"unsupported_token_type"}' }
        : { status: 204, body: "" };
    assert.deepEqual((await removed(oneKind, here())).removal, { revoked: true });
    const { removal } = await removed(
      () => ({ status: 401, body: '{"error":"invalid_client","error_description":"not client-secret"}' }),
      here(),
    );
    assert.ok(removal.revoked === false);
    assert.match(removal.problem ?? "", /invalid_client — “not ••••”/);
    for (let before = 60; before <= 300; before += 8) {
      const echo = `${"p ".repeat(before / 2)}the-refresh-token`;
      for (const body of [{ error: "odd", error_description: echo }, { error: echo }]) {
        const { problem = "" } = (await removed(() => ({ status: 400, body: JSON.stringify(body) }), here())).removal as {
          problem?: string;
        };
        assert.ok(!/the-refr|refresh-|sh-token/.test(problem) && problem.length < 500, problem);
      }
    }
    const busy = await removed(() => ({ status: 503, body: "" }), here());
    assert.equal(busy.removal.revoked, false);
  });

  it("RFC 6749, 2.3.1: a secret refused in the form is sent by HTTP Basic", async () => {
    const { removal } = await removed(
      () =>
        raw.received.at(-1)?.headers.authorization === undefined
          ? { status: 401, body: '{"error":"invalid_client"}', headers: { "www-authenticate": 'Basic error="invalid_client"' } }
          : { body: "{}" },
      here(),
    );
    assert.deepEqual(removal, { revoked: true });
    const basic = `Basic ${Buffer.from("client:client-secret").toString("base64")}`;
    assert.deepEqual(
      raw.received.map(({ headers }) => headers.authorization),
      [undefined, basic, undefined, basic],
    );
  });

  it("RFC 6749, 5.2: a refusal is quoted, also with a challenge or from a status alone", async () => {
    const headers = { "www-authenticate": 'Basic realm="oauth"' };
    const problemOf = async (response: TokenServerResponse): Promise<string | undefined> => {
      const { removal } = await removed(() => response, here());
      return removal.revoked === false ? removal.problem : undefined;
    };
    const { host } = new URL(raw.base);
    const refusal = { status: 401, body: '{"error":"invalid_client","error_description":"Who is that?"}', headers };
    assert.equal(await problemOf(refusal), `${host}: invalid_client — “Who is that?”`);
    assert.equal(await problemOf({ status: 503, body: "<html>busy</html>" }), `${host}: status 503`);
  });

  it("each client method is tried once per token, the last sign-in's first", async () => {
    const both: OAuth2Credential = { kind: "oauth2", accessToken: "the-access-token", refreshToken: "the-refresh-token" };
    const alone: OAuth2Credential = { kind: "oauth2", accessToken: "the-access-token" };
    const client = { clientId: "client", clientSecret: "client-secret" };
    const odd = { clientId: "client", clientSecret: "client secret" };
    const refuse = (status: number, error: string): TokenServerResponse => ({ status, body: JSON.stringify({ error }) });
    const wrong = refuse(401, "invalid_client");
    const otherKind = refuse(400, "unsupported_token_type");
    const invalidToken = refuse(400, "invalid_token");
    const fine: TokenServerResponse = { body: "" };
    const { host } = new URL(raw.base);
    for (const [what, credential, sender, method, responses, expectedRequests, failure] of [
      ["no refresh token", alone, client, undefined, [fine], ["access form"], undefined],
      ["a public client", alone, { clientId: "client" }, undefined, [fine], ["access none"], undefined],
      ["by Basic", alone, client, "basic", [fine], ["access basic"], undefined],
      ["Basic, then the form", alone, client, "basic", [wrong, fine], ["access basic", "access form"], undefined],
      ["encoded", alone, odd, "basic-encoded", [wrong, fine], ["access encoded", "access form"], undefined],
      ["400", alone, client, undefined, [refuse(400, "invalid_client"), fine], ["access form", "access basic"], undefined],
      ["all Basic", alone, odd, undefined, [wrong], ["access form", "access basic", "access encoded"], ["invalid_client", true]],
      ["an end at 503", both, client, undefined, [{ status: 503, body: "" }], ["refresh form"], ["status 503", false]],
      ["an end at 403", both, client, undefined, [refuse(403, "odd")], ["refresh form"], ["odd", false]],
      ["another kind first", both, client, undefined, [otherKind, fine], ["refresh form", "access form"], undefined],
      ["another kind alone", alone, client, undefined, [otherKind], ["access form"], ["unsupported_token_type", false]],
      ["gone with the grant", both, client, undefined, [fine, invalidToken], ["refresh form", "access form", "access basic"], undefined],
      ["a bare end", both, client, undefined, [fine, { status: 500, body: "" }], ["refresh form", "access form"], ["status 500", false]],
      ["masked", alone, client, undefined, [refuse(403, "the-access-token")], ["access form"], ["“••••”", false]],
    ] as [string, OAuth2Credential, typeof odd, ClientMethod, TokenServerResponse[], string[], [string, boolean] | undefined][]) {
      raw.reset();
      raw.responses = [...responses];
      const revocation = { revocationUrl: `${raw.base}/revoke`, client: sender, clientMethod: method };
      const actualFailure = await revokeTokens(credential, revocation, makeHost());
      const requests = raw.received.map(({ headers, body }) => {
        const form = new URLSearchParams(body);
        const basic = Buffer.from(String(headers.authorization).replace("Basic ", ""), "base64").toString();
        const way = headers.authorization === undefined ? (form.has("client_secret") ? "form" : "none") : basic;
        const name = { "client:client-secret": "basic", "client:client secret": "basic", "client:client+secret": "encoded" }[way] ?? way;
        return `${form.get("token_type_hint")?.replace("_token", "")} ${name}`;
      });
      assert.deepEqual(requests, expectedRequests, what);
      assert.deepEqual(actualFailure, failure && { problem: `${host}: ${failure[0]}`, isClientRefused: failure[1] }, what);
    }
  });

  it("a redirect is not followed with the tokens", async () => {
    const { removal } = await removed(() => ({ status: 307, body: "", headers: { location: `${raw.base}/elsewhere` } }), here());
    assert.ok(removal.revoked === false && /answers with a redirect \(307\)/.test(removal.problem ?? ""));
    assert.deepEqual(
      raw.received.map(({ path }) => path),
      ["/revoke"],
    );
  });

  it("an account is removed even if the provider cannot revoke its tokens", async () => {
    assert.deepEqual((await removed(() => ({ body: "" }))).removal, { revoked: false });
    const { removal } = await removed(() => new Promise<never>(() => {}) as never, here(), { timeout: 300 });
    assert.ok(removal.revoked === false && /did not answer in time[^.]*$/.test(removal.problem ?? ""));
  });
});
