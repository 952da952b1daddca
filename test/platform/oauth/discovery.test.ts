// Discovery (RFC 8414, RFC 9728, OpenID Connect Discovery): which addresses are asked, what is told of metadata that is not believed, and
// whose word counts for where tokens are revoked.
import assert from "node:assert/strict";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { removeAccount, revocationUrlOf } from "../../../platform/connect/remove-account.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { oauthAccount, oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { makeHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const ENTRY = "/packs/discovered/pack.ts";

/** The addresses are left to discovery. */
const LEAVES = { type: "OAuth2", useDynamicClientRegistration: true };

describe("Provider discovery", function () {
  this.timeout(30_000);
  let raw: TokenServer;
  let another: TokenServer;
  before(async () => {
    [raw, another] = await Promise.all([openTokenServer(), openTokenServer()]);
  });
  after(() => {
    raw.close();
    another.close();
  });
  beforeEach(() => {
    raw.reset();
    another.reset();
    raw.responses = [{ body: '{"access_token":"the-access-token"}' }];
  });

  /** Signs in, and gives every well-known address that was asked for it beside what came of it. */
  async function signIn(more: Partial<AuthenticationDefinition> = {}, mcpServers: readonly string[] = []) {
    const requestedAddresses: string[] = [];
    const host = makeHost({
      replies: { "edirect address": "open" },
      fetch: (url, init) => {
        if (url.includes("/.well-known/")) requestedAddresses.push(url.replace(raw.base, "raw:").replace(another.base, "another:"));
        return fetch(url, init);
      },
    });
    const accounts = openAccounts(host);
    const definition =
      more.type === undefined
        ? auth("OAuth2", { authorizationUrl: raw.authorizationUrl, tokenUrl: raw.tokenUrl, ...more })
        : auth(more.type, more);
    if (definition.useDynamicClientRegistration !== true)
      await accounts.saveClientCredentials(packKey(ENTRY), "user", { clientId: "client", clientSecret: "client-secret" });
    const connecting = connect(
      declaredPack(ENTRY, definition, { mcpServers: mcpServers.map((endpointUrl) => ({ name: "Acme", endpointUrl })) }),
      {
        scope: "user",
        packName: "shop",
        host,
        accounts,
        redirect: { host: "localhost", port: 0, path: "/oauth" },
      },
    );
    const outcome = await connecting.catch((error: PackAuthError) => error);
    return {
      requestedAddresses: requestedAddresses,
      host,
      accounts,
      connected: outcome instanceof Error ? undefined : outcome,
      error: outcome instanceof Error ? outcome : undefined,
    };
  }

  it("RFC 8414, 3.1, and OpenID Connect Discovery, 4: every possible issuer of the addresses is queried once", async () => {
    const { requestedAddresses, connected } = await signIn({ tokenUrl: `${raw.base}/realms/shop/protocol/openid-connect/token` });
    assert.ok(connected);
    assert.deepEqual(requestedAddresses.toSorted(), [
      "raw:/.well-known/oauth-authorization-server",
      "raw:/.well-known/openid-configuration",
    ]);
    raw.metadata = (path) =>
      path === "/.well-known/oauth-authorization-server/realms/shop"
        ? {
            issuer: `${raw.base}/realms/shop`,
            token_endpoint: `${raw.base}/realms/shop/protocol/openid-connect/token`,
            revocation_endpoint: `${raw.base}/realms/shop/protocol/openid-connect/revoke`,
          }
        : undefined;
    const realm = await signIn({
      authorizationUrl: `${raw.base}/realms/shop/authorize`,
      tokenUrl: `${raw.base}/realms/shop/protocol/openid-connect/token`,
    });
    assert.equal(realm.connected?.account.server?.issuer, `${raw.base}/realms/shop`);
    assert.deepEqual(realm.requestedAddresses.toSorted(), [
      "raw:/.well-known/oauth-authorization-server",
      "raw:/.well-known/oauth-authorization-server/realms/shop",
      "raw:/.well-known/openid-configuration",
    ]);
  });

  it("OpenID Connect Discovery, 4: an issuer with a trailing slash has the same metadata address", async () => {
    raw.metadata = (path) =>
      path === "/shop/.well-known/openid-configuration"
        ? { issuer: `${raw.base}/shop/`, token_endpoint: `${raw.base}/shop/token` }
        : undefined;
    const { connected } = await signIn({ authorizationUrl: `${raw.base}/shop/authorize`, tokenUrl: `${raw.base}/shop/token` });
    assert.equal(connected?.account.server?.issuer, `${raw.base}/shop/`);
  });

  it("RFC 8414, 3.1: an issuer may end in a word that endpoints use too", async () => {
    for (const issuer of ["/oidc", "/api/oauth2", "/api"]) {
      const path = issuer === "/api" ? "/api/oauth2/v1" : issuer;
      const addresses = { authorizationUrl: `${raw.base}${path}/authorize`, tokenUrl: `${raw.base}${path}/token` };
      raw.metadata = (requestedPath) =>
        requestedPath === `${issuer}/.well-known/openid-configuration`
          ? { issuer: `${raw.base}${issuer}`, token_endpoint: addresses.tokenUrl, revocation_endpoint: `${raw.base}/revoke` }
          : undefined;
      const { connected, requestedAddresses } = await signIn(addresses);
      assert.equal(connected?.account.server?.issuer, `${raw.base}${issuer}`, requestedAddresses.join(" "));
      assert.equal(connected?.account.server?.revocationUrl, `${raw.base}/revoke`);
    }
  });

  it("RFC 9728, 3.1: several MCP servers on one host query each address once", async () => {
    const { requestedAddresses, error } = await signIn(LEAVES, [`${raw.base}/mcp`, `${raw.base}/mcp`, `${raw.base}/sse`]);
    assert.match(error?.message ?? "", /No provider was found/);
    assert.deepEqual(
      requestedAddresses.filter((address) => address.startsWith("raw:")),
      [
        "raw:/.well-known/oauth-protected-resource/mcp",
        "raw:/.well-known/oauth-protected-resource",
        "raw:/.well-known/oauth-authorization-server",
        "raw:/.well-known/openid-configuration",
        "raw:/.well-known/oauth-protected-resource/sse",
      ],
    );
  });

  it("RFC 8414, 3.3, and RFC 9728, 3.3: metadata of another issuer or resource is reported with a configuration to set", async () => {
    raw.metadata = (path) =>
      path.startsWith("/.well-known/oauth-authorization-server")
        ? { issuer: another.base, authorization_endpoint: another.authorizationUrl, token_endpoint: another.tokenUrl }
        : undefined;
    const issuer = await signIn(LEAVES, [`${raw.base}/mcp`]);
    assert.equal(issuer.error?.configPath, "userAuthentication.useDynamicClientRegistration");
    assert.equal(
      issuer.error?.hint,
      `The metadata of ${raw.base}/ names another issuer, ${another.base}/, so it was not used (RFC 8414, section 3.3). If that is the right provider, set authorizationUrl: "${another.authorizationUrl}" and tokenUrl: "${another.tokenUrl}".`,
    );
    raw.metadata = (path) => (path === "/.well-known/oauth-protected-resource/mcp" ? { resource: `${raw.base}/other` } : undefined);
    const resource = await signIn(LEAVES, [`${raw.base}/mcp`]);
    assert.match(resource.error?.hint ?? "", new RegExp(`names another resource, ${raw.base}/other, so it was not used`));
    const registration = { useDynamicClientRegistration: true };
    raw.metadata = () => ({ issuer: another.base, token_endpoint: raw.tokenUrl });
    const configured = await signIn(registration);
    assert.match(configured.error?.message ?? "", /has no address for dynamic client registration/);
    assert.match(configured.error?.hint ?? "", new RegExp(`names another issuer, ${another.base}/.*Register the application by hand`));
    assert.deepEqual(configured.error?.nextStep, { do: "addClient" });
    const noted = await signIn();
    assert.match(
      noted.connected?.signInNotes[0]?.message ?? "",
      new RegExp(
        `The metadata of ${raw.base}/ names another issuer, ${another.base}/. It was not used .*removing the account revokes nothing`,
      ),
    );
  });

  it("a wrong tokenUrl is refused with the address of the provider's metadata", async () => {
    raw.metadata = () => ({ issuer: raw.base, authorization_endpoint: raw.authorizationUrl, token_endpoint: `${raw.base}/v2/token` });
    raw.responses = [{ status: 404, type: "text/plain", body: "no such page" }];
    const { error } = await signIn();
    assert.equal(error?.configPath, "userAuthentication.tokenUrl");
    assert.match(error?.hint ?? "", new RegExp(`set authorizationUrl: "${raw.authorizationUrl}" and tokenUrl: "${raw.base}/v2/token"`));
  });

  it("revocation uses metadata only from an issuer on tokenUrl's own origin", async () => {
    const metadataOf = (issuer: string) => () => ({ issuer, token_endpoint: raw.tokenUrl, revocation_endpoint: `${another.base}/revoke` });
    another.metadata = metadataOf(another.base);
    const elsewhere = await signIn({ authorizationUrl: another.authorizationUrl });
    assert.equal(elsewhere.connected?.account.server?.issuer, another.base, "its answers are still compared with it (RFC 9207)");
    assert.equal(elsewhere.connected.account.server.revocationUrl, undefined);
    assert.deepEqual(await removeAccount(elsewhere.connected.account.id, { ...elsewhere.host, accounts: elsewhere.accounts }), {
      revoked: false,
    });
    assert.deepEqual(another.received, [], "nothing went there");
    raw.metadata = metadataOf(raw.base);
    const own = await signIn();
    assert.equal(own.connected?.account.server?.revocationUrl, `${another.base}/revoke`);
    assert.deepEqual(await removeAccount(own.connected.account.id, { ...own.host, accounts: own.accounts }), { revoked: true });
    assert.equal(another.received.length, 1);
  });

  it("a stored revocation address of another issuer receives nothing", async () => {
    const host = makeHost();
    const accounts = openAccounts(host);
    const definition = oauthDefinition(raw.tokenUrl);
    for (const issuer of [another.base, undefined, "no address"]) {
      const server = { revocationUrl: `${another.base}/revoke`, ...(issuer === undefined ? {} : { issuer }) };
      const { account } = await storeAccount(
        accounts,
        definition,
        { access: "the-access-token", refresh: "the-refresh-token" },
        { server },
      );
      assert.equal(revocationUrlOf(account), undefined);
      assert.deepEqual(await removeAccount(account.id, { ...host, accounts }), { revoked: false });
    }
    assert.deepEqual(another.received, []);
    const relative = oauthDefinition("https://shop.example/token", { tokenUrl: "/token" });
    const server = { issuer: "https://a.shop.example", revocationUrl: "https://a.shop.example/revoke" };
    assert.equal(revocationUrlOf(oauthAccount(relative, { endpoint: "https://a.shop.example", server })), server.revocationUrl);
    assert.equal(revocationUrlOf(oauthAccount(relative, { endpoint: "https://b.shop.example", server })), undefined);
  });

  it("auth-spec 2.3 scopes: scopes missing from the provider's metadata get no note and are named in a refusal", async () => {
    const metadata = { issuer: raw.base, token_endpoint: raw.tokenUrl, scopes_supported: ["read", "write", "\u001b[31m"] };
    raw.metadata = () => metadata;
    const { connected } = await signIn({ scopes: ["read", "admin"] });
    // The token response has no scope, so all of them were granted (RFC 6749, section 5.1).
    assert.deepEqual(connected?.signInNotes, []);
    raw.callback = (query) => ({ error: "invalid_scope", state: query.get("state") ?? "" });
    const refusedSignIn = await signIn({ scopes: ["read", "admin"] });
    assert.equal(refusedSignIn.error?.configPath, "userAuthentication.scopes");
    assert.match(refusedSignIn.error?.message ?? "", /does not offer the scopes admin/);
    assert.match(refusedSignIn.error?.hint ?? "", /Its metadata lists read, write/);
    const joined = await signIn({ scopes: ["read", "write"], scopeDelimiter: "," });
    assert.equal(joined.error?.configPath, "userAuthentication.scopeDelimiter");
    assert.match(joined.error?.hint ?? "", /Remove scopeDelimiter/);
  });

  it("RFC 7636: a bare refusal proposes useProofKeyForCodeExchange if only the metadata lists PKCE", async () => {
    raw.metadata = () => ({ issuer: raw.base, token_endpoint: raw.tokenUrl, code_challenge_methods_supported: ["S256"] });
    raw.callback = (query) => ({ error: "invalid_request", state: query.get("state") ?? "" });
    const page = await signIn();
    assert.equal(page.error?.configPath, "userAuthentication.useProofKeyForCodeExchange");
    assert.match(page.error?.hint ?? "", /Set useProofKeyForCodeExchange: true/);
    raw.callback = (query) => ({ error: "invalid_request", error_description: "a parameter is missing", state: query.get("state") ?? "" });
    const vague = await signIn();
    assert.equal(vague.error?.configPath, "userAuthentication.authorizationUrl");
    assert.match(vague.error?.hint ?? "", /Its metadata lists PKCE: if it demands that, set useProofKeyForCodeExchange: true/);
    assert.equal((await signIn({ useProofKeyForCodeExchange: true })).error?.configPath, "userAuthentication.authorizationUrl");
    const plain = await signIn({ useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" });
    assert.equal(plain.error?.configPath, "userAuthentication.pkceChallengeMethod");
    assert.match(plain.error?.hint ?? "", /^Set pkceChallengeMethod to what it lists: S256\./);
    raw.callback = (query) => ({ code: "c", state: query.get("state") ?? "" });
    raw.responses = [{ status: 400, body: '{"error":"invalid_request"}' }];
    assert.match((await signIn()).error?.hint ?? "", /Its metadata lists PKCE.*useProofKeyForCodeExchange: true/);
  });
});
