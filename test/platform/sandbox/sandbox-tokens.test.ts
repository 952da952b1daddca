// The sandbox's token endpoint over real HTTP: who may ask it, how long a token lives and where it holds.
import assert from "node:assert/strict";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import {
  API,
  type Auth,
  bearer,
  definition,
  errorOf,
  oauth2,
  registered,
  removeStubsFiles,
  requestToken,
  signIn,
  type TestPack,
  TOKEN,
  type Tokens,
} from "../../support/sandbox.ts";

describe("Tokens of the sandbox's provider", () => {
  const sandbox = sandboxOfSuite();
  after(removeStubsFiles);

  const pack = (own: Parameters<typeof oauth2>[0] = {}, stubs?: unknown): Promise<TestPack> =>
    registered(sandbox, definition(oauth2(own)), stubs === undefined ? {} : { stubs });

  it("a client is accepted by form, Basic and JSON, a wrong secret by none", async () => {
    const at = await pack();
    const { clientId, clientSecret = "" } = at.user.clientCredentials;
    const refresh = async (secret: string, method: "form" | "basic" | "json") => {
      const grant = { grant_type: "refresh_token", refresh_token: (await signIn(at, oauth2())).refresh_token ?? "" };
      if (method === "form") return requestToken(at, TOKEN, { ...grant, client_secret: secret });
      if (method === "json") {
        const body = JSON.stringify({ ...grant, client_id: clientId, client_secret: secret });
        return requestToken(at, TOKEN, {}, { body, headers: { "content-type": "application/json" } });
      }
      const authorization = `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString("base64")}`;
      return requestToken(at, TOKEN, {}, { body: new URLSearchParams(grant), headers: { authorization } });
    };
    for (const method of ["form", "basic", "json"] as const) {
      assert.equal((await refresh(clientSecret, method)).status, 200, method);
      const refusal = await refresh("wrong", method);
      assert.deepEqual([refusal.status, errorOf(refusal)], [401, "invalid_client"], method);
    }
  });

  it("a client is held to credentialsLocation, one method and a readable body", async () => {
    const { clientId, clientSecret } = (await pack()).user.clientCredentials;
    const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` };
    const inHeader = await pack({ credentialsLocation: "AuthorizationHeader" });
    assert.equal(errorOf(await requestToken(inHeader, TOKEN, { grant_type: "refresh_token", refresh_token: "x" })), "invalid_client");
    const inBody = await pack({ credentialsLocation: "Body" });
    const grant = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x" });
    assert.equal(errorOf(await requestToken(inBody, TOKEN, {}, { body: grant, headers: basic })), "invalid_client");
    const any = await pack();
    assert.equal(errorOf(await requestToken(any, TOKEN, { grant_type: "refresh_token" }, { headers: basic })), "invalid_request");
    assert.equal(
      errorOf(await requestToken(any, TOKEN, {}, { body: grant, headers: { authorization: "Basic JSU6JSU=" } })),
      "invalid_client",
    );
    assert.equal(
      errorOf(await requestToken(any, TOKEN, {}, { body: "{", headers: { "content-type": "application/json" } })),
      "invalid_request",
    );
    const twice = new URLSearchParams([
      ["grant_type", "refresh_token"],
      ["grant_type", "refresh_token"],
    ]);
    assert.equal(errorOf(await requestToken(any, TOKEN, {}, { body: twice })), "invalid_request");
  });

  it("a refresh rotates the token, and a reused one voids all", async () => {
    const at = await pack();
    const first = await signIn(at, oauth2());
    const refresh = (token: string | undefined) => requestToken(at, TOKEN, { grant_type: "refresh_token", refresh_token: token ?? "" });
    const second = (await refresh(first.refresh_token)).body as Tokens;
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.notEqual(second.access_token, first.access_token);
    assert.equal((await at.api(API, bearer(second.access_token))).status, 200);
    assert.equal(errorOf(await refresh(first.refresh_token)), "invalid_grant");
    assert.equal(errorOf(await refresh(second.refresh_token)), "invalid_grant");
    assert.equal((await at.api(API, bearer(second.access_token))).status, 401);
  });

  it("access tokens expire after tokenLifetime, and a refresh returns a valid one", async () => {
    const at = await pack({}, { tokenLifetime: 1 });
    const tokens = await signIn(at, oauth2());
    assert.equal(tokens.expires_in, 1);
    // Ten times its lifetime, on a busy machine too.
    const latest = Date.now() + 10_000;
    while ((await at.api(API, bearer(tokens.access_token))).status === 200) {
      assert.ok(Date.now() < latest, "a token of one second is taken for ten");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // A machine that is held up for a second finds the next one expired too.
    let newest = tokens;
    let status = 401;
    for (let attempt = 0; attempt < 10 && status !== 200; attempt++) {
      newest = (await requestToken(at, TOKEN, { grant_type: "refresh_token", refresh_token: newest.refresh_token })).body as Tokens;
      status = (await at.api(API, bearer(newest.access_token))).status;
    }
    assert.equal(status, 200);
  });

  it("a revoked token is refused", async () => {
    const at = await pack();
    const tokens = await signIn(at, oauth2());
    const { clientId, clientSecret = "" } = at.user.clientCredentials;
    const revoke = (secret: string) =>
      fetch(at.user.revocationUrl ?? "", {
        method: "POST",
        body: new URLSearchParams({ token: tokens.access_token }),
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}` },
      });
    assert.equal((await revoke("wrong")).status, 401);
    assert.equal((await at.api(API, bearer(tokens.access_token))).status, 200);
    assert.equal((await revoke(clientSecret)).status, 200);
    assert.equal((await at.api(API, bearer(tokens.access_token))).status, 401);
  });

  it("client credentials are granted to OAuth2ClientCredentials only, with scopes", async () => {
    const grant = { grant_type: "client_credentials", scope: "orders:read" };
    const shape: Auth = { type: "OAuth2ClientCredentials", tokenUrl: TOKEN, scopes: ["orders:read"] };
    const at = await registered(sandbox, definition(shape));
    const { status, body } = await requestToken(at, TOKEN, grant);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((body as Tokens).scope, "orders:read");
    assert.equal((await at.api(API, bearer((body as Tokens).access_token))).status, 200);
    assert.equal(errorOf(await requestToken(at, TOKEN, { ...grant, client_secret: "wrong" })), "invalid_client");
    const wrongGrant = await requestToken(await pack(), TOKEN, grant);
    assert.deepEqual([wrongGrant.status, errorOf(wrongGrant)], [400, "unsupported_grant_type"]);
  });

  it("user and system authentication are separate on one token URL", async () => {
    const shape = definition(oauth2(), {
      systemAuthentication: { type: "OAuth2ClientCredentials", tokenUrl: TOKEN, hasGetConnectionName: false, postSetup: [] },
    });
    const at = await registered(sandbox, shape);
    const client = at.system?.clientCredentials;
    assert.ok(client?.clientSecret);
    assert.notEqual(client.clientId, at.user.clientCredentials.clientId);
    const system = await requestToken(at, TOKEN, {
      grant_type: "client_credentials",
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });
    const user = await signIn(at, oauth2());
    for (const tokens of [system.body as Tokens, user]) assert.equal((await at.api(API, bearer(tokens.access_token))).status, 200);
  });

  it("a token of another pack is refused", async () => {
    const tokens = await signIn(await pack(), oauth2());
    assert.equal((await (await pack()).api(API, bearer(tokens.access_token))).status, 401);
  });

  it("absolute OAuth URLs are served on their own hosts only", async () => {
    const at = await pack();
    const elsewhere = await requestToken(at, "https://evil.shop.example/oauth/token", { grant_type: "refresh_token", refresh_token: "x" });
    assert.equal(elsewhere.status, 401);
    assert.match(JSON.stringify(elsewhere.body), /did not find the credential/);
  });

  it("relative OAuth URLs are served on every host", async () => {
    const relative: Auth = oauth2({ authorizationUrl: "/oauth/authorize", tokenUrl: "/oauth/token", requiresEndpointUrl: true });
    const at = await registered(sandbox, definition(relative));
    const absolute: Auth = {
      ...relative,
      authorizationUrl: "https://my.shop.example/oauth/authorize",
      tokenUrl: "https://my.shop.example/oauth/token",
    };
    assert.ok((await signIn(at, absolute)).access_token);
    assert.equal(at.user.endpoint, "https://sandbox.shop.example");
  });
});
