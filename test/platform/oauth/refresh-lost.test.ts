// A refresh token whose answer is lost: a provider that rotates takes the same token for theft when it comes again, and ends every
// sign-in. It may be sent again only where the provider answered, or where nothing was sent; a real provider says what happens otherwise.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { type Accounts, openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import type { Fetch } from "../../../platform/host.ts";
import { wasNeverSent } from "../../../platform/network/network-failure.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { openFaultyServer } from "../../support/faulty-server.ts";
import { oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { openOidcProvider } from "../../support/oidc-provider.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { keepPort } from "../../support/reserved-port.ts";

/** Without a word of it, the next request may be sent on a connection that has ended. */
const head = (status: string, more = "Content-Length: 0"): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nConnection: close\r\n${more}\r\n\r\n`;
const whole = (status: string, body: string): string => `${head(status, `Content-Length: ${Buffer.byteLength(body)}`)}${body}`;
const NEW_TOKENS = '{"access_token":"new-access-token","refresh_token":"new-refresh-token","expires_in":60}';

type Behaviour = (socket: Socket) => void;
/** The token may be used up behind each of these. */
const LOST_RESPONSES: Readonly<Record<string, Behaviour>> = {
  "the connection is reset": (socket) => socket.resetAndDestroy(),
  "the connection is closed": (socket) => socket.end(),
  "no answer comes": () => {},
  "only the head of the answer comes": (socket) => socket.write(head("200 OK", "Content-Length: 100")),
  "the answer is cut off in its middle": (socket) => socket.end(`${head("200 OK", "Content-Length: 500")}${NEW_TOKENS.slice(0, 40)}`),
  "the answer is cut off without a known length": (socket) =>
    socket.end(`${head("200 OK", "Cache-Control: no-store")}${NEW_TOKENS.slice(0, 40)}`),
  "the answer is a page": (socket) => socket.end(whole("200 OK", "<html><title>Welcome to the network</title></html>")),
  "the answer is empty": (socket) => socket.end(head("200 OK")),
  "the answer is too large": (socket) => socket.end(`${head("200 OK", "Cache-Control: no-store")}"${"x".repeat(1_100_000)}"`),
  "a gateway got no answer in time (504)": (socket) => socket.end(head("504 Gateway Timeout")),
  "a gateway got a bad answer (502)": (socket) => socket.end(head("502 Bad Gateway")),
  "a proxy lost its connection (503)": (socket) =>
    socket.end(
      whole("503 Service Unavailable", "upstream connect error or disconnect/reset before headers. reset reason: connection termination"),
    ),
  "the host in front timed out (524)": (socket) => socket.end(head("524 A Timeout Occurred")),
};
/** The provider decided, and did not give a token. */
const COMPLETE_RESPONSES: Readonly<Record<string, Behaviour>> = {
  invalid_client: (socket) => socket.end(whole("401 Unauthorized", '{"error":"invalid_client"}')),
  invalid_request: (socket) => socket.end(whole("400 Bad Request", '{"error":"invalid_request"}')),
  temporarily_unavailable: (socket) => socket.end(whole("503 Service Unavailable", '{"error":"temporarily_unavailable"}')),
  "too many requests": (socket) => socket.end(head("429 Too Many Requests")),
  maintenance: (socket) => socket.end(whole("503 Service Unavailable", "<html><title>Down for maintenance</title></html>")),
  "a redirect": (socket) => socket.end(head("302 Found", "Location: /login\r\nContent-Length: 0")),
};

describe("A refresh whose answer is lost", function () {
  this.timeout(20_000);
  let host: TestHost;
  let accounts: Accounts;
  let behave: Behaviour;
  /** What arrived, whole. */
  let arrived: string[];
  let tokenUrl: string;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk;
      const [top = "", body = ""] = text.split("\r\n\r\n");
      if (body.length < Number(/content-length: (\d+)/i.exec(top)?.[1] ?? Number.POSITIVE_INFINITY)) return;
      arrived.push(new URLSearchParams(body).get("refresh_token") ?? body);
      text = "";
      behave(socket);
    });
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  });
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  beforeEach(() => {
    host = makeHost();
    accounts = openAccounts(host);
    arrived = [];
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  const give: Behaviour = (socket) => socket.end(whole("200 OK", NEW_TOKENS));
  async function stored(rotates?: boolean) {
    const definition = oauthDefinition(tokenUrl);
    const { account, credential } = await storeAccount(accounts, definition, { access: "the-access-token", refresh: "the-refresh-token" });
    const secret = await accounts.secret(account.id);
    if (rotates !== undefined && secret !== undefined)
      await accounts.renew(account.id, { credential, generation: secret.generation, rotates, change: (unchanged) => unchanged });
    // Each time as another window would.
    const renew = (fetch: Fetch = host.fetch) =>
      refreshAccount(account, definition, credential, { ...host, fetch, accounts: openAccounts(host), timeout: 300 });
    return { account, credential, renew };
  }
  const refusalOf = (work: Promise<unknown>): Promise<PackAuthError> =>
    work.then(
      () => assert.fail("it was not refused"),
      (error: unknown) => error as PackAuthError,
    );

  for (const [what, behaviour] of Object.entries(LOST_RESPONSES)) {
    for (const rotates of [undefined, true]) {
      const kind = rotates ? "that rotates" : "that is not known to stay";
      it(`a token ${kind} is not sent again, with advice to sign in again, when ${what}`, async () => {
        const { account, credential, renew } = await stored(rotates);
        behave = behaviour;
        const first = await refusalOf(renew());
        assert.equal(first.code, "sign-in-again");
        assert.match(first.hint ?? "", /^Sign in again: the refresh token may be used up\./);
        behave = give;
        for (const _again of [1, 2]) assert.equal((await refusalOf(renew())).code, "sign-in-again");
        assert.deepEqual(arrived, ["the-refresh-token"]);
        assert.deepEqual(await accounts.credential(account.id), credential, "what is stored stays");
        const state = await accounts.stateOf((await accounts.get(account.id)) ?? account);
        assert.deepEqual(state, {
          state: "refused",
          reason: "a refresh was interrupted, so the refresh token may be used up",
          nextStep: "Sign in again.",
        });
      });
    }
    it(`a token known to be reusable is sent again when ${what}`, async () => {
      const { renew } = await stored(false);
      behave = behaviour;
      assert.equal((await refusalOf(renew())).code, "refresh-failed");
      behave = give;
      assert.equal((await renew())?.accessToken, "new-access-token");
    });
  }

  for (const [what, behaviour] of Object.entries(COMPLETE_RESPONSES))
    it(`a token is sent again after a complete answer: ${what}`, async () => {
      const { renew } = await stored();
      behave = behaviour;
      assert.notEqual((await refusalOf(renew())).code, "sign-in-again");
      behave = give;
      assert.equal((await renew())?.accessToken, "new-access-token");
    });

  it("a lost answer to the second client method counts as lost", async () => {
    const { renew } = await stored();
    behave = (socket) => {
      if (arrived.length > 1) socket.resetAndDestroy();
      else socket.end(whole("401 Unauthorized", '{"error":"invalid_client"}'));
    };
    assert.equal((await refusalOf(renew())).code, "sign-in-again");
    behave = give;
    await refusalOf(renew());
    assert.equal(arrived.length, 2);
  });

  const unsent = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
  for (const [what, cause] of Object.entries({
    "the name does not resolve": unsent("ENOTFOUND"),
    "names cannot be looked up": unsent("EAI_AGAIN"),
    "no connection was made in time": unsent("UND_ERR_CONNECT_TIMEOUT"),
    "the network is down": unsent("ENETUNREACH", { syscall: "connect" }),
    "the certificate is not trusted": unsent("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    "the certificate has expired": unsent("CERT_HAS_EXPIRED"),
    "the certificate is another host's": unsent("ERR_TLS_CERT_ALTNAME_INVALID"),
    "the proxy let nothing through": unsent("UND_ERR_ABORTED", { message: "Proxy response (407) !== 200 when HTTP Tunneling" }),
  }))
    it(`a token that was never sent is sent later when ${what}`, async () => {
      const { renew } = await stored();
      const failing: Fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
      assert.equal((await refusalOf(renew(failing))).code, "refresh-failed");
      behave = give;
      assert.equal((await renew())?.accessToken, "new-access-token");
    });

  it("Node's fetch reports requests that were never sent: refused connection, untrusted certificate", async () => {
    const { port, release } = await keepPort();
    const connectionError = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
    release();
    const untrusted = await openFaultyServer("bad TLS");
    const unsigned = await fetch(untrusted.origin).catch((error: unknown) => error);
    untrusted.close();
    assert.ok(wasNeverSent(connectionError) && wasNeverSent(unsigned), `${connectionError} ${unsigned}`);
    behave = (socket) => socket.resetAndDestroy();
    const reset = await fetch(tokenUrl, { method: "POST", body: "a" }).catch((error: unknown) => error);
    assert.ok(reset instanceof Error && !wasNeverSent(reset));
  });

  it("RFC 9700, 4.14.2: a rotating provider keeps the grant, which a repeated token would have ended", async () => {
    const provider = await openOidcProvider();
    /** Passes everything on, and loses the answers while it is told to. */
    let loses = false;
    const relay = createServer((socket) => {
      const behind = connectTo(Number(new URL(provider.issuer).port), "127.0.0.1");
      for (const side of [socket, behind]) {
        sockets.add(side);
        side.on("error", () => {});
      }
      socket.pipe(behind);
      behind.on("data", (chunk) => (loses ? socket.resetAndDestroy() : socket.write(chunk)));
      behind.on("close", () => socket.destroy());
    });
    await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
    try {
      const signing = makeHost({ replies: { "edirect address": "open" } });
      const own = openAccounts(signing);
      const definition = auth("OAuth2", {
        useDynamicClientRegistration: true,
        authorizationUrl: provider.authorizationUrl,
        tokenUrl: provider.tokenUrl,
        scopes: ["orders:read"],
      });
      const connected = await connect(declaredPack("/packs/lost/pack.ts", definition), {
        scope: "user",
        packName: "shop",
        host: signing,
        accounts: own,
        redirect: { host: "localhost", port: 0, path: "/oauth" },
      });
      assert.ok(connected);
      const { account } = connected;
      assert.equal(account.pack, packKey("/packs/lost/pack.ts"));
      const first = await own.credential(account.id);
      assert.ok(first?.kind === "oauth2");
      const relayed: Fetch = (url, init) =>
        fetch(url.replace(new URL(provider.issuer).host, `127.0.0.1:${(relay.address() as AddressInfo).port}`), init);
      const renew = () => refreshAccount(account, definition, first, { ...signing, accounts: own, fetch: relayed });
      loses = true;
      assert.equal((await refusalOf(renew())).code, "sign-in-again");
      loses = false;
      assert.equal((await refusalOf(renew())).code, "sign-in-again");
      assert.ok(await provider.accepts(first.accessToken), "the grant goes on");
      // The judge: what the token would have done.
      const client = await own.clientCredentials(account.pack, "user");
      const form = { grant_type: "refresh_token", refresh_token: first.refreshToken ?? "", client_id: client?.clientId ?? "" };
      assert.equal((await fetch(provider.tokenUrl, { method: "POST", body: new URLSearchParams(form) })).status, 400);
      assert.ok(!(await provider.accepts(first.accessToken)));
      rmSync(signing.storageFolder, { recursive: true, force: true });
    } finally {
      relay.close();
      provider.close();
    }
  });
});
