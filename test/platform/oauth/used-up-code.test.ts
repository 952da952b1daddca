// A provider that uses up the code with an attempt that it refuses: what is told, and with which method the next attempt begins.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type Accounts, openAccounts } from "../../../platform/accounts/accounts.ts";
import { type Connected, connect } from "../../../platform/connect/connect.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

describe("A code used up by a refused attempt", () => {
  let server: TokenServer;
  let host: TestHost;
  let accounts: Accounts;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  /** One way to take a client's secret; every attempt uses up its code. The person types these secrets, and then puts the question away. */
  function begin(method: "form" | "basic", ...typed: readonly string[]): () => Promise<Connected | undefined> {
    const usedCodes = new Set<string>();
    const turns = [...typed];
    server.reset();
    server.callback = (query) => ({ code: `code-${query.get("state")}`, state: query.get("state") ?? "" });
    server.reply = () => {
      const { headers, body } = server.received.at(-1) ?? assert.fail("nothing was sent");
      const form = new URLSearchParams(body);
      const pair = Buffer.from(/^Basic (.+)$/.exec(String(headers.authorization))?.[1] ?? "", "base64").toString();
      const code = form.get("code") ?? "";
      if (usedCodes.has(code)) return { status: 400, body: '{"error":"invalid_grant"}' };
      usedCodes.add(code);
      const isRight = method === "form" ? form.get("client_secret") === "right-secret" : pair === "client:right-secret";
      return isRight ? { body: '{"access_token":"the-access-token"}' } : { status: 401, body: '{"error":"invalid_client"}' };
    };
    const scripted = makeHost({ replies: { "edirect address": "open" } });
    host = {
      ...scripted,
      prompter: {
        ...scripted.prompter,
        input: async ({ placeholder }) => (turns.length === 0 ? undefined : placeholder === "Client ID" ? "client" : turns.shift()),
      },
    };
    accounts = openAccounts(host);
    const pack = declaredPack(
      "/packs/used-up/pack.ts",
      auth("OAuth2", { authorizationUrl: server.authorizationUrl, tokenUrl: server.tokenUrl }),
    );
    return () =>
      connect(pack, { scope: "user", packName: "shop", host, accounts, redirect: { host: "localhost", port: 0, path: "/oauth" } });
  }

  it("the report names both causes: wrong credentials or another client method", async () => {
    await assert.rejects(begin("basic", "right-secret"), ({ message, hint, code, configPath }: PackAuthError) => {
      assert.match(
        message,
        /^[^.]*\.[^.]*\.[^.]*\.[^ ]* refused to issue a token, because the client ID or secret is wrong, or it accepts them as HTTP Basic alone: it said invalid_client to form body, and the code was used up\./,
      );
      assert.match(hint ?? "", /the next sign-in begins with HTTP Basic\. Set credentialsLocation to AuthorizationHeader then/);
      assert.deepEqual([code, configPath], ["credentials-refused", "userAuthentication"]);
      return true;
    });
  });

  it("a further attempt with unchanged credentials begins with the client method that the refused attempt suggests", async () => {
    assert.equal((await begin("basic", "right-secret", "right-secret")())?.account.clientMethod, "basic");
  });

  it("a further attempt with changed credentials begins with the default client method", async () => {
    assert.equal((await begin("form", "wrong-secret", "right-secret")())?.account.clientMethod, "form");
  });
});
