// OAuth against raw local servers that answer the way real providers do, and against people who deny, dawdle or cancel.
import assert from "node:assert/strict";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openAccounts, packKey } from "../../platform/accounts.ts";
import { connect } from "../../platform/connect.ts";
import type { PackAuthError } from "../../platform/errors.ts";
import { authorizationRequest } from "../../platform/flows/authorization-code.ts";
import { listenForRedirect } from "../../platform/oauth/loopback-listener.ts";
import { refreshAccount } from "../../platform/oauth/refresh.ts";
import { type Grant, requestToken, type TokenAnswer } from "../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { closePacks, pack } from "../support/packs.ts";
import { makeHost, type TestHostOptions } from "../support/platform-host.ts";

const auth = (more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition => ({
  type: "OAuth2",
  hasGetConnectionName: false,
  postSetup: [],
  ...more,
});

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

describe("OAuth", () => {
  let server: Server;
  let base: string;
  let answers: Answer[];
  let received: { headers: NodeJS.Dict<string | string[]>; body: string }[];
  before((done) => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      response.writeHead(answer?.status ?? 200, { "content-type": answer?.type ?? "application/json", ...answer?.headers });
      response.end(answer?.body);
    }).listen(0, "127.0.0.1", () => {
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    closePacks();
    removePackFiles();
  });
  beforeEach(() => {
    answers = [];
    received = [];
  });

  const ask = (
    definition = auth(),
    grant: Grant = { kind: "refresh", refreshToken: "old-refresh" },
    secret: string | undefined = "client-secret",
  ): Promise<TokenAnswer> =>
    requestToken(
      {
        auth: definition,
        configRoot: "userAuthentication",
        tokenUrl: `${base}/token`,
        address: `${base}/token`,
        client: { clientId: "client", ...(secret === undefined ? {} : { clientSecret: secret }) },
        fetch: (url, init) => fetch(url, init),
        now: () => 1_000,
      },
      grant,
    );

  const accepted: Readonly<
    Record<string, { answer: Answer; auth?: Partial<AuthenticationDefinition>; expiresAt?: number; refreshToken?: string }>
  > = {
    "the standard one": {
      answer: { body: '{"access_token":"t","token_type":"Bearer","expires_in":60,"refresh_token":"r"}' },
      expiresAt: 61_000,
      refreshToken: "r",
    },
    "a form body": { answer: { type: "application/x-www-form-urlencoded", body: "access_token=t&scope=a%2Cb&token_type=bearer" } },
    "a form body that says text": { answer: { type: "text/plain", body: "access_token=t&token_type=bearer" } },
    "JSON that says text": { answer: { type: "text/html", body: '{"access_token":"t","token_type":"bearer"}' } },
    "no token_type": { answer: { body: '{"access_token":"t"}' } },
    "an odd token_type": { answer: { body: '{"access_token":"t","token_type":"user"}' } },
    "token_type as a number": { answer: { body: '{"access_token":"t","token_type":1}' } },
    "expires_in as a text": { answer: { body: '{"access_token":"t","expires_in":"60"}' }, expiresAt: 61_000 },
    "expires_in null": { answer: { body: '{"access_token":"t","expires_in":null}' } },
    "expires_in garbage": { answer: { body: '{"access_token":"t","expires_in":"soon"}' } },
    "status 201": { answer: { status: 201, body: '{"access_token":"t"}' } },
    "a byte order mark": { answer: { body: '\ufeff{"access_token":"t"}' } },
    "nested under nestedResponseKey": {
      answer: { body: '{"ok":true,"authed_user":{"access_token":"t"}}' },
      auth: { nestedResponseKey: "authed_user" },
    },
    "refresh_token null": { answer: { body: '{"access_token":"t","refresh_token":null}' } },
    "scope as a list": { answer: { body: '{"access_token":"t","scope":["a","b"]}' } },
    "an id_token that no one can read": { answer: { body: '{"access_token":"t","id_token":"garbage"}' } },
    "further members": { answer: { body: '{"access_token":"t","instance_url":"https://x.example","error":null}' } },
  };
  assert.equal(Object.keys(accepted).length, 17);
  for (const [name, { answer, auth: more, expiresAt, refreshToken }] of Object.entries(accepted)) {
    it(`takes a token response: ${name}`, async () => {
      answers = [answer];
      const { credential, raw } = await ask(auth(more));
      assert.equal(credential.accessToken, "t");
      assert.equal(credential.expiresAt, expiresAt);
      assert.equal(credential.refreshToken, refreshToken ?? "old-refresh");
      if (name === "further members") assert.equal(raw.instance_url, "https://x.example");
    });
  }

  const refused: Readonly<Record<string, [Answer, RegExp]>> = {
    "200 with an error": [
      { body: '{"error":"bad_verification_code","error_description":"The code is wrong"}' },
      /bad_verification_code — “The code is wrong”/,
    ],
    "an error object": [{ status: 400, body: '{"error":{"code":"E1","message":"Broken"}}' }, /E1 — “Broken”/],
    "a text": [{ status: 403, type: "text/plain", body: "Forbidden zone" }, /status 403 — “Forbidden zone”/],
    HTML: [{ status: 500, type: "text/html", body: "<html><body><h1>Oops</h1></body></html>" }, /status 500 — “Oops”/],
    nothing: [{ body: "" }, /nothing else/],
    "no access_token": [{ body: '{"hello":1}' }, /no access_token/],
    invalid_grant: [{ status: 400, body: '{"error":"invalid_grant","error_description":"expired"}' }, /invalid_grant — “expired”/],
    "a redirect": [{ status: 302, headers: { location: "https://evil.example" }, body: "" }, /redirect \(302\)/],
  };
  for (const [name, [answer, message]] of Object.entries(refused)) {
    it(`tells what is wrong with a token response: ${name}`, async () => {
      answers = [answer];
      await assert.rejects(
        ask(),
        (error: PackAuthError) => message.test(error.message) && error.configPath?.startsWith("userAuthentication.") === true,
      );
    });
  }

  it("tries form, then Basic, then JSON; stops at the first success; never goes on after invalid_grant", async () => {
    answers = [
      { status: 401, body: '{"error":"invalid_client"}' },
      { status: 401, body: '{"error":"invalid_client"}' },
      { body: '{"access_token":"t"}' },
    ];
    assert.equal((await ask()).method, "json");
    assert.match(received[0]?.body ?? "", /client_secret=client-secret/);
    assert.match(String(received[1]?.headers.authorization), /^Basic /);
    assert.equal(JSON.parse(received[2]?.body ?? "").client_secret, "client-secret");
    received = [];
    answers = [{ status: 400, body: '{"error":"invalid_grant"}' }];
    await assert.rejects(ask());
    assert.equal(received.length, 1);
    received = [];
    answers = [{ status: 401, body: '{"error":"invalid_client"}' }];
    await assert.rejects(ask(auth({ credentialsLocation: "AuthorizationHeader" })));
    assert.equal(received.length, 1);
    assert.match(String(received[0]?.headers.authorization), /^Basic /);
  });

  it("builds the authorization request: the platform's own parameters win, scopes are joined as configured", async () => {
    const url = new URL(
      await authorizationRequest(
        auth({
          scopes: ["a b", "c"],
          scopeDelimiter: ",",
          scopeParamName: "user_scope",
          additionalParams: { state: "mine", access_type: "offline", n: 1 },
        }),
        "https://p.example/a?x=1",
        {
          clientId: "id",
          redirectUri: "http://localhost:3000/oauth",
          state: "real",
          verifier: "v".repeat(43),
        },
      ),
    );
    const parameters = Object.fromEntries(url.searchParams);
    assert.equal(parameters.state, "real");
    assert.equal(parameters.user_scope, "a b,c");
    assert.equal(parameters.access_type, "offline");
    assert.equal(parameters.x, "1");
    assert.equal(parameters.n, "1");
    assert.equal(parameters.code_challenge_method, "S256");
    assert.ok(!url.search.includes("+"));
  });

  const call = (port: string, path: string, host?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      httpRequest({ host: "127.0.0.1", port, path, headers: host === undefined ? {} : { host } }, (response) =>
        resolve(response.resume().statusCode ?? 0),
      )
        .on("error", reject)
        .end();
    });

  it("listens on loopback for one valid callback: Host, path and state are checked", async () => {
    const listener = await listenForRedirect({ host: "localhost", port: 0, path: "/oauth" });
    const { port } = new URL(listener.redirectUri);
    const callback = listener.wait("right-state", {});
    assert.equal(await call(port, "/oauth?code=1&state=right-state", "evil.example"), 421);
    assert.equal(await call(port, "/other?code=1&state=right-state"), 404);
    assert.equal(await call(port, "/oauth?code=1&state=wrong"), 400);
    assert.equal(await call(port, "/oauth?state=right-state"), 400);
    assert.equal(await call(port, "/oauth?code=1&state=right-state"), 200);
    assert.equal((await callback)?.get("code"), "1");
    await assert.rejects(call(port, "/oauth?code=2&state=right-state"));
  });

  it("names the remedy for a busy port, times out, and ends quietly on cancel", async () => {
    const port = (server.address() as AddressInfo).port;
    await assert.rejects(
      listenForRedirect({ host: "localhost", port, path: "/oauth" }),
      (error: PackAuthError) => error.code === "redirect-port-busy" && /packAuth\.redirect\.port/.test(error.hint ?? ""),
    );
    const slow = await listenForRedirect({ host: "localhost", port: 0, path: "/oauth" });
    await assert.rejects(slow.wait("s", { timeout: 50 }), { code: "authorization-timed-out" });
    const cancelled = await listenForRedirect({ host: "localhost", port: 0, path: "/oauth" });
    const abort = new AbortController();
    const waiting = cancelled.wait("s", { signal: abort.signal });
    abort.abort();
    assert.equal(await waiting, undefined);
  });

  describe("accounts", () => {
    const signIn = async (options: TestHostOptions, scope: "user" | "system" = "user") => {
      const entry = packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, uxConfig: { placeholderUsername: "Login", placeholderPassword: "Key" } });
`,
      });
      const host = makeHost(options);
      const accounts = openAccounts(host);
      return { host, accounts, entry, connected: connect(await pack(entry), { scope, packName: "test", host, accounts }) };
    };

    it("asks with uxConfig's labels, keeps the secret out of the metadata, and takes the default label", async () => {
      const { host, accounts, connected } = await signIn({ answers: { Login: "me", Key: "hunter-two-two", "Where may": "all" } });
      const account = (await connected)?.account;
      assert.equal(account?.label, "os-user");
      assert.equal(account?.shared, true);
      assert.ok(!JSON.stringify([...host.states]).includes("hunter-two-two"));
      assert.ok([...host.secretValues.values()].join().includes("hunter-two-two"));
      assert.deepEqual(await accounts.credential(account?.id ?? ""), { kind: "basic", username: "me", password: "hunter-two-two" });
    });

    for (const cancelledAt of ["Login", "Key", "Where may"]) {
      it(`leaves nothing when cancelled at ${cancelledAt}`, async () => {
        const { host, accounts, connected } = await signIn({
          answers: { Login: "me", Key: "hunter-two-two", "Where may": "all", [cancelledAt]: undefined },
        });
        assert.equal(await connected, undefined);
        assert.deepEqual(accounts.list(), []);
        assert.equal(host.secretValues.size, 0);
      });
    }

    it("tells when the keyring fails, and half-saves nothing", async () => {
      const { host, accounts, connected } = await signIn({
        answers: { Login: "me", Key: "hunter-two-two", "Where may": "all" },
        secrets: { set: () => Promise.reject(new Error("locked")) },
      });
      await assert.rejects(connected, { code: "storage-failed" });
      assert.deepEqual(accounts.list(), []);
      assert.equal(host.secretValues.size, 0);
    });

    it("reads a lost or broken secret as: sign in again", async () => {
      const { host, accounts, connected } = await signIn({ answers: { Login: "me", Key: "hunter-two-two", "Where may": "all" } });
      const account = (await connected)?.account;
      assert.ok(account);
      assert.equal((await accounts.stateOf(account)).state, "ready");
      host.secretValues.set(`packAuth.account.${account.id}`, "{broken");
      assert.equal((await accounts.stateOf(account)).state, "signInAgain");
      host.secretValues.clear();
      assert.equal((await accounts.stateOf(account)).state, "signInAgain");
      assert.equal(accounts.list(account.pack).length, 1);
    });

    it("refreshes once for many at a time, stores the rotated token first, and loses nothing when it fails", async () => {
      const host = makeHost();
      const accounts = openAccounts(host);
      const account = {
        id: "one",
        pack: packKey("/p"),
        scope: "user" as const,
        type: "OAuth2",
        label: "x",
        shared: true,
        createdAt: 0,
        configuration: "c",
      };
      const stale = { kind: "oauth2" as const, accessToken: "old", refreshToken: "old-refresh" };
      await accounts.save(account, stale);
      await accounts.saveClientCredentials(account.pack, "user", { clientId: "c", clientSecret: "s" });
      const refreshHost = { accounts, fetch: host.fetch, now: host.now, storageFolder: host.storageFolder };
      answers = [{ body: '{"access_token":"new","refresh_token":"rotated"}' }];
      const definition = auth({ tokenUrl: `${base}/token` });
      const all = await Promise.all([1, 2, 3, 4, 5].map(() => refreshAccount(account, definition, stale, refreshHost)));
      assert.deepEqual(new Set(all.map((fresh) => fresh?.accessToken)), new Set(["new"]));
      assert.equal(received.length, 1);
      // Another window already renewed it: its token is taken, nothing is sent.
      assert.equal((await refreshAccount(account, definition, stale, refreshHost))?.accessToken, "new");
      assert.equal(received.length, 1);
      answers = [{ status: 500, body: "down" }];
      const current = (await accounts.credential("one")) as typeof stale;
      await assert.rejects(refreshAccount(account, definition, current, refreshHost), { code: "refresh-failed" });
      assert.deepEqual(await accounts.credential("one"), current);
    });
  });
});
