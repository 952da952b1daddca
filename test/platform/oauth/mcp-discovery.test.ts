// From an MCP server's address to a token for it: the refusal that names its metadata, the provider, the registration, the sign-in. And each
// of them as it should not be: one clear message, with what to do, and nothing stored.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { discoverProvider, registeredClient } from "../../../platform/oauth/provider.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { makeHost } from "../../support/platform-host.ts";
import { keepPort } from "../../support/reserved-port.ts";

interface SiteResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Begins, and never ends. */
  readonly isEndless?: true;
}

type Site = Readonly<Record<string, SiteResponse>>;

const HTML = { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Shop</title>" };
const json = (body: unknown, status = 200): SiteResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

describe("The provider of an MCP server", function () {
  this.timeout(60_000);
  let server: Server;
  let base: string;
  let site: Site = {};
  const requests: { readonly line: string; readonly body: string }[] = [];

  async function read(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }
  before(async () => {
    server = createServer(async (request, response) => {
      const url = new URL(request.url ?? "/", base);
      requests.push({ line: `${request.method} ${url.pathname}`, body: await read(request) });
      if (url.pathname === "/tenant/authorize") {
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.search = new URLSearchParams({ code: "the-code", state: url.searchParams.get("state") ?? "" }).toString();
        return void response.writeHead(302, { location: back.href }).end();
      }
      const { status = 200, headers = {}, body = "", isEndless } = site[url.pathname] ?? { status: 404 };
      response.writeHead(status, headers);
      if (isEndless) response.write("{");
      else response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    requests.length = 0;
  });

  /** Metadata where only the refusal says that it is. */
  const right = (more: Site = {}): Site => ({
    "/mcp": { status: 401, headers: { "www-authenticate": `Bearer error="invalid_token", resource_metadata="${base}/told/here"` } },
    "/told/here": json({ resource: `${base}/mcp`, authorization_servers: [`${base}/tenant`] }),
    "/.well-known/oauth-authorization-server/tenant": json({
      issuer: `${base}/tenant`,
      authorization_endpoint: `${base}/tenant/authorize`,
      token_endpoint: `${base}/tenant/token`,
      registration_endpoint: `${base}/tenant/register`,
      token_endpoint_auth_methods_supported: ["none"],
    }),
    "/tenant/register": json({ client_id: "registered" }, 201),
    "/tenant/token": json({ access_token: "the-access-token", token_type: "Bearer", refresh_token: "the-refresh-token" }),
    ...more,
  });

  async function signIn(now: Site, more: { readonly endpointUrl?: string } = {}) {
    site = now;
    const host = makeHost({ replies: { "edirect address": "open" } });
    const accounts = openAccounts(host);
    const { endpointUrl = `${base}/mcp` } = more;
    const definition = auth("OAuth2", { useDynamicClientRegistration: true, useProofKeyForCodeExchange: true });
    const pack = declaredPack("/packs/mcp/pack.ts", definition, { mcpServers: [{ name: "Acme", endpointUrl }], networkDomains: [] });
    const redirect = { host: "localhost", port: 0, path: "/oauth" } as const;
    const outcome = await connect(pack, { scope: "user", packName: "shop", host, accounts, redirect }).catch(
      (error: PackAuthError) => error,
    );
    return { host, accounts, outcome };
  }

  it("RFC 9728, 5.1: the refusal's metadata leads to the provider, and nothing secret is sent before", async () => {
    const { host, accounts, outcome } = await signIn(right());
    assert.ok(outcome !== undefined && !(outcome instanceof Error), String(outcome));
    assert.deepEqual(
      requests.map(({ line }) => line),
      [
        "POST /mcp",
        "GET /told/here",
        "GET /.well-known/oauth-authorization-server/tenant",
        "POST /tenant/register",
        "GET /tenant/authorize",
        "POST /tenant/token",
      ],
    );
    assert.deepEqual(JSON.parse(requests[0]?.body ?? ""), { jsonrpc: "2.0", id: 1, method: "ping" });
    const form = new URLSearchParams(requests.at(-1)?.body);
    assert.equal(form.get("resource"), `${base}/mcp`);
    assert.ok(form.get("code_verifier"));
    assert.equal(outcome.account.server?.issuer, `${base}/tenant`);
    assert.ok(
      host.logged.some((line) =>
        [base, `${base}/tenant/authorize`, `${base}/tenant/token`, `${base}/tenant/register`].every((each) => line.includes(each)),
      ),
    );
    assert.equal((await accounts.list()).length, 1);
  });

  it("RFC 9728, 3.1: the well-known address is used if the refusal names no usable metadata", async () => {
    const at = "/.well-known/oauth-protected-resource/mcp";
    const wellKnown = { [at]: json({ resource: `${base}/mcp`, authorization_servers: [`${base}/tenant`] }) };
    for (const more of [
      { "/mcp": { status: 401 } },
      { "/mcp": HTML },
      { "/told/here": json({ resource: "https://evil.example/mcp", authorization_servers: ["https://evil.example"] }) },
      { "/told/here": HTML },
      { "/mcp": { status: 401, headers: { "www-authenticate": 'Bearer resource_metadata="http://192.168.0.1/metadata"' } } },
    ]) {
      requests.length = 0;
      const { outcome } = await signIn(right({ ...more, ...wellKnown }));
      assert.ok(outcome !== undefined && !(outcome instanceof Error), String(outcome));
      assert.ok(requests.some(({ line }) => line === `GET ${at}`));
    }
  });

  const OWN = "/.well-known/oauth-authorization-server/tenant";
  const wrong: Readonly<Record<string, () => readonly [Site, RegExp, RegExp]>> = {
    "metadata of another issuer": () => [
      { [OWN]: json({ issuer: `${base}/other`, authorization_endpoint: `${base}/a`, token_endpoint: `${base}/t` }) },
      /^No provider was found/,
      /names another issuer, .*\/other, so it was not used .*If that is the right provider, set authorizationUrl: .* and tokenUrl:/,
    ],
    "metadata that is a web page": () => [
      { [OWN]: HTML, "/.well-known/openid-configuration": HTML },
      /^No provider was found/,
      /answered with a web page instead of its metadata\. Set authorizationUrl and tokenUrl/,
    ],
    "metadata that is no JSON": () => [
      { [OWN]: { headers: { "content-type": "application/json" }, body: "{" } },
      /^No provider was found/,
      /is not valid JSON\. Set authorizationUrl/,
    ],
    "metadata without an issuer": () => [
      { [OWN]: json({ token_endpoint: `${base}/t` }) },
      /^No provider was found/,
      /lacks what the standard requires: .*issuer.*\. Set authorizationUrl/,
    ],
    "metadata larger than 1 MB": () => [
      { [OWN]: { headers: { "content-type": "application/json" }, body: " ".repeat(2 ** 21) } },
      /^No provider was found/,
      /larger than 1 MB; it was not read\. Set/,
    ],
    "a provider that registers nobody": () => [
      {
        [OWN]: json({
          issuer: `${base}/tenant`,
          authorization_endpoint: `${base}/tenant/authorize`,
          token_endpoint: `${base}/tenant/token`,
        }),
      },
      /has no address for dynamic client registration/,
      /Register the application by hand/,
    ],
    "a registration that is refused": () => [
      { "/tenant/register": json({ error: "invalid_redirect_uri", error_description: "no loopback" }, 400) },
      /did not register the application.*no loopback/,
      /./,
    ],
    "a registration that is refused without a word": () => [
      { "/tenant/register": { ...HTML, status: 403 } },
      /did not register the application, because it does not let this application register itself.* Its answer: status 403\./,
      /Register the application by hand/,
    ],
    "a registration that is a web page": () => [
      { "/tenant/register": HTML },
      /did not register the application: its answer contains no client ID/,
      /Register the application by hand/,
    ],
  };
  for (const [what, make] of Object.entries(wrong))
    it(`a failing discovery gives a hint and stores nothing: ${what}`, async () => {
      const [more, message, hint] = make();
      const { host, accounts, outcome } = await signIn(right(more));
      assert.ok(outcome instanceof Error, what);
      assert.match(outcome.message, message);
      assert.match(outcome.hint ?? "", hint);
      assert.equal(outcome.configPath, "userAuthentication.useDynamicClientRegistration");
      assert.deepEqual([await accounts.list(), host.secretValues.size, host.openedUrls], [[], 0, []]);
      assert.ok(!requests.some(({ line }) => line.endsWith("/token")));
    });

  it("an MCP server that is down gives a hint to check the server", async () => {
    const { port, release } = await keepPort();
    release();
    const { outcome } = await signIn({}, { endpointUrl: `http://127.0.0.1:${port}/mcp` });
    assert.ok(outcome instanceof Error);
    assert.match(
      outcome.hint ?? "",
      /could not be asked: 127\.0\.0\.1:\d+ refuses connections\. Check endpointUrl, and whether the server is running\.$/,
    );
  });

  it("an unreachable domain suggests a configuration, an unreachable MCP server does not", async () => {
    const { port, release } = await keepPort();
    release();
    const reach = { fetch: (url: string, init: RequestInit) => fetch(url, init) };
    await assert.rejects(discoverProvider([{ address: `http://127.0.0.1:${port}/` }], "userAuthentication", reach), {
      hint: /refuses connections\. Set authorizationUrl and tokenUrl, or declare the MCP server's domain\.$/,
    });
    site = {};
    const resources = [{ address: `http://127.0.0.1:${port}/mcp`, isMcp: true }, { address: `${base}/` }];
    await assert.rejects(discoverProvider(resources, "userAuthentication", reach), {
      hint: /Check endpointUrl, and whether the server is running\.$/,
    });
  });

  it("a slow provider times out, and a silent host is queried once", async () => {
    const reach = { fetch: (url: string, init: RequestInit) => fetch(url, init), timeout: 200 };
    const resources = [{ address: `${base}/mcp`, isMcp: true }];
    site = right({ [OWN]: { headers: { "content-type": "application/json" }, isEndless: true } });
    await assert.rejects(discoverProvider(resources, "userAuthentication", reach), {
      message: /^No provider was found/,
      hint: /did not answer in time\. Set authorizationUrl/,
    });
    assert.equal(requests.length, 3);
    site = right({ "/tenant/register": { isEndless: true } });
    const provider = await discoverProvider(resources, "userAuthentication", reach);
    const request = {
      auth: auth("OAuth2", { useDynamicClientRegistration: true }),
      configRoot: "userAuthentication",
      packName: "shop",
      redirectUri: "http://localhost:3000/oauth",
      now: Date.now,
      stored: undefined,
      keepClient: () => Promise.reject(new Error("kept")),
    };
    await assert.rejects(registeredClient(provider, request, reach), {
      code: "token-exchange-failed",
      message: /could not be registered: .* did not answer in time/,
      hint: /Try again/,
    });
  });

  it("a relative MCP address without an endpoint is not queried", async () => {
    const { outcome } = await signIn({}, { endpointUrl: "/mcp" });
    assert.ok(outcome instanceof Error);
    assert.match(outcome.message, /declares no MCP server and no network domain that could say/);
  });
});
