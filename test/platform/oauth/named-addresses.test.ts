// Addresses that a provider's metadata names: none may lead into a private network, and an answer of another provider does not arrive.
import assert from "node:assert/strict";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { makeHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const ENTRY = "/packs/named/pack.ts";
const INSIDE = "https://inside.example";
const LEAVES = { useDynamicClientRegistration: true };

describe("Addresses from a provider's metadata", function () {
  this.timeout(30_000);
  let raw: TokenServer;
  before(async () => {
    raw = await openTokenServer();
  });
  after(() => raw.close());
  beforeEach(() => {
    raw.reset();
    raw.responses = [{ status: 201, body: '{"client_id":"registered","access_token":"the-access-token"}' }];
  });

  /** What it tells of itself; `inside.example` leads to 10.0.0.7. */
  const publishMetadata = (more: Record<string, unknown> = {}): void => {
    raw.metadata = (path) =>
      path === "/.well-known/oauth-authorization-server"
        ? {
            issuer: raw.base,
            authorization_endpoint: raw.authorizationUrl,
            token_endpoint: raw.tokenUrl,
            registration_endpoint: `${raw.base}/register`,
            token_endpoint_auth_methods_supported: ["none"],
            ...more,
          }
        : undefined;
  };
  const hostWith = (origins: string[]) =>
    makeHost({
      replies: { "edirect address": "open" },
      lookUp: async (host) => (host === "inside.example" ? ["93.184.216.34", "10.0.0.7"] : ["93.184.216.34"]),
      fetch: (url, init) => {
        origins.push(new URL(url).origin);
        return fetch(url.replace(INSIDE, raw.base), init);
      },
    });

  async function signIn(more: Partial<AuthenticationDefinition> = LEAVES, typed = false) {
    const origins: string[] = [];
    const host = hostWith(origins);
    const accounts = openAccounts(host);
    if (typed) await accounts.saveClientCredentials(packKey(ENTRY), "user", { clientId: "typed" });
    const pack = declaredPack(ENTRY, auth("OAuth2", more), { mcpServers: [{ name: "Acme", endpointUrl: `${raw.base}/` }] });
    const redirect = { host: "localhost", port: 0, path: "/oauth" } as const;
    const outcome = await connect(pack, { scope: "user", packName: "shop", host, accounts, redirect }).catch(
      (error: PackAuthError) => error,
    );
    return { origins: origins, host, outcome };
  }

  for (const [name, path] of [
    ["authorization_endpoint", "/authorize"],
    ["token_endpoint", "/token"],
    ["registration_endpoint", "/register"],
  ] as const)
    it(`${name} that resolves to a private address is refused without a request`, async () => {
      publishMetadata({ [name]: `${INSIDE}${path}` });
      const { origins, host, outcome } = await signIn();
      assert.ok(outcome instanceof Error, "it was refused");
      assert.match(outcome.message, /inside\.example resolves to 10\.0\.0\.7, an address of a private network/);
      assert.ok(!origins.includes(INSIDE), origins.join());
      if (name !== "token_endpoint") assert.deepEqual(host.openedUrls, []);
    });

  it("revocation_endpoint at a private address receives no tokens", async () => {
    const origins: string[] = [];
    const host = hostWith(origins);
    const accounts = openAccounts(host);
    const { account } = await storeAccount(
      accounts,
      oauthDefinition(raw.tokenUrl),
      { access: "a-token-of-alice", refresh: "r-token-of-alice" },
      { server: { issuer: raw.base, revocationUrl: `${INSIDE}/revoke` } },
    );
    const removal = await removeAccount(account.id, { ...host, accounts });
    assert.match(removal.revoked === false ? (removal.problem ?? "") : "", /inside\.example resolves to 10\.0\.0\.7/);
    assert.deepEqual(origins, []);
  });

  it("token_endpoint at a private address receives no refresh, which can be retried", async () => {
    const origins: string[] = [];
    const host = hostWith(origins);
    const accounts = openAccounts(host);
    const { tokenUrl: _none, authorizationUrl: _neither, ...definition } = oauthDefinition(`${INSIDE}/token`);
    const { account, credential } = await storeAccount(
      accounts,
      definition,
      { access: "a-token-of-alice", refresh: "r-token-of-alice" },
      { server: { issuer: raw.base, tokenUrl: `${INSIDE}/token` } },
    );
    await accounts.bindClientCredentials(
      account.pack,
      account.scope,
      { clientId: "client", clientSecret: "client-secret" },
      `${INSIDE}/token`,
      definition,
    );
    for (let attempt = 0; attempt < 2; attempt++)
      await assert.rejects(refreshAccount(account, definition, credential, { ...host, accounts }), {
        code: "refresh-failed",
        message: /inside\.example resolves to 10\.0\.0\.7/,
        hint: /authorizationUrl and tokenUrl/,
      });
    assert.deepEqual(origins, []);
  });

  it("addresses with a line break or a space are refused", async () => {
    for (const more of ["\n", " ", "\t\u0000"]) {
      publishMetadata({ token_endpoint: `${raw.tokenUrl}${more}`, authorization_endpoint: `${raw.base}/${more}authorize` });
      const { host, outcome } = await signIn();
      assert.equal((outcome as PackAuthError).code, "configuration-invalid");
      assert.deepEqual(host.openedUrls, []);
    }
  });

  it("addresses of the configuration itself are used", async () => {
    const { origins, outcome } = await signIn({ authorizationUrl: raw.authorizationUrl, tokenUrl: `${INSIDE}/token` }, true);
    assert.ok(outcome !== undefined && !(outcome instanceof Error), String(outcome));
    assert.ok(origins.includes(INSIDE));
  });

  /** The redirect address that the browser was sent to the provider with. */
  const redirectIn = ([url = ""]: readonly string[]): string => new URL(new URL(url).searchParams.get("redirect_uri") ?? "").pathname;

  it("RFC 9700, 4.4.2.2: a provider without an issuer in its answers gets a redirect address of its own", async () => {
    publishMetadata();
    const { host, outcome } = await signIn();
    assert.ok(outcome !== undefined && !(outcome instanceof Error), String(outcome));
    const path = redirectIn(host.openedUrls);
    assert.match(path, /^\/oauth\/[0-9a-f]{8}$/);
    assert.deepEqual(
      JSON.parse(raw.received.find(({ path: requestPath }) => requestPath === "/register")?.body ?? "").redirect_uris.map(
        (uri: string) => new URL(uri).pathname,
      ),
      [path],
    );
  });

  it("RFC 9207: providers that name their issuer and manually registered clients use the usual address", async () => {
    publishMetadata({ authorization_response_iss_parameter_supported: true });
    raw.callback = (query) => ({ code: "c", state: query.get("state") ?? "", iss: raw.base });
    assert.equal(redirectIn((await signIn()).host.openedUrls), "/oauth");
    publishMetadata();
    assert.equal(redirectIn((await signIn(LEAVES, true)).host.openedUrls), "/oauth");
  });

  it("RFC 9207, 2.4: a provider that promises its issuer and omits it gets no code", async () => {
    publishMetadata({ authorization_response_iss_parameter_supported: true });
    for (const named of [undefined, "https://another.example"]) {
      raw.received.length = 0;
      raw.callback = (query) => ({ code: "c", state: query.get("state") ?? "", ...(named === undefined ? {} : { iss: named }) });
      const { outcome } = await signIn();
      assert.equal((outcome as PackAuthError).code, "authorization-invalid");
      assert.ok(raw.received.every(({ path }) => path !== "/token"));
    }
  });

  it("RFC 8414, 3.3: metadata with another issuer than the requested one is not used", async () => {
    publishMetadata({ issuer: "https://another.example" });
    const { host, outcome } = await signIn();
    assert.equal((outcome as PackAuthError).code, "configuration-invalid");
    assert.deepEqual([host.openedUrls, raw.received.filter(({ path }) => path !== "/")], [[], []]);
  });
});
