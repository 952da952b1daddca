// The spec's sign-in with OAuth2: what goes to the provider's two addresses, and what of its answer is remembered and told.
import assert from "node:assert/strict";
import { packKey } from "../../../platform/accounts/accounts.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { OAUTH, shopOfSuite, WHO_AM_I } from "../../support/shop.ts";

describe("An OAuth2 sign-in", function () {
  this.timeout(60_000);
  const { api, connected, open, requestsTo, trial } = shopOfSuite();

  describe("OAuth2", () => {
    const oauth = (more = ""): string => `setUserAuthentication({ ${OAUTH} ${more} })`;
    const formOf = (index = 0): URLSearchParams =>
      new URLSearchParams(requestsTo("login.shop.example").filter(({ method }) => method === "POST")[index]?.body);

    it("auth-spec 2.3 authorizationUrl, 2.3 tokenUrl, 5.5.1: a missing authorizationUrl or tokenUrl is named before any question", async () => {
      for (const field of ["authorizationUrl", "tokenUrl"]) {
        const testPack = await open(`setUserAuthentication({ ${OAUTH.replace(new RegExp(`${field}: "[^"]*",`), "")} })`);
        const attempt = await trial(testPack);
        await assert.rejects(
          () => attempt.connect(),
          (error: PackAuthError) => error.code === "configuration-invalid" && error.configPath === `userAuthentication.${field}`,
        );
        assert.deepEqual([attempt.host.prompts, attempt.host.openedUrls], [[], []]);
      }
    });

    it("auth-spec 2.2 OAuth2, 2.3 type, 2.3 tokenUrl, 4 token exchange, 5.5.2: the code goes to tokenUrl, with the redirect address and the client", async () => {
      const { host } = await connected(await open(oauth()));
      const { searchParams } = new URL(host.openedUrls[0] ?? "");
      assert.equal(searchParams.get("response_type"), "code");
      const form = formOf();
      assert.deepEqual(
        ["grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"].map((name) => form.get(name)),
        ["authorization_code", "the-code", searchParams.get("redirect_uri"), "client", "client-secret", null],
      );
    });

    it("auth-spec 2.3 scopes, 2.3 scopeDelimiter, 2.3 additionalParams, 4 redirect: the authorization URL has the scopes joined by scopeDelimiter, and additionalParams", async () => {
      const { host, account } = await connected(
        await open(
          oauth(
            'scopes: ["read", "write"], scopeDelimiter: ",", scopeParamName: "user_scope", additionalParams: { access_type: "offline" },',
          ),
        ),
      );
      const { searchParams } = new URL(host.openedUrls[0] ?? "");
      assert.equal(searchParams.get("user_scope"), "read,write");
      assert.equal(searchParams.get("scope"), null);
      assert.equal(searchParams.get("access_type"), "offline");
      assert.deepEqual(account.scopesRequested, ["read", "write"]);
    });

    it("auth-spec 2.3 scopes: a configuration without scopes requests none", async () => {
      const { host, account } = await connected(await open(oauth()));
      assert.equal(new URL(host.openedUrls[0] ?? "").searchParams.get("scope"), null);
      assert.deepEqual(account.scopesRequested ?? [], []);
    });

    it("auth-spec 2.3 scopes: granted scopes are compared with the requested ones, stored and reported", async () => {
      api["/token"] = { body: { access_token: "the-access-token", scope: "read,extra" } };
      const { account, signInNotes } = await connected(await open(oauth('scopes: ["read", "write"],')));
      assert.deepEqual(
        [account.scopesRequested, account.scopesGranted],
        [
          ["read", "write"],
          ["read", "extra"],
        ],
      );
      assert.match(
        signInNotes[0]?.message ?? "",
        /^Not granted of scopes: write \(asked for: read, write; granted: read, extra\)\. Compare them with/,
      );
    });

    it("auth-spec 2.3 scopes: a scope granted under another spelling of the provider's counts as granted", async () => {
      const scope = "openid https://www.googleapis.com/auth/userinfo.email https://graph.microsoft.com/User.Read";
      api["/token"] = { body: { access_token: "the-access-token", scope } };
      const { signInNotes } = await connected(await open(oauth('scopes: ["email", "User.Read"],')));
      assert.deepEqual(signInNotes, []);
    });

    it("auth-spec 2.3 scopes: an empty answer grants none of the scopes", async () => {
      for (const scope of ["", " ", []]) {
        api["/token"] = { body: { access_token: "the-access-token", scope } };
        const { account, signInNotes } = await connected(await open(oauth('scopes: ["read"],')));
        assert.deepEqual(account.scopesGranted, []);
        assert.match(signInNotes[0]?.message ?? "", /^Not granted of scopes: read /);
      }
    });

    it("auth-spec 2.3 scopeDelimiter: scopeDelimiter is blamed if none of several scopes was granted, never for one scope", async () => {
      api["/token"] = { body: { access_token: "the-access-token", scope: "other" } };
      for (const [scopes, message] of [
        ['["read", "write"]', /^No scope was granted of those that scopeDelimiter joins/],
        ['["read"]', /^Not granted of scopes: read /],
      ] as const) {
        const { signInNotes } = await connected(await open(oauth(`scopes: ${scopes}, scopeDelimiter: ",",`)));
        assert.match(signInNotes[0]?.message ?? "", message);
      }
    });

    it("auth-spec 2.3 scopes: offline_access counts as granted if a refresh token comes", async () => {
      const body = { access_token: "the-access-token", scope: "read", expires_in: 3_600 };
      const asks = await open(oauth('scopes: ["read", "offline_access"],'));
      api["/token"] = { body: { ...body, refresh_token: "the-refresh-token" } };
      const { account, signInNotes } = await connected(asks);
      assert.deepEqual([account.scopesGranted, signInNotes], [["read", "offline_access"], []]);
      api["/token"] = { body };
      assert.match((await connected(asks)).signInNotes[0]?.message ?? "", /^Not granted of scopes: offline_access /);
    });

    it("auth-spec 2.3 client credentials, 5.5.4: the client ID and secret are entered once and reused for the next account", async () => {
      const attempt = await trial(await open(oauth()), { replies: { "Client ID": " typed-id ", "Client secret": "typed-secret" } });
      await attempt.accounts.removeClientCredentials(packKey(attempt.openedPack.entry), "user");
      await attempt.connect();
      await attempt.connect();
      assert.equal(attempt.host.prompts.filter((text) => text.startsWith("Client ID")).length, 1);
      assert.deepEqual(
        [0, 1].map((index) => formOf(index).get("client_id")),
        ["typed-id", "typed-id"],
      );
      assert.ok(
        attempt.host.prompts.some((text) => /address changed|as at the last sign-in/.test(text)),
        "the redirect address is known",
      );
      assert.equal((await attempt.accounts.list()).length, 2);
      assert.ok([...attempt.host.secretValues.values()].some((value) => value.includes("typed-secret")));
      assert.ok(
        !JSON.stringify([await attempt.accounts.list(), ...attempt.host.states, ...attempt.host.workspaceStates]).includes("typed-secret"),
      );
      assert.match(
        attempt.host.prompts.find((text) => text.startsWith("Client ID")) ?? "",
        /Register the redirect address http:\/\/localhost\/oauth there, with any port/,
      );
    });

    it("nestedResponseKey, resource and PKCE follow the configuration", async () => {
      api["/token"] = { body: { ok: true, authed_user: { access_token: "the-nested-token" } } };
      const { host, accounts, account } = await connected(
        await open(
          oauth(
            'nestedResponseKey: "authed_user", resource: "https://api.shop.example", useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain",',
          ),
        ),
      );
      const { searchParams } = new URL(host.openedUrls[0] ?? "");
      assert.equal(searchParams.get("resource"), "https://api.shop.example");
      assert.equal(searchParams.get("code_challenge"), formOf().get("code_verifier"));
      assert.equal(formOf().get("resource"), "https://api.shop.example");
      const credential = await accounts.credential(account.id);
      assert.ok(credential?.kind === "oauth2" && credential.accessToken === "the-nested-token");
    });

    it("PKCE forced for an account stays forced at its next sign-in", async () => {
      const attempt = await trial(await open(oauth()), { replies: { "address to register at": ["pkce", "open"] } });
      const first = await attempt.connect();
      assert.equal(first?.account.forcePkce, true);
      assert.equal(new URL(attempt.host.openedUrls[0] ?? "").searchParams.get("code_challenge_method"), "S256");
      await attempt.connect({ existing: first.account });
      assert.equal(new URL(attempt.host.openedUrls[1] ?? "").searchParams.get("code_challenge_method"), "S256");
      assert.ok(formOf(1).get("code_verifier"));
    });

    it("auth-spec 5.5.7: a token that expires without a refresh token is reported with what to try", async () => {
      api["/token"] = { body: { access_token: "the-access-token", expires_in: 600 } };
      const { signInNotes } = await connected(await open(oauth()));
      assert.match(signInNotes[0]?.message ?? "", /returned no refresh token\. The account works for 10 min.*offline_access/);
    });

    it("client credentials need no browser and name the account like any other", async () => {
      const testPack = await open(
        `setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.shop.example/token", scopes: ["a", "b"], ${WHO_AM_I} })`,
      );
      const { account, host } = await connected(testPack);
      assert.deepEqual([account.label, host.openedUrls], ["alice", []]);
      assert.deepEqual([formOf().get("grant_type"), formOf().get("scope")], ["client_credentials", "a b"]);
    });
  });
});
