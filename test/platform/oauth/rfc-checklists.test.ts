// RFC 8252 (OAuth 2.0 for native apps) and RFC 9700 (security best current practice), item by item as far as they are for a client.
// docs/security.md lists the same items; what is not done is named there with its reason, and the last test compares the two.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectSocket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { signInWithBrowser } from "../../../platform/connect/flows/authorization-code.ts";
import type { FlowContext } from "../../../platform/connect/flows/flow.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import { authorizationRequest } from "../../../platform/oauth/authorization-request.ts";
import { listenForRedirect } from "../../../platform/oauth/loopback-listener.ts";
import { DEFAULT_REDIRECT } from "../../../platform/oauth/receiver.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import { requestToken } from "../../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { titlesWith } from "../../../scripts/test-titles.ts";
import { AUTH_TYPES } from "../../../spec/auth-types.ts";
import { auth as definition, failure, onWire, success, TOKEN } from "../../support/broker.ts";
import { type FlowOptions, flowContext } from "../../support/flow-context.ts";
import { oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { root } from "../../support/packs.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { openRotatingServer } from "../../support/rotating-server.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";
import { openWire } from "../../support/wire.ts";

const FREE = { host: "localhost", port: 0, path: "/oauth" } as const;

describe("RFC checklists", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => {
    server.reset();
    server.responses = [{ body: '{"access_token":"the-access-token","refresh_token":"the-refresh-token"}' }];
  });

  const auth = (more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition =>
    definition("OAuth2", { authorizationUrl: `${server.base}/authorize`, tokenUrl: `${server.base}/token`, ...more });

  const context = (host: TestHost, more: FlowOptions = {}): FlowContext =>
    flowContext(server, {
      auth: auth(),
      host,
      redirect: FREE,
      client: { credentialsFor: async () => ({ clientId: "client", clientSecret: "client-secret" }) },
      ...more,
    });
  const approving = () => makeHost({ replies: { "edirect address": "open" } });
  const signIn = async (more: FlowOptions = {}) => {
    const host = approving();
    const signedIn = await signInWithBrowser(context(host, more));
    assert.ok(signedIn);
    return {
      host,
      signedIn,
      authorizationQuery: new URL(host.openedUrls.at(-1) ?? "").searchParams,
      tokenForm: new URLSearchParams(server.received.at(-1)?.body),
    };
  };

  describe("RFC 8252", () => {
    it("RFC 8252, 4 and 8.12: the sign-in opens the system's browser and no webview", async () => {
      const { host } = await signIn();
      assert.equal(host.openedUrls.length, 1);
      assert.equal(new URL(host.openedUrls[0] ?? "").origin, server.base);
      const client = readFileSync(join(root, "client/shown/web-page.ts"), "utf8");
      assert.match(client, /vscode\.env\.openExternal/);
      assert.ok(!/createWebviewPanel|simpleBrowser/.test(client));
    });

    it("RFC 8252, 6: PKCE uses S256 if configured or forced", async () => {
      const pkceSignIn = await signIn({ auth: auth({ useProofKeyForCodeExchange: true }) });
      assert.equal(pkceSignIn.authorizationQuery.get("code_challenge_method"), "S256");
      assert.ok(pkceSignIn.tokenForm.get("code_verifier"));
      const forced = await signIn({ forcePkce: true });
      assert.equal(forced.authorizationQuery.get("code_challenge_method"), "S256");
      const registered = await signIn({
        auth: auth({ useDynamicClientRegistration: true }),
        client: { stored: async () => ({ clientId: "registered" }), credentialsFor: async () => ({ clientId: "registered" }) },
      });
      assert.equal(registered.authorizationQuery.get("client_id"), "registered");
    });

    it("RFC 8252, 7.3: the redirect is http to loopback at any port", async () => {
      for (const host of ["localhost", "127.0.0.1"] as const) {
        const listener = await listenForRedirect({ ...FREE, host });
        const { protocol, hostname, port } = new URL(listener.redirectUri);
        listener.close();
        assert.deepEqual([protocol, hostname], ["http:", host]);
        assert.ok(Number(port) > 1023);
      }
    });

    it("RFC 8252, 8.3: the listener is on loopback only and ends with the sign-in", async () => {
      const outside = Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .filter(({ internal, family }) => !internal && family === "IPv4");
      const listener = await listenForRedirect(FREE);
      const port = Number(new URL(listener.redirectUri).port);
      // An address on which another server can listen is not listened on.
      for (const { address } of outside) await listenOn(address, port);
      assert.equal(await reaches("127.0.0.1", port), true);
      listener.close();
      assert.equal(await reaches("127.0.0.1", port), false);
    });

    it("RFC 8252, 8.4: the address to register is shown before the browser opens and equals the one sent", async () => {
      let openedBefore: number | undefined;
      const host: TestHost = makeHost({
        replies: { "Redirect address to register": "open" },
        onAsk: () => {
          openedBefore ??= host.openedUrls.length;
        },
      });
      await signInWithBrowser(context(host));
      assert.equal(openedBefore, 0);
      const redirectUri = new URL(host.openedUrls[0] ?? "").searchParams.get("redirect_uri") ?? "nothing";
      assert.ok(host.prompts[0]?.includes(redirectUri), host.prompts[0]);
    });

    it("RFC 8252, 8.5: a client without a secret sends none", async () => {
      const { tokenForm } = await signIn({ client: { credentialsFor: async () => ({ clientId: "public" }) } });
      assert.deepEqual([tokenForm.get("client_id"), tokenForm.has("client_secret")], ["public", false]);
      assert.equal(server.received.at(-1)?.headers.authorization, undefined);
    });

    it("RFC 8252, 8.9: the state is random, used once, and required", async () => {
      const states = new Set<string | null>();
      for (let i = 0; i < 3; i++) states.add((await signIn()).authorizationQuery.get("state"));
      assert.equal(states.size, 3);
      for (const state of states) assert.ok((state ?? "").length >= 43, "256 bits");
      const listener = await listenForRedirect(FREE);
      const wait = listener.wait("the-state", {});
      assert.equal((await fetch(`${listener.redirectUri}?code=forged`)).status, 400);
      assert.equal((await fetch(`${listener.redirectUri}?code=forged&state=guess`)).status, 400);
      assert.equal((await fetch(`${listener.redirectUri}?code=real&state=the-state`)).status, 200);
      assert.equal((await wait)?.get("code"), "real");
      await assert.rejects(fetch(`${listener.redirectUri}?code=again&state=the-state`));
    });
  });

  describe("RFC 9700", () => {
    it("RFC 9700, 2.1 and 4.1: the exchange repeats the redirect address of the request", async () => {
      const { authorizationQuery, tokenForm } = await signIn();
      assert.equal(tokenForm.get("redirect_uri"), authorizationQuery.get("redirect_uri"));
    });

    it("RFC 9700, 2.1.1 and 4.5: the code verifier is new for each attempt, and plain only if configured", async () => {
      const pkce = { auth: auth({ useProofKeyForCodeExchange: true }) };
      const [one, two] = [await signIn(pkce), await signIn(pkce)];
      assert.notEqual(one.tokenForm.get("code_verifier"), two.tokenForm.get("code_verifier"));
      assert.notEqual(one.authorizationQuery.get("code_challenge"), one.tokenForm.get("code_verifier"));
      const plain = await signIn({ auth: auth({ useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" }) });
      assert.equal(plain.authorizationQuery.get("code_challenge"), plain.tokenForm.get("code_verifier"));
    });

    it("RFC 9700, 2.1.2, 2.4 and 4.6: additionalParams cannot select the implicit grant, and no type uses passwords", async () => {
      const url = new URL(
        await authorizationRequest(
          auth({ additionalParams: { response_type: "token", redirect_uri: "https://evil.example" } }),
          "https://p.example/a",
          {
            clientId: "client",
            redirectUri: "http://localhost:3000/oauth",
            state: "s",
          },
        ),
      );
      assert.deepEqual(
        [url.searchParams.get("response_type"), url.searchParams.get("redirect_uri")],
        ["code", "http://localhost:3000/oauth"],
      );
      const { tokenForm } = await signIn();
      assert.equal(tokenForm.get("grant_type"), "authorization_code");
      const flows = new Set(Object.values(AUTH_TYPES).map(({ flow }) => flow));
      assert.ok(!(flows as Set<string>).has("password"));
    });

    it("RFC 9700, 2.2.2 and 4.14: refresh tokens rotate, are stored before use, never sent twice, and revoked on removal", async () => {
      const rotating = await openRotatingServer({ lifetime: 60 });
      try {
        const host = makeHost();
        const accounts = openAccounts(host);
        const { account, credential } = await storeAccount(accounts, oauthDefinition(rotating.tokenUrl), rotating.issue(), {
          server: { issuer: new URL(rotating.tokenUrl).origin, revocationUrl: `${server.base}/revoke` },
        });
        await refreshAccount(account, oauthDefinition(rotating.tokenUrl), credential, { ...host, accounts });
        await refreshAccount(account, oauthDefinition(rotating.tokenUrl), credential, { ...host, accounts });
        assert.deepEqual(rotating.receivedTokens, ["refresh-token-1"]);
        assert.deepEqual(await removeAccount(account.id, { ...host, accounts }), { revoked: true });
        assert.equal(new URLSearchParams(server.received[0]?.body).get("token"), "refresh-token-2");
      } finally {
        rotating.close();
      }
    });

    it("RFC 9700, 2.3 and 4.10.2: a sign-in requests only the configured scopes, and resource names the API", async () => {
      const { authorizationQuery, tokenForm } = await signIn({ auth: auth({ scopes: ["read"], resource: "https://api.example" }) });
      assert.equal(authorizationQuery.get("scope"), "read");
      assert.deepEqual([authorizationQuery.get("resource"), tokenForm.get("resource")], ["https://api.example", "https://api.example"]);
      assert.equal((await signIn()).authorizationQuery.has("scope"), false);
    });

    it("RFC 9700, 2.6: plain http in authorizationUrl or tokenUrl is refused", async () => {
      for (const field of ["authorizationUrl", "tokenUrl"] as const) {
        const host = approving();
        const plain = context(host, { auth: auth({ [field]: "http://p.example/x" }) });
        await assert.rejects(async () => signInWithBrowser(plain), {
          code: "configuration-invalid",
          configPath: `userAuthentication.${field}`,
        });
        assert.deepEqual(host.openedUrls, []);
      }
    });

    it("RFC 9700, 4.2.4, 4.11 and 4.16: the last page leaks no code, links nowhere, and cannot be framed", async () => {
      const listener = await listenForRedirect(FREE);
      const wait = listener.wait("s", {});
      const response = await fetch(`${listener.redirectUri}?code=the-code&state=s&next=https://evil.example&redirect=https://evil.example`);
      const page = await response.text();
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("location"), null);
      assert.equal(response.headers.get("referrer-policy"), "no-referrer");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
      assert.equal(response.headers.get("x-frame-options"), "DENY");
      assert.ok(!/the-code|evil|<a |<script|<img|http-equiv|src=/.test(page), page);
      await wait;
    });

    it("RFC 9700, 4.3: tokens go into a query only if tokenQueryParam is set", async () => {
      const wire = await openWire();
      try {
        const credential = { kind: "oauth2", accessToken: TOKEN } as const;
        const oauth = { ...definition("OAuth2"), networkDomain: "good.com" };
        success(await onWire(wire, { authentication: oauth, credential }).send({ url: "https://good.com/x" }));
        assert.deepEqual([wire.requests[0]?.path, wire.requests[0]?.headers.authorization], ["/x", `Bearer ${TOKEN}`]);
        success(await onWire(wire, { authentication: { ...oauth, tokenQueryParam: "t" }, credential }).send({ url: "https://good.com/x" }));
        assert.deepEqual([wire.requests[1]?.path, wire.requests[1]?.headers.authorization], [`/x?t=${TOKEN}`, undefined]);
      } finally {
        await wire.close();
      }
    });

    it("RFC 9700, 2.1 and 4.4: an answer that names another issuer is refused without a token request", async () => {
      server.metadata = () => ({ issuer: server.base, token_endpoint: `${server.base}/token` });
      server.callback = (query) => ({ code: "c", state: query.get("state") ?? "", iss: "https://evil.example" });
      await assert.rejects(async () => signInWithBrowser(context(approving())), { code: "authorization-invalid" });
      assert.equal(server.received.length, 0);
    });

    it("RFC 9700, 4.7: a callback without a pending sign-in gets 404", async () => {
      const listener = await listenForRedirect(FREE);
      assert.equal((await fetch(`${listener.redirectUri}?code=c&state=s`)).status, 404);
      listener.close();
    });

    it("RFC 9700, 4.8: no verifier is sent without a challenge", async () => {
      const { authorizationQuery, tokenForm } = await signIn();
      assert.deepEqual([authorizationQuery.has("code_challenge"), tokenForm.has("code_verifier")], [false, false]);
    });

    it("RFC 9700, 4.9: a token goes to the declared domain only, not with a redirect elsewhere", async () => {
      const wire = await openWire();
      try {
        wire.respond = ({ host }, response) =>
          void (host === "good.com" ? response.writeHead(307, { location: "https://other.com/" }) : response).end();
        const { send } = onWire(wire);
        await send({ url: "https://good.com/" });
        assert.deepEqual(
          wire.requests.map(({ host, headers }) => [host, headers.authorization !== undefined]),
          [
            ["good.com", true],
            ["other.com", false],
          ],
        );
        failure(await send({ url: "https://evil.example/" }));
        assert.equal(wire.requests.length, 2);
      } finally {
        await wire.close();
      }
    });

    it("RFC 9700, 4.12: a redirect of the token endpoint is not followed", async () => {
      const elsewhere = await openTokenServer();
      try {
        for (const status of [301, 302, 303, 307, 308]) {
          server.responses = [{ status, headers: { location: `${elsewhere.base}/token` }, body: "" }];
          await assert.rejects(
            requestToken(
              {
                auth: auth(),
                configRoot: "userAuthentication",
                tokenUrl: `${server.base}/token`,
                address: `${server.base}/token`,
                client: { clientId: "client", clientSecret: "client-secret" },
                fetch: (url, init) => fetch(url, init),
                now: Date.now,
              },
              { kind: "refresh", refreshToken: "the-refresh-token" },
            ),
            /answers with a redirect/,
          );
        }
        assert.equal(elsewhere.received.length, 0);
      } finally {
        elsewhere.close();
      }
    });
  });

  it("the default redirect is the one in the toolkit's documentation", () => {
    assert.deepEqual(DEFAULT_REDIRECT, { host: "localhost", port: 3000, path: "/oauth" });
  });

  it("docs/security.md lists every tested item, each done with a test or with a reason", () => {
    const docs = readFileSync(join(root, "docs/security.md"), "utf8");
    const here = "test/platform/oauth/rfc-checklists.test.ts";
    const tested = titlesWith(root, "RFC ").flatMap(({ file, title }) => itemsOf(title).map((item) => ({ file, item })));
    const listed = [...docs.matchAll(/^\| (RFC \d+, [\d.]+) \|.*\| (done|\*\*not done\*\*) \| (.+) \|$/gm)].map(
      ([, item = "", state, reason = ""]) => ({
        item,
        isTested: state === "done",
        reason,
      }),
    );
    assert.ok(listed.length >= 30);
    const names = new Set(listed.map(({ item }) => item));
    assert.deepEqual(
      tested.filter(({ file, item }) => file === here && !names.has(item)),
      [],
      "not in the document",
    );
    const testedItems = new Set(tested.map(({ item }) => item));
    assert.deepEqual(
      listed.filter(({ item, isTested }) => isTested && !testedItems.has(item)).map(({ item }) => item),
      [],
      "called done, and no test names it",
    );
    const deviations = listed.filter(({ isTested }) => !isTested);
    assert.ok(deviations.length >= 4);
    for (const { item, reason } of deviations) assert.ok(reason.length > 20, item);
    assert.equal(docs.match(/^\| RFC /gm)?.length, listed.length, "a row that is neither done nor not done");
  });
});

/** `RFC 8252, 4 and 8.12: …` names two items; what does not begin with one names none. */
function itemsOf(title: string): readonly string[] {
  const [, rfc, items = ""] = /^(RFC \d+), ([\d., and]+):/.exec(title) ?? [];
  return (items.match(/\d+(\.\d+)*/g) ?? []).map((item) => `${rfc}, ${item}`);
}

async function listenOn(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  await new Promise((resolve) => server.close(resolve));
}

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket({ host, port, timeout: 20_000 });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false));
  });
}
