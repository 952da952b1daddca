// The client ID and secret of a sign-in: when they are stored, when they are asked for again, and where a stored secret may go.
import assert from "node:assert/strict";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { addOAuthCredentials, type TypedClient } from "../../../platform/connect/oauth-credentials.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import type { ClientCredentials } from "../../../platform/secrets/credential.ts";
import { oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { makeHost, type TestHostOptions } from "../../support/platform-host.ts";
import { OAUTH, OPTIONS, shopOfSuite, WITH_STEP } from "../../support/shop.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const TOKEN_URL = "https://login.shop.example/token";
const MACHINE = `setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "${TOKEN_URL}" })`;
const BROWSER = `setUserAuthentication({ ${OAUTH} })`;
/** What a client stores that the provider of MACHINE accepted. */
const acceptedWith = [{ type: "OAuth2ClientCredentials", tokenUrl: TOKEN_URL }];
const INVALID_CLIENT = { status: 401, body: { error: "invalid_client" } };
const TOKEN = { body: { access_token: "the-access-token" } };

describe("The client ID and secret of a sign-in", function () {
  this.timeout(60_000);
  const { api, open, requestsTo, trial, wire } = shopOfSuite();

  /** Who begins with that client stored, or with none. */
  async function person(testPack: Pack, stored: ClientCredentials | undefined, replies: TestHostOptions["replies"]) {
    const attempt = await trial(testPack, { replies: replies ?? {} });
    const key = packKey(testPack.entry);
    await attempt.accounts.removeClientCredentials(key, "user");
    if (stored !== undefined) await attempt.accounts.saveClientCredentials(key, "user", stored);
    const proposed: string[] = [];
    const ask = attempt.host.prompter.input;
    attempt.host.prompter.input = (question) => {
      if (question.value !== undefined) proposed.push(question.value);
      return ask(question);
    };
    return { ...attempt, key, proposed, client: () => attempt.accounts.clientCredentials(key, "user") };
  }
  const exchanges = () => requestsTo("login.shop.example").filter(({ method }) => method === "POST");
  const secretsSent = (): readonly (string | null)[] =>
    exchanges().map(({ body, headers }) => {
      const basic = /^Basic (.+)$/.exec(String(headers.authorization ?? ""))?.[1];
      if (basic !== undefined) return Buffer.from(basic, "base64").toString().split(":")[1] ?? null;
      return body.startsWith("{") ? JSON.parse(body).client_secret : new URLSearchParams(body).get("client_secret");
    });

  /** The provider knows the client with this secret alone. */
  const acceptSecret = (secret: string): void => {
    const { respond } = wire;
    wire.respond = (request, response, ...rest) => {
      api["/token"] = secretsSent().at(-1) === secret ? TOKEN : INVALID_CLIENT;
      return respond(request, response, ...rest);
    };
  };

  for (const [what, setter] of [
    ["client credentials", MACHINE],
    ["the browser", BROWSER],
  ] as const)
    it(`refused credentials can be entered again and are stored once they work: ${what}`, async () => {
      acceptSecret("right");
      const replies = { "Client ID": "the-id", "Client secret": ["wrong", "right"] };
      const { proposed, client, host, connect: signIn } = await person(await open(setter), undefined, replies);
      const storedAt: number[] = [];
      const set = host.secrets.set;
      host.secrets.set = (key, value) => {
        storedAt.push(secretsSent().filter((secret) => secret === "right").length);
        return set(key, value);
      };
      assert.ok(await signIn());
      // Without a browser nothing comes back, so there is no address to register.
      const isRegistered = host.prompts.some((text) => text.includes("Register the redirect address"));
      assert.equal(isRegistered, setter === BROWSER);
      assert.deepEqual(proposed, ["the-id"]);
      assert.match(
        host.prompts.filter((text) => text.includes("Client ID"))[1] ?? "",
        /login\.shop\.example refused to issue a token, because the client ID or secret is wrong/,
      );
      assert.deepEqual(await client(), {
        clientId: "the-id",
        clientSecret: "right",
        tokenEndpoints: [TOKEN_URL],
        acceptedWith: [{ type: setter === BROWSER ? "OAuth2" : "OAuth2ClientCredentials", tokenUrl: TOKEN_URL }],
      });
      assert.ok(storedAt.length > 0 && storedAt.every((count) => count > 0), "nothing was stored before the right secret was taken");
    });

  it("a stored secret that is refused stays, unless another one works", async () => {
    acceptSecret("right");
    const stored = { clientId: "stored", clientSecret: "wrong", tokenEndpoints: [TOKEN_URL] };
    const testPack = await open(MACHINE);
    const gaveUp = await person(testPack, stored, {});
    await assert.rejects(gaveUp.connect(), { code: "credentials-refused", message: /invalid_client/ });
    assert.deepEqual(await gaveUp.client(), stored);
    assert.deepEqual(await gaveUp.accounts.list(), []);
    const mended = await person(testPack, stored, { "Client ID": "stored", "Client secret": "right" });
    assert.ok(await mended.connect());
    assert.equal((await mended.client())?.clientSecret, "right");
  });

  it("typed credentials survive a refused redirect address and are stored once they work", async () => {
    const testPack = await open(BROWSER);
    const typedClient: TypedClient = {};
    const { host, connect: signIn, client } = await person(testPack, undefined, { "Client ID": "typed", "Client secret": "typed-secret" });
    const { openBrowser } = host;
    host.openBrowser = async (url) => {
      const { searchParams } = new URL(url);
      void fetch(`${searchParams.get("redirect_uri")}?error=redirect_uri_mismatch&state=${searchParams.get("state")}`);
      return true;
    };
    await assert.rejects(signIn({ typedClient }), { code: "authorization-denied" });
    assert.equal(await client(), undefined);
    host.openBrowser = openBrowser;
    assert.ok(await signIn({ typedClient }));
    assert.equal(host.prompts.filter((text) => /^(.* )?Client (ID|secret)/.test(text)).length, 2, host.prompts.join("\n"));
    assert.deepEqual(secretsSent(), ["typed-secret"]);
    assert.equal((await client())?.clientId, "typed");
  });

  it("typed credentials are dropped after a refusal or a change of tokenUrl", async () => {
    const typedClient: TypedClient = {};
    acceptSecret("right-secret");
    const replies = { "Client ID": ["typed", undefined], "Client secret": "wrong-secret" } as unknown as TestHostOptions["replies"];
    const attempt = await person(await open(MACHINE), undefined, replies);
    await assert.rejects(attempt.connect({ typedClient }), { code: "credentials-refused" });
    assert.equal(typedClient.current, undefined);
    typedClient.current = { clientId: "typed", clientSecret: "secret-of-another", tokenEndpoints: ["https://other.example/token"] };
    const moved = await person(await open(MACHINE), undefined, {});
    assert.equal(await moved.connect({ typedClient }), undefined);
    assert.ok(!secretsSent().includes("secret-of-another"));
  });

  it("typed credentials are not stored if the person cancels after the exchange", async () => {
    const testPack = await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`);
    const attempt = await person(testPack, undefined, { "Client ID": "typed", "Client secret": "typed", "Choose the shop": undefined });
    assert.equal(await attempt.connect(), undefined);
    assert.equal(exchanges().length, 1);
    assert.deepEqual([[...attempt.host.secretValues], [...attempt.host.states], await attempt.accounts.list()], [[], [], []]);
  });

  it("typed credentials are stored if the pack itself fails after the exchange", async () => {
    const testPack = await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP('{ throw new Error("no sites") }')} })`);
    const attempt = await person(testPack, undefined, { "Client ID": "typed", "Client secret": "typed" });
    await assert.rejects(attempt.connect());
    assert.deepEqual(await attempt.client(), {
      clientId: "typed",
      clientSecret: "typed",
      tokenEndpoints: [TOKEN_URL],
      acceptedWith: [{ type: "OAuth2", tokenUrl: TOKEN_URL }],
    });
  });

  describe("The token endpoint of stored client credentials", () => {
    const elsewhere = { clientId: "stored", clientSecret: "the-secret", tokenEndpoints: ["https://login.former.example/token"] };
    const QUESTION = "May the stored client secret go to https://login.shop.example/token?";

    for (const [what, stored] of [
      ["of another host", elsewhere],
      ["of another path of the host", { ...elsewhere, tokenEndpoints: ["https://login.shop.example/tenant/token"] }],
      ["that was not known", { ...elsewhere, tokenEndpoints: [] }],
    ] as const)
      it(`a tokenUrl ${what} gets stored credentials only on the person's consent`, async () => {
        const testPack = await open(MACHINE);
        const attempt = await person(testPack, stored, { [QUESTION]: undefined });
        assert.equal(await attempt.connect(), undefined);
        assert.deepEqual(requestsTo("login.shop.example"), []);
        assert.deepEqual(await attempt.client(), stored);
        for (const former of stored.tokenEndpoints) assert.ok(attempt.host.offered.includes(`The stored one was entered for ${former}.`));

        const allowed = await person(testPack, stored, { [QUESTION]: "send" });
        assert.ok(await allowed.connect());
        assert.deepEqual(await allowed.client(), { ...stored, tokenEndpoints: [...stored.tokenEndpoints, TOKEN_URL], acceptedWith });
        assert.ok(await allowed.connect());
        assert.equal(allowed.host.prompts.filter((text) => text.includes(QUESTION)).length, 1, "it is asked once");

        const other = await person(testPack, stored, { [QUESTION]: "other", "Client ID": "new", "Client secret": "new-secret" });
        assert.ok(await other.connect());
        assert.deepEqual(await other.client(), {
          clientId: "new",
          clientSecret: "new-secret",
          tokenEndpoints: [TOKEN_URL],
          acceptedWith,
        });
        assert.deepEqual(secretsSent(), ["the-secret", "the-secret", "new-secret"]);
      });

    it("credentials of an earlier version are bound where they work; public client IDs are unbound", async () => {
      const testPack = await open(MACHINE);
      const earlier = await person(testPack, { clientId: "stored", clientSecret: "the-secret" }, {});
      assert.ok(await earlier.connect());
      assert.deepEqual((await earlier.client())?.tokenEndpoints, [TOKEN_URL]);
      const isPublic = await person(testPack, { clientId: "stored", tokenEndpoints: elsewhere.tokenEndpoints }, {});
      assert.ok(await isPublic.connect());
    });

    it("a pack that registers itself also asks before it sends typed credentials", async () => {
      const testPack = await open(`setUserAuthentication({ ${OAUTH} useDynamicClientRegistration: true })`);
      const attempt = await person(testPack, elsewhere, { [QUESTION]: undefined });
      assert.equal(await attempt.connect(), undefined);
      assert.deepEqual(attempt.host.openedUrls, []);
    });

    it("credentials added outside a sign-in are bound to the configuration's tokenUrl", async () => {
      for (const [tokenUrl, tokenEndpoints] of [
        [`${TOKEN_URL}?tenant=1`, [TOKEN_URL]],
        ["/oauth/token", []],
        [undefined, []],
      ] as const) {
        const host = makeHost({ replies: { "Client ID": "typed", "Client secret": "typed-secret" } });
        const accounts = openAccounts(host);
        await addOAuthCredentials({ scope: "user", packName: "p", host, accounts, ...(tokenUrl === undefined ? {} : { tokenUrl }) }, "key");
        assert.deepEqual(await accounts.clientCredentials("key", "user"), {
          clientId: "typed",
          clientSecret: "typed-secret",
          tokenEndpoints,
        });
      }
    });

    it("a new secret of the same client keeps its token endpoints, another client's does not", async () => {
      acceptSecret("new-secret");
      const testPack = await open(MACHINE);
      const stored = { clientId: "stored", clientSecret: "old-secret", tokenEndpoints: ["https://tenant.shop.example/token", TOKEN_URL] };
      for (const [clientId, tokenEndpoints] of [
        ["stored", stored.tokenEndpoints],
        ["another", [TOKEN_URL]],
      ] as const) {
        const { client, connect: signIn } = await person(testPack, stored, { "Client ID": clientId, "Client secret": "new-secret" });
        assert.ok(await signIn());
        assert.deepEqual(await client(), { clientId, clientSecret: "new-secret", tokenEndpoints, acceptedWith });
      }
      const { client, host, accounts, key } = await person(testPack, stored, { "Client ID": "stored", "Client secret": "new-secret" });
      await addOAuthCredentials({ scope: "user", packName: "p", host, accounts }, key);
      const entered = await client();
      assert.deepEqual([entered?.tokenEndpoints, entered?.acceptedWith], [stored.tokenEndpoints, undefined]);
    });

    describe("Requests later than the sign-in", () => {
      let server: TokenServer;
      before(async () => {
        server = await openTokenServer();
      });
      after(() => server.close());
      beforeEach(() => server.reset());

      async function signedIn(client: ClientCredentials) {
        const host = makeHost();
        const accounts = openAccounts(host);
        const auth = oauthDefinition(server.tokenUrl);
        const tokens = { access: "old", refresh: "refresh" };
        const stored = await storeAccount(accounts, auth, tokens, {
          server: { issuer: server.base, revocationUrl: `${server.base}/revoke` },
        });
        await accounts.saveClientCredentials(stored.account.pack, "user", client);
        server.responses = [{ body: '{"access_token":"new"}' }];
        const client_ = () => accounts.clientCredentials(stored.account.pack, "user");
        return { ...stored, auth, client: client_, host: { ...host, accounts } };
      }

      it("a refresh withholds a secret bound to another provider and binds an unbound one", async () => {
        const other = await signedIn({ clientId: "id", clientSecret: "secret", tokenEndpoints: ["https://other.example/token"] });
        await assert.rejects(refreshAccount(other.account, other.auth, other.credential, other.host), {
          code: "sign-in-again",
          configPath: "userAuthentication.tokenUrl",
          message: /was not entered for http:\/\/127/,
        });
        assert.deepEqual(server.received, []);
        const earlier = await signedIn({ clientId: "id", clientSecret: "secret" });
        assert.ok(await refreshAccount(earlier.account, earlier.auth, earlier.credential, earlier.host));
        const { tokenEndpoints, acceptedWith } = (await earlier.client()) ?? {};
        assert.deepEqual([tokenEndpoints, acceptedWith], [[server.tokenUrl], [{ type: "OAuth2", tokenUrl: server.tokenUrl }]]);
      });

      it("a removal withholds a secret bound to another provider", async () => {
        const other = await signedIn({ clientId: "id", clientSecret: "secret", tokenEndpoints: ["https://other.example/token"] });
        const removal = await removeAccount(other.account.id, other.host);
        assert.deepEqual([removal.revoked, server.received], [false, []]);
        assert.match((removal.revoked === false && removal.problem) || "", /was not entered for 127\.0\.0\.1/);
      });
    });
  });

  it("typed credentials are forgotten after a failed sign-in", async () => {
    const testPack = await open(MACHINE);
    api["/token"] = { status: 500, body: {} };
    const { host, accounts, connect: signIn } = await person(testPack, undefined, { "Client ID": "typed", "Client secret": "typed" });
    await assert.rejects(signIn());
    await assert.rejects(connect(testPack, { scope: "user", packName: "shop", host, accounts }));
    assert.equal(host.prompts.filter((text) => text.includes("Client ID")).length, 2);
  });
});
