// The sandbox's switches: every way in which a provider or an API can be difficult, turned on and off while it runs.
import assert from "node:assert/strict";
import type { SandboxSwitches } from "../../../platform/sandbox/switches.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import {
  API,
  AUTHORIZE,
  approve,
  authorizationUrl,
  callbackServer,
  definition,
  oauth2,
  registered,
  removeStubsFiles,
  requestToken,
  type TestPack,
  TOKEN,
  type TokenBody,
} from "../../support/sandbox.ts";

describe("The sandbox's switches", function () {
  this.timeout(30_000);
  const sandbox = sandboxOfSuite();
  let callback: Awaited<ReturnType<typeof callbackServer>>;
  let redirectUri: string;
  before(async () => {
    callback = await callbackServer();
    redirectUri = `http://127.0.0.1:${callback.port}/oauth`;
  });
  after(() => {
    callback.close();
    removeStubsFiles();
  });

  async function packWith(switches: Partial<SandboxSwitches>): Promise<TestPack> {
    const at = await registered(sandbox, definition(oauth2()));
    await sandbox.change({ entry: at.entry, switches });
    return at;
  }
  async function exchange(at: TestPack, body: TokenBody = {}, init: RequestInit = {}) {
    const { url, attempt } = authorizationUrl(at, AUTHORIZE, redirectUri);
    const code = (await approve(url)).get("code") ?? "";
    return requestToken(
      at,
      TOKEN,
      { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: attempt.verifier, ...body },
      init,
    );
  }
  const tokensOf = (response: { body: unknown }) => response.body as { access_token: string; refresh_token: string };

  it("deny refuses the sign-in without a page", async () => {
    const at = await packWith({ deny: true });
    const { url } = authorizationUrl(at, AUTHORIZE, redirectUri);
    assert.equal((await approve(url)).get("error"), "access_denied");
  });

  it("rejectPkce refuses PKCE and accepts a sign-in without it", async () => {
    const at = await packWith({ rejectPkce: true });
    const withPkce = authorizationUrl(at, AUTHORIZE, redirectUri);
    const refusalParameters = await approve(withPkce.url);
    assert.deepEqual([refusalParameters.get("error"), refusalParameters.get("state")], ["invalid_request", withPkce.attempt.state]);
    const without = authorizationUrl(at, AUTHORIZE, redirectUri, { code_challenge: undefined, code_challenge_method: undefined });
    assert.ok((await approve(without.url)).get("code"));
  });

  for (const only of ["form", "basic", "json"] as const) {
    it(`clientAuthentication accepts ${only} only`, async () => {
      const at = await packWith({ clientAuthentication: only });
      const { clientId, clientSecret } = at.user.clientCredentials;
      const pair = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
      const body = { client_id: clientId, client_secret: clientSecret ?? "" };
      const attempts = {
        form: () => requestToken(at, TOKEN, { grant_type: "refresh_token", refresh_token: "x", ...body }),
        basic: () =>
          requestToken(
            at,
            TOKEN,
            { grant_type: "refresh_token", refresh_token: "x", client_id: undefined, client_secret: undefined },
            { headers: { authorization: `Basic ${pair}`, "content-type": "application/x-www-form-urlencoded" } },
          ),
        json: () =>
          at.api(TOKEN, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ grant_type: "refresh_token", refresh_token: "x", ...body }),
          }),
      };
      for (const [method, attempt] of Object.entries(attempts)) {
        const { error } = (await attempt()).body as { error: string };
        assert.equal(error, method === only ? "invalid_grant" : "invalid_client", method);
      }
    });
  }

  it("rotate decides whether a refresh changes the refresh token", async () => {
    for (const rotate of [true, false]) {
      const at = await packWith({ rotate });
      const { refresh_token } = tokensOf(await exchange(at));
      const again = () => requestToken(at, TOKEN, { grant_type: "refresh_token", refresh_token });
      assert.equal(tokensOf(await again()).refresh_token === refresh_token, !rotate);
      assert.equal((await again()).status, rotate ? 400 : 200);
    }
  });

  it("tokenResponse returns the token in an object or as text", async () => {
    const nested = await exchange(await packWith({ tokenResponse: "nested" }));
    assert.ok((nested.body as { data: { access_token: string } }).data.access_token);
    const text = await exchange(await packWith({ tokenResponse: "text" }));
    assert.match(text.headers.get("content-type") ?? "", /^text\/plain/);
    assert.ok(new URLSearchParams(String(text.body)).get("access_token"));
  });

  it("expireNow ends access tokens, which can be refreshed", async () => {
    const at = await packWith({});
    const { access_token, refresh_token } = tokensOf(await exchange(at));
    const ask = async (token: string) => (await at.api(API, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.equal(await ask(access_token), 200);
    await sandbox.change({ entry: at.entry, switches: {}, expireNow: true });
    assert.equal(await ask(access_token), 401);
    assert.equal(await ask(tokensOf(await requestToken(at, TOKEN, { grant_type: "refresh_token", refresh_token })).access_token), 200);
  });

  it("refreshTokens revokes refresh tokens or marks them as used", async () => {
    for (const refreshTokens of ["revoked", "used"] as const) {
      const at = await packWith({});
      const { access_token, refresh_token } = tokensOf(await exchange(at));
      await sandbox.change({ entry: at.entry, switches: {}, refreshTokens });
      assert.equal((await at.api(API, { headers: { authorization: `Bearer ${access_token}` } })).status, 200);
      const again = await requestToken(at, TOKEN, { grant_type: "refresh_token", refresh_token });
      assert.deepEqual([again.status, (again.body as { error: string }).error], [400, "invalid_grant"], refreshTokens);
    }
  });

  it("api refuses with another scheme or a missing scope, or sends half an answer", async () => {
    const at = await packWith({ api: "401" });
    const { access_token } = tokensOf(await exchange(at));
    const ask = async () => {
      const response = await at.api(API, { headers: { authorization: `Bearer ${access_token}` } });
      return { status: response.status, challenge: response.headers.get("www-authenticate") };
    };
    const refusal = await ask();
    assert.deepEqual([refusal.status, refusal.challenge], [401, 'Token realm="sandbox"']);
    await sandbox.change({ entry: at.entry, switches: { api: "403" } });
    const lacking = await ask();
    assert.equal(lacking.status, 403);
    assert.match(lacking.challenge ?? "", /insufficient_scope.*scope="sandbox:more"/);
    await sandbox.change({ entry: at.entry, switches: { api: "none" } });
    assert.equal((await ask()).status, 200);
    await sandbox.change({ entry: at.entry, switches: { api: "cut" } });
    await assert.rejects(ask(), SyntaxError, "half of an answer is no JSON");
  });

  it("api and token fail, refuse or are slow, and work again", async () => {
    const at = await packWith({ api: "500", token: "429" });
    assert.equal((await at.api(API)).status, 500);
    const refusal = await at.api(TOKEN, { method: "POST" });
    assert.deepEqual([refusal.status, refusal.headers.get("retry-after")], [429, "30"]);
    await sandbox.change({ entry: at.entry, switches: { api: "slow", token: "500" } });
    await assert.rejects(at.api(API, { signal: AbortSignal.timeout(300) }), { name: "TimeoutError" });
    assert.equal((await at.api(TOKEN, { method: "POST" })).status, 500);
    const all = await sandbox.change({ entry: at.entry, switches: { api: "none", token: "none" } });
    assert.deepEqual([all.api, all.token, all.rotate], ["none", "none", true]);
    assert.equal((await at.api(API)).status, 401);
  });

  it("switches survive a new registration, and an unknown pack is refused", async () => {
    const at = await packWith({ deny: true });
    const again = await sandbox.register({ entry: at.entry, name: "shop", definition: definition(oauth2()) });
    assert.equal(again.switches.deny, true);
    await assert.rejects(sandbox.change({ entry: "/nowhere/pack.ts", switches: {} }), { code: "sandbox-failed" });
  });

  it("unknown switches and values are ignored", async () => {
    const at = await packWith({});
    const all = await sandbox.change({ entry: at.entry, switches: { deny: "yes", api: "explode", other: 1 } as never });
    assert.deepEqual([all.deny, all.api, "other" in all], [false, "none", false]);
  });
});
