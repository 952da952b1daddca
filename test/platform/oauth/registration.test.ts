// Discovery (RFC 8414, RFC 9728) and dynamic client registration (RFC 7591): against a real provider, and against raw servers that answer as they should not.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { type ConnectOptions, connect } from "../../../platform/connect/connect.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { isReachable } from "../../../platform/network/reachable-address.ts";
import { discoverConfigured, discoverServer } from "../../../platform/oauth/discovery.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { openFaultyServer } from "../../support/faulty-server.ts";
import { type OidcProvider, openOidcProvider } from "../../support/oidc-provider.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { keepPort } from "../../support/reserved-port.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const ENTRY = "/packs/registered/pack.ts";
const reach = { fetch: (url: string, init: RequestInit) => fetch(url, init) };

/** An API that says who issues its tokens, and serves nothing else. */
async function openApi(metadataFor: (path: string, base: string) => unknown) {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? "");
    const metadata = metadataFor(request.url ?? "", base);
    response.writeHead(metadata === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(metadata ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    requestedPaths: requestedPaths,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("Discovered providers", function () {
  this.timeout(30_000);
  let provider: OidcProvider;
  let raw: TokenServer;
  before(async () => {
    provider = await openOidcProvider();
    raw = await openTokenServer();
  });
  after(() => {
    provider.close();
    raw.close();
  });
  beforeEach(() => {
    provider.requests.length = 0;
    raw.reset();
  });

  const dynamic = (more: Partial<AuthenticationDefinition> = {}) =>
    auth("OAuth2", { useDynamicClientRegistration: true, scopes: ["orders:read"], ...more });
  const replies = { "edirect address": "open" };
  const addresses = () => ({ authorizationUrl: `${raw.base}/authorize`, tokenUrl: `${raw.base}/token` });
  const metadata = (more: object = {}) => ({
    issuer: raw.base,
    authorization_endpoint: `${raw.base}/authorize`,
    token_endpoint: `${raw.base}/token`,
    registration_endpoint: `${raw.base}/register`,
    ...more,
  });
  const signInTo = (pack: Pack, host: TestHost, more: Partial<ConnectOptions> = {}) =>
    connect(pack, {
      scope: "user",
      packName: "shop",
      host,
      accounts: openAccounts(host),
      redirect: { host: "localhost", port: 0, path: "/oauth" },
      ...more,
    });

  it("sdk-facts 1: a pack without URLs registers by its MCP server, signs in, refreshes and revokes", async () => {
    const api = await openApi((path, base) =>
      path === "/.well-known/oauth-protected-resource/mcp"
        ? { resource: `${base}/mcp`, authorization_servers: [provider.issuer], scopes_supported: ["orders:read"] }
        : undefined,
    );
    try {
      const host = makeHost({ replies });
      const accounts = openAccounts(host);
      const definition = dynamic();
      const pack = declaredPack(ENTRY, definition, { mcpServers: [{ name: "Acme", endpointUrl: `${api.base}/mcp` }] });
      const connected = await signInTo(pack, host, { accounts });
      assert.ok(connected);
      const { account } = connected;
      assert.deepEqual(account.server, {
        issuer: provider.issuer,
        tokenUrl: provider.tokenUrl,
        revocationUrl: `${provider.issuer}/token/revocation`,
        resource: `${api.base}/mcp`,
      });
      const authorization = new URL(host.openedUrls[0] ?? "").searchParams;
      assert.equal(authorization.get("code_challenge_method"), "S256");
      assert.equal(authorization.get("resource"), `${api.base}/mcp`);
      const client = await accounts.clientCredentials(account.pack, "user");
      assert.equal(client?.clientId, authorization.get("client_id"));
      assert.equal(client?.registration?.issuer, provider.issuer);
      assert.equal(client?.registration?.redirectUri, authorization.get("redirect_uri"));
      const registered = await provider.provider.Client.find(client?.clientId ?? "");
      assert.equal(registered?.applicationType, "native");
      assert.deepEqual(registered?.redirectUris, [authorization.get("redirect_uri")]);

      const first = await accounts.credential(account.id);
      assert.ok(first?.kind === "oauth2" && first.refreshToken !== undefined);
      const renewed = await refreshAccount(account, definition, first, { ...host, accounts });
      assert.ok(renewed !== undefined && renewed.accessToken !== first.accessToken);
      assert.ok(await provider.accepts(renewed.accessToken));
      assert.deepEqual(await removeAccount(account.id, { ...host, accounts }), { revoked: true });
      assert.ok(!(await provider.accepts(renewed.accessToken)), "RFC 7009: the token is void at the provider");
      assert.equal(await accounts.get(account.id), undefined);
    } finally {
      api.close();
    }
  });

  it("RFC 7591: a registration is reused for its address and renewed for another or once forgotten", async () => {
    const definition = dynamic({ authorizationUrl: provider.authorizationUrl, tokenUrl: provider.tokenUrl });
    const host = makeHost({ replies });
    const accounts = openAccounts(host);
    const { port, release } = await keepPort();
    const signIn = (path = "/oauth") =>
      signInTo(declaredPack(ENTRY, definition), host, { accounts, redirect: { host: "localhost", port, path } });
    const registrations = () => provider.requests.filter((request) => request === "POST /reg").length;
    const connected = await signIn();
    assert.ok(connected);
    assert.equal(registrations(), 1);
    assert.ok(
      host.prompts.includes(`Redirect address, registered at the provider: http://localhost:${port}/oauth`),
      host.prompts.join("\n"),
    );
    await signIn();
    assert.equal(registrations(), 1);
    await signIn("/back");
    assert.equal(registrations(), 2);
    assert.ok(!host.prompts.some((question) => /address to register|changed: register/.test(question)), "a person has nothing to register");
    const key = connected.account.pack;
    const client = await accounts.clientCredentials(key, "user");
    assert.ok(client?.registration);
    await accounts.saveClientCredentials(key, "user", { ...client, registration: { ...client.registration, expiresAt: Date.now() - 1 } });
    await signIn("/back");
    assert.equal(registrations(), 3, "its secret had expired");
    release();
  });

  it("RFC 7591: a typed client ID is used in place of a registration", async () => {
    raw.responses = [{ body: '{"access_token":"the-access-token"}' }];
    const host = makeHost({ replies });
    const accounts = openAccounts(host);
    const pack = declaredPack(ENTRY, dynamic(addresses()));
    await assert.rejects(signInTo(pack, host, { accounts }), (error: PackAuthError) => {
      assert.match(error.message, /has no address for dynamic client registration/);
      assert.equal(error.configPath, "userAuthentication.useDynamicClientRegistration");
      return error.nextStep?.do === "addClient";
    });
    await accounts.saveClientCredentials(packKey(pack.entry), "user", { clientId: "typed" });
    assert.ok(await signInTo(pack, host, { accounts }));
    assert.equal(new URL(host.openedUrls[0] ?? "").searchParams.get("client_id"), "typed");
  });

  it("RFC 7591: a refusal is quoted, a missing client ID reported, and a forgotten client registered again", async () => {
    const host = makeHost({ replies });
    const accounts = openAccounts(host);
    const signIn = () => signInTo(declaredPack(ENTRY, dynamic(addresses())), host, { accounts });
    raw.metadata = () => metadata({ token_endpoint_auth_methods_supported: ["none"] });
    raw.responses = [{ status: 400, body: '{"error":"invalid_redirect_uri","error_description":"localhost is not allowed"}' }];
    await assert.rejects(
      signIn(),
      /did not register the application, because it does not accept the redirect address http:\/\/localhost:\d+\/oauth\. Its answer: invalid_redirect_uri — “localhost is not allowed”/,
    );
    raw.responses = [{ status: 201, body: '{"hello":1}' }];
    await assert.rejects(signIn(), /its answer contains no client ID/);
    raw.responses = [
      { status: 200, body: '{"client_id":"given"}' },
      { status: 401, body: '{"error":"invalid_client"}' },
    ];
    await assert.rejects(signIn(), /invalid_client/);
    const received = raw.received.length;
    for (const [body, messagePattern] of [
      [{ client_id: 5 }, /its answer contains no client ID\.$/],
      [{ client_id: "c".repeat(500_000) }, /its client ID or secret is too long\.$/],
      [{ client_id: "c", client_secret: "s! ".repeat(10_000) }, /its client ID or secret is too long\.$/],
      [{ client_id: "c".repeat(2_000_000) }, /The answer is larger than 1 MB; it was not read\.$/],
    ] as const) {
      raw.responses = [{ status: 201, body: JSON.stringify(body) }];
      await assert.rejects(signIn(), messagePattern);
    }
    raw.responses = [{ status: 400, body: JSON.stringify({ error: "e".repeat(500_000), error_description: "d".repeat(300_000) }) }];
    await assert.rejects(signIn(), ({ message }: Error) => message.length < 600);
    raw.received.length = received;
    raw.responses = [{ status: 200, body: '{"client_id":"given anew"}' }, { body: '{"access_token":"the-access-token"}' }];
    assert.ok(await signIn());
    assert.equal(raw.received.filter(({ path }) => path === "/register").length, 4);
    const registrationRequest = JSON.parse(raw.received.at(-2)?.body ?? "");
    assert.equal(registrationRequest.token_endpoint_auth_method, "none");
    assert.equal(registrationRequest.application_type, "native");
  });

  it("RFC 7591, 3.2.1: an empty secret or expiry counts as absent", async () => {
    raw.metadata = () => metadata();
    for (const [members, secret] of [
      [{ client_secret: null }, null],
      [{ client_secret: "" }, null],
      [{ client_secret: "the-secret", client_secret_expires_at: null }, "the-secret"],
      [{ client_secret: "the-secret", client_secret_expires_at: "0" }, "the-secret"],
      [{ client_secret: "the-secret", client_secret_expires_at: -5 }, "the-secret"],
      [{ client_secret: "the-secret", client_secret_expires_at: {} }, "the-secret"],
      [{ client_secret: "the-secret", client_secret_expires_at: "Infinity" }, "the-secret"],
      [{ redirect_uris: ["https://evil.example/"], token_endpoint_auth_method: "private_key_jwt" }, null],
    ] as const) {
      const host = makeHost({ replies });
      raw.responses = [
        { status: 201, body: JSON.stringify({ client_id: "given", ...members }) },
        { body: '{"access_token":"the-access-token"}' },
      ];
      assert.ok(await signInTo(declaredPack(ENTRY, dynamic(addresses())), host));
      assert.equal(new URLSearchParams(raw.received.at(-1)?.body).get("client_secret"), secret, JSON.stringify(members));
    }
  });

  it("an API that names too many or invalid issuers has at most ten queried", async () => {
    for (const [servers, most] of [
      [Array.from({ length: 10_000 }, (_, index) => `https://h${index}.example/`), 10],
      [[`https://long.example/${"x".repeat(20_000)}`, "https://10.0.0.1/", "javascript:alert(1)", 5, null], 0],
      ["https://evil.example/", 0],
      [7, 0],
      [{}, 0],
    ] as const) {
      const api = await openApi((path, base) =>
        path.includes("protected-resource") ? { resource: `${base}/mcp`, authorization_servers: servers } : undefined,
      );
      const elsewhere: string[] = [];
      const host = makeHost({
        replies,
        async fetch(url, init) {
          if (url.startsWith(api.base)) return fetch(url, init);
          elsewhere.push(url);
          return new Response(null, { status: 404 });
        },
      });
      const pack = declaredPack(ENTRY, dynamic(), { mcpServers: [{ name: "Acme", endpointUrl: `${api.base}/mcp` }], networkDomains: [] });
      await assert.rejects(signInTo(pack, host), { hint: "Set authorizationUrl and tokenUrl, or declare the MCP server's domain." });
      assert.equal(elsewhere.length, most, elsewhere.slice(0, 20).join());
      api.close();
    }
  });

  it("a registration is stored with its account only, not after a cancel", async () => {
    const { authorizationUrl, tokenUrl } = provider;
    for (const isExchanged of [false, true]) {
      const cancel = new AbortController();
      const host = makeHost({
        replies: isExchanged ? replies : {},
        async fetch(url, init) {
          const response = await fetch(url, init);
          if (url === tokenUrl) cancel.abort();
          return response;
        },
      });
      const accounts = openAccounts(host);
      const pack = declaredPack(ENTRY, dynamic({ authorizationUrl, tokenUrl }));
      assert.equal(await signInTo(pack, host, { accounts, signal: cancel.signal }), undefined);
      assert.ok(provider.requests.includes("POST /reg"));
      assert.equal(cancel.signal.aborted, isExchanged);
      assert.deepEqual([[...host.secretValues], [...host.states], await accounts.list()], [[], [], []]);
    }
  });

  it("a failed discovery lists every address queried and stores nothing", async () => {
    const api = await openApi(() => undefined);
    const host = makeHost({ replies });
    const accounts = openAccounts(host);
    const pack = declaredPack(ENTRY, dynamic(), { mcpServers: [{ name: "Acme", endpointUrl: `${api.base}/mcp` }] });
    await assert.rejects(signInTo(pack, host, { accounts }), {
      message: new RegExp(`neither ${new URL(api.base).host} nor api\\.example says who issues its tokens`),
      configPath: "userAuthentication.useDynamicClientRegistration",
    });
    api.close();
    assert.deepEqual(api.requestedPaths.slice(0, 3), [
      "/mcp",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]);
    assert.deepEqual([await accounts.list(), host.secretValues.size, host.openedUrls], [[], 0, []]);
  });

  it("an unreachable host is reported with the network's reason", async () => {
    const faulty = await openFaultyServer("bad TLS");
    try {
      for (const [definition, resources] of [
        [dynamic(), [`${faulty.origin}/mcp`]],
        [dynamic({ authorizationUrl: `${faulty.origin}/authorize`, tokenUrl: `${faulty.origin}/token` }), []],
      ] as const) {
        const host = makeHost({ replies });
        const pack = declaredPack(ENTRY, definition, {
          mcpServers: resources.map((endpointUrl) => ({ name: "Acme", endpointUrl })),
          networkDomains: [],
        });
        const { host: faultyHost } = new URL(faulty.origin);
        await assert.rejects(signInTo(pack, host), {
          hint: new RegExp(`${faultyHost} could not be asked: the certificate of ${faultyHost} is not trusted`),
          nextStep: { do: "trustCertificate" },
        });
      }
    } finally {
      faulty.close();
    }
  });

  it("RFC 8414, 3.3: metadata of another issuer or another token endpoint is not used", async () => {
    raw.metadata = () => ({
      issuer: "https://evil.example",
      token_endpoint: `${raw.base}/token`,
      revocation_endpoint: "https://evil.example/revoke",
    });
    assert.equal((await discoverServer(raw.base, reach)).server, undefined);
    raw.metadata = () => ({
      issuer: raw.base,
      token_endpoint: "https://evil.example/token",
      revocation_endpoint: "https://evil.example/revoke",
    });
    assert.equal((await discoverConfigured(`${raw.base}/authorize`, `${raw.base}/token`, reach)).server, undefined);
    raw.metadata = () => ({ issuer: raw.base, token_endpoint: `${raw.base}/token`, revocation_endpoint: "http://evil.example/revoke" });
    const plain = await discoverConfigured(`${raw.base}/authorize`, `${raw.base}/token`, reach);
    assert.equal(plain.server?.issuer, raw.base);
    assert.equal(plain.server.revocationUrl, undefined);
    for (const odd of [
      null,
      [],
      "text",
      5,
      { issuer: 5 },
      { issuer: raw.base, token_endpoint: 7, token_endpoint_auth_methods_supported: "none" },
    ]) {
      raw.metadata = () => odd;
      await discoverServer(raw.base, reach);
    }
    raw.metadata = (path) =>
      path === "/.well-known/oauth-authorization-server/tenant"
        ? { issuer: `${raw.base}/tenant`, token_endpoint: `${raw.base}/tenant/token` }
        : undefined;
    const { server: tenant } = await discoverConfigured(`${raw.base}/tenant/authorize`, `${raw.base}/tenant/token`, reach);
    assert.equal(tenant?.issuer, `${raw.base}/tenant`);
  });

  it("insecure, private or malformed addresses are not queried", () => {
    for (const address of [
      "http://p.example",
      "https://10.0.0.1/",
      "https://[::ffff:10.0.0.1]/",
      "https://169.254.169.254/",
      "https://u@p.example/",
      "https://:p@p.example/",
      "https://p.example/#x",
      "https://localhost./",
      "file:///x",
      "p.example",
      `https://p.example/${"x".repeat(2_048)}`,
      "",
      5,
    ])
      assert.ok(!isReachable(address), String(address));
    assert.ok(isReachable("https://p.example/x?y=1"));
    assert.ok(isReachable("http://127.0.0.1:3000/"));
    assert.ok(!isReachable("http://127.0.0.1:3000/", "https://p.example"), "one elsewhere names this machine");
  });
});
