// Sign-ins with the sandbox's provider over real HTTP: what a real one grants it grants, and what a real one refuses it refuses.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import { sandboxAddress } from "../../../platform/network/sandbox-address.ts";
import { browse } from "../../support/browser.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import {
  API,
  AUTHORIZE,
  approve,
  authorizationUrl,
  bearer,
  callbackServer,
  definition,
  errorOf,
  oauth2,
  registered,
  removeStubsFiles,
  requestToken,
  type TestPack,
  TOKEN,
  type TokenBody,
  type Tokens,
} from "../../support/sandbox.ts";

describe("The sandbox's provider", () => {
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

  const pack = (own: Parameters<typeof oauth2>[0] = {}, stubs?: unknown): Promise<TestPack> =>
    registered(sandbox, definition(oauth2(own)), stubs === undefined ? {} : { stubs });
  /** Approves, then exchanges with `body` over the right request. */
  async function exchange(
    at: TestPack,
    parameters: Readonly<Record<string, string | undefined>>,
    body: TokenBody = {},
    init: RequestInit = {},
  ) {
    const { url, attempt } = authorizationUrl(at, AUTHORIZE, redirectUri, parameters);
    const response = await approve(url);
    const code = response.get("code");
    assert.ok(code, String(response));
    const standard = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: attempt.verifier };
    return { code, attempt, tokenResponse: await requestToken(at, TOKEN, { ...standard, ...body }, init) };
  }

  it("a strict client gets a code with PKCE and a token that the API accepts", async () => {
    const at = await pack({ useProofKeyForCodeExchange: true });
    const { url, attempt } = authorizationUrl(at, AUTHORIZE, redirectUri, { scope: "orders:read orders:write" });
    const server = { issuer: `${at.origin}/login.shop.example`, token_endpoint: sandboxAddress(TOKEN, at.origin) };
    const client = { client_id: at.user.clientCredentials.clientId };
    const callbackParameters = oauth.validateAuthResponse(server, client, await approve(url), attempt.state);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const secret = oauth.ClientSecretPost(at.user.clientCredentials.clientSecret ?? "");
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      callbackParameters,
      redirectUri,
      attempt.verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    assert.equal(tokens.expires_in, 3600);
    assert.equal(tokens.scope, "orders:read orders:write");
    assert.ok(tokens.refresh_token);
    assert.equal((await at.api(API, bearer(tokens.access_token))).status, 200);
  });

  it("the page names sandbox, pack and scopes, and loads nothing from elsewhere", async () => {
    const at = await pack({ scopes: ["orders:read", "<b>&"] });
    const page = await followToPage(authorizationUrl(at, AUTHORIZE, redirectUri, { scope: "orders:read" }).url);
    assert.match(page, /Pack Auth sandbox/);
    assert.match(page, /<strong>shop<\/strong>/);
    assert.match(page, /<code>login\.shop\.example<\/code>/);
    assert.match(page, /<li><code>orders:read<\/code><\/li>/);
    assert.match(page, /<button[^>]*value="approve"[^>]*>Approve<\/button>/);
    assert.match(page, /<button[^>]*value="deny"[^>]*>Deny<\/button>/);
    assert.doesNotMatch(page, /<script|@import|<link|src=/);
  });

  it("the browser stays on the host it came by", async () => {
    const at = await pack();
    const { url } = authorizationUrl(at, AUTHORIZE, redirectUri);
    for (const start of [url, url.replace("127.0.0.1", "localhost")]) {
      const hosts = await hostsOnTheWay(start);
      assert.deepEqual([...hosts], [new URL(start).host]);
      assert.ok((await approve(start)).get("code"));
    }
  });

  it("Deny returns access_denied with the state", async () => {
    const at = await pack();
    const { url, attempt } = authorizationUrl(at, AUTHORIZE, redirectUri);
    const response = await approve(url, "deny");
    assert.equal(response.get("error"), "access_denied");
    assert.equal(response.get("state"), attempt.state);
    assert.equal(response.get("code"), null);
  });

  it("redirect addresses on loopback are accepted, others refused", async () => {
    const at = await pack();
    for (const own of [redirectUri, `http://localhost:${callback.port}/any/path`]) {
      assert.ok((await approve(authorizationUrl(at, AUTHORIZE, own).url)).get("code"), own);
    }
    for (const other of [
      "https://evil.example/oauth",
      "http://127.0.0.1.evil.example/",
      "https://localhost/x",
      "ms-app://x",
      "http://10.0.0.1/",
    ]) {
      const page = await browse(authorizationUrl(at, AUTHORIZE, other).url, "approve");
      assert.equal(page.status, 400, other);
      assert.match(page.text, /invalid_redirect_uri/);
    }
  });

  it("an unknown client is refused in the browser", async () => {
    const at = await pack();
    const page = await browse(authorizationUrl(at, AUTHORIZE, redirectUri, { client_id: "other" }).url, "approve");
    assert.equal(page.status, 400);
    assert.match(page.text, /invalid_client/);
  });

  it("a missing challenge and a wrong or missing verifier are refused under PKCE", async () => {
    const at = await pack({ useProofKeyForCodeExchange: true });
    const without = authorizationUrl(at, AUTHORIZE, redirectUri, { code_challenge: undefined, code_challenge_method: undefined });
    assert.equal((await approve(without.url)).get("error"), "invalid_request");
    for (const code_verifier of ["x".repeat(43), undefined])
      assert.equal(errorOf((await exchange(at, {}, { code_verifier })).tokenResponse), "invalid_grant");
  });

  it("plain challenges are verified, named or by default", async () => {
    const at = await pack({ useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" });
    const verifier = "v".repeat(50);
    for (const method of ["plain", undefined]) {
      const plain = { code_challenge: verifier, code_challenge_method: method };
      assert.equal((await exchange(at, plain, { code_verifier: verifier })).tokenResponse.status, 200);
      assert.equal(errorOf((await exchange(at, plain, { code_verifier: "w".repeat(50) })).tokenResponse), "invalid_grant");
      const hashed = createHash("sha256").update(verifier).digest("base64url");
      assert.equal(errorOf((await exchange(at, plain, { code_verifier: hashed })).tokenResponse), "invalid_grant");
    }
  });

  it("a code is accepted once and for its redirect address", async () => {
    const at = await pack();
    const { code, tokenResponse, attempt } = await exchange(at, {});
    assert.equal(tokenResponse.status, 200);
    const again = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: attempt.verifier };
    assert.equal(errorOf(await requestToken(at, TOKEN, again)), "invalid_grant");
    // A code that comes twice was stolen: what it granted is void (RFC 6749, section 10.5).
    assert.equal((await at.api(API, bearer((tokenResponse.body as Tokens).access_token))).status, 401);
    assert.equal(errorOf((await exchange(at, {}, { redirect_uri: `${redirectUri}2` })).tokenResponse), "invalid_grant");
  });

  it("scopes are read by the configured name and delimiter, with offline_access and openid", async () => {
    const at = await pack({ scopeParamName: "user_scope", scopeDelimiter: ",", scopes: ["orders:read", "openid", "offline_access"] });
    const { tokenResponse } = await exchange(at, { scope: undefined, user_scope: "orders:read,openid,offline_access" });
    assert.equal((tokenResponse.body as Tokens).scope, "orders:read openid offline_access");
    const without = await pack({ scopes: [] });
    const none = { at: without, ...(await exchange(without, { scope: undefined })) };
    assert.equal(none.tokenResponse.status, 200);
    assert.equal((none.tokenResponse.body as Tokens).scope, undefined);
    assert.match(await followToPage(authorizationUrl(none.at, AUTHORIZE, redirectUri, { scope: undefined }).url), /asks for no scopes/);
  });

  it("unknown additionalParams are ignored", async () => {
    const at = await pack();
    const extra = {
      access_type: "offline",
      prompt: "none",
      nonce: "n",
      max_age: "1",
      claims: "{",
      request: "x",
      response_mode: "form_post",
      resource: "x",
    };
    assert.equal((await exchange(at, extra)).tokenResponse.status, 200);
  });

  it("the token and the endpoint are placed by nestedResponseKey and endpointKey", async () => {
    const at = await pack({ nestedResponseKey: "authed_user", endpointKey: "instance_url" }, { endpoint: "https://eu.shop.example" });
    assert.equal(at.user.endpoint, "https://eu.shop.example");
    const body = (await exchange(at, {})).tokenResponse.body as { authed_user: Tokens; instance_url: string };
    assert.equal(body.instance_url, "https://eu.shop.example");
    assert.equal((await at.api(API, bearer(body.authed_user.access_token))).status, 200);
    const byDefault = await pack({ endpointKey: "instance_url" });
    assert.equal(
      ((await exchange(byDefault, {})).tokenResponse.body as { instance_url: string }).instance_url,
      "https://sandbox.shop.example",
    );
  });

  it("a finished or unknown sign-in page is over", async () => {
    const at = await pack();
    const page = await fetch(`${at.origin}/_sandbox/user/approve?id=unknown`);
    assert.equal(page.status, 400);
    assert.match(await page.text(), /This sign-in is over/);
    assert.equal((await fetch(`${at.origin}/_sandbox/other`)).status, 404);
  });
});

/** The approval page's HTML. */
async function followToPage(start: string): Promise<string> {
  const first = await fetch(start, { redirect: "manual" });
  const second = await fetch(new URL(first.headers.get("location") ?? "", first.url), { redirect: "manual" });
  const cookies = second.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const page = await fetch(new URL(second.headers.get("location") ?? "", second.url), { headers: { cookie: cookies.join("; ") } });
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  return page.text();
}

/** Every host that the provider's own redirects name before the application's. */
async function hostsOnTheWay(start: string): Promise<ReadonlySet<string>> {
  const url = new URL(start);
  const headers = { host: url.host };
  const { request } = await import("node:http");
  const location = await new Promise<string>((resolve, reject) =>
    request({ host: "127.0.0.1", port: url.port, path: url.pathname + url.search, headers }, (response) => {
      response.resume();
      resolve(response.headers.location ?? "");
    })
      .on("error", reject)
      .end(),
  );
  return new Set([url.host, new URL(location, url).host]);
}
