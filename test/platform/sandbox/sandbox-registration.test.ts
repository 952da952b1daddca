// Sign-ins with the sandbox where the configuration has no address: its metadata leads to the provider, and the application registers there.
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import { connected } from "../../support/connected.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { approve, callbackServer, definition, registered } from "../../support/sandbox.ts";

const MCP = "https://ai.shop.example/mcp";
const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addMCPServer({ name: "Shop", endpointUrl: "${MCP}" });
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  useDynamicClientRegistration: true,
  useProofKeyForCodeExchange: true,
});
pack.addNetworkDomain("shop.example");
`;

describe("Dynamic client registration in the sandbox", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  it("sdk-facts 6: a pack without addresses connects and refreshes, and leaves nothing for the real provider", async () => {
    const { openedPack, host, accounts, savedAccount, signInNotes } = await connected(sandbox, packFiles({ "pack.ts": SOURCE }));
    assert.deepEqual(signInNotes, []);
    const browser = new URL(host.openedUrls[0] ?? "");
    assert.equal(browser.pathname, "/ai.shop.example/oauth/authorize");
    assert.equal(browser.searchParams.get("resource"), MCP);
    assert.equal(browser.searchParams.get("code_challenge_method"), "S256");
    assert.equal(savedAccount.server?.tokenUrl, "https://ai.shop.example/oauth/token");
    assert.equal(await accounts.clientCredentials(savedAccount.pack, "user"), undefined);
    const side = await registeredSide(openedPack);
    const usable = await usableAccount(openedPack, savedAccount, { accounts, host, sandbox: async () => side });
    const first = usable.credential;
    const renewed = await usable.refresh?.(first);
    assert.equal(renewed?.isNew, true);
    assert.notDeepEqual(renewed?.credential, first);
    const removal = await removeAccount(savedAccount.id, {
      accounts,
      fetch: host.fetch,
      storageFolder: host.storageFolder,
      sandboxClient: side.clientCredentials,
    });
    assert.deepEqual(removal, { revoked: true });
  });

  async function registeredSide(packShape: { readonly entry: string; readonly definition: never | object }) {
    const { origin, user } = await sandbox.register({ entry: packShape.entry, name: "shop", definition: packShape.definition as never });
    assert.ok(user);
    return { origin, ...user };
  }

  const shop = definition({ type: "OAuth2", useDynamicClientRegistration: true }, { mcpServers: [{ name: "Shop", endpointUrl: MCP }] });

  it("RFC 8707: a resource of a newly added domain is accepted", async () => {
    const before = await registered(sandbox, shop);
    const requestParameters = {
      response_type: "code",
      client_id: before.user.clientCredentials.clientId,
      resource: "https://new.example/",
    };
    const pkce = { code_challenge: "c".repeat(43), code_challenge_method: "S256", redirect_uri: "http://localhost:3000/oauth" };
    const url = `https://ai.shop.example/oauth/authorize?${new URLSearchParams({ ...requestParameters, ...pkce })}`;
    const errorAt = async ({ api }: typeof before) =>
      new URL((await api(url)).headers.get("location") ?? "", "http://localhost").searchParams.get("error");
    assert.equal(await errorAt(before), "invalid_target");
    const after = await registered(sandbox, { ...shop, networkDomains: ["shop.example", "new.example"] }, { entry: before.entry });
    assert.equal(await errorAt(after), null);
  });

  it("RFC 9728, RFC 8414 and RFC 7591: a strict client registers from the MCP server's address and gets a token", async () => {
    const callback = await callbackServer();
    const redirectUri = `http://127.0.0.1:${callback.port}/oauth`;
    try {
      const pack = await registered(sandbox, shop);
      const resource = new URL(`${pack.origin}/ai.shop.example/mcp`);
      const insecure = { [oauth.allowInsecureRequests]: true };
      const resourceMetadata = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, insecure),
      );
      const issuer = new URL(resourceMetadata.authorization_servers?.[0] ?? "");
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" }),
      );
      const oidc = await oauth.discoveryRequest(issuer, insecure);
      assert.deepEqual(await oauth.processDiscoveryResponse(issuer, oidc), server);
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(
          server,
          { client_name: "strict", redirect_uris: [redirectUri], token_endpoint_auth_method: "client_secret_basic" },
          insecure,
        ),
      );
      const authorize = async (parameters: Readonly<Record<string, string>>) => {
        const url = new URL(server.authorization_endpoint ?? "");
        url.search = new URLSearchParams({
          response_type: "code",
          client_id: client.client_id,
          redirect_uri: redirectUri,
          state: "s",
          ...parameters,
        }).toString();
        return approve(url.href);
      };
      const verifier = oauth.generateRandomCodeVerifier();
      const challenge = { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" };
      const moved = await fetch(
        `${server.authorization_endpoint}?response_type=code&client_id=${client.client_id}&redirect_uri=${redirectUri}`,
        { redirect: "manual" },
      );
      const without = await fetch(new URL(moved.headers.get("location") ?? "", moved.url), { redirect: "manual" });
      assert.match(without.headers.get("location") ?? "", /error=invalid_request&error_description=.*PKCE/);
      const back = await authorize({ ...challenge, resource: resource.href });
      const parameters = oauth.validateAuthResponse(server, client, back, "s");
      const exchange = (target: string) =>
        oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.ClientSecretBasic(String(client.client_secret)),
          parameters,
          redirectUri,
          verifier,
          { ...insecure, additionalParameters: { resource: target } },
        );
      assert.match(await (await exchange("https://elsewhere.example/mcp")).text(), /"error":"invalid_target"/);
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange(resource.href));
      assert.equal(
        (await pack.api("https://ai.shop.example/tasks", { headers: { authorization: `Bearer ${tokens.access_token}` } })).status,
        200,
      );
      const wrong = await fetch(
        `${server.authorization_endpoint}?${new URLSearchParams({ response_type: "code", client_id: client.client_id, redirect_uri: redirectUri, ...challenge, resource: "https://elsewhere.example/" })}`,
        { redirect: "manual" },
      );
      assert.match(wrong.headers.get("location") ?? "", /error=invalid_target/);
    } finally {
      callback.close();
    }
  });

  it("sdk-facts 6: a server with a relative address is at the account's endpoint", async () => {
    const pack = await registered(
      sandbox,
      definition(
        { type: "OAuth2", useDynamicClientRegistration: true, requiresEndpointUrl: true },
        { mcpServers: [{ name: "Shop", endpointUrl: "/mcp" }] },
      ),
    );
    assert.equal(pack.user.endpoint, "https://sandbox.shop.example");
    const challenged = await pack.api("https://sandbox.shop.example/mcp", { method: "POST", body: "{}" });
    const metadata = /resource_metadata="([^"]+)"/.exec(challenged.headers.get("www-authenticate") ?? "")?.[1] ?? "";
    assert.deepEqual(((await (await fetch(metadata)).json()) as { authorization_servers: unknown }).authorization_servers, [
      `${pack.origin}/sandbox.shop.example`,
    ]);
  });

  it("metadata of foreign hosts is absent, and an invalid client is not registered", async () => {
    const pack = await registered(sandbox, shop);
    const get = async (path: string): Promise<number> => (await fetch(`${pack.origin}${path}`)).status;
    assert.equal(await get("/.well-known/oauth-protected-resource/elsewhere.example/mcp"), 404);
    assert.equal(await get("/.well-known/oauth-protected-resource/ai.shop.example/other"), 404);
    assert.equal(await get("/.well-known/oauth-authorization-server/elsewhere.example"), 404);
    assert.equal(await get("/ai.shop.example/.well-known/oauth-authorization-server"), 200);
    assert.equal(await get("/ai.shop.example/.well-known/oauth-protected-resource/mcp"), 200);
    for (const body of ["", "[]", "no json", "{}", '{"redirect_uris":["javascript:alert(1)"]}']) {
      const response = await fetch(`${pack.origin}/ai.shop.example/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      assert.equal(response.status, 400, body);
      assert.match(await response.text(), /"error":"invalid_(client_metadata|redirect_uri)"/);
    }
  });

  it("a configuration with addresses and client gets no registration endpoint", async () => {
    const pack = await registered(
      sandbox,
      definition({ type: "OAuth2", authorizationUrl: "https://shop.example/a", tokenUrl: "https://shop.example/t" }),
    );
    const response = await fetch(`${pack.origin}/.well-known/oauth-authorization-server/shop.example`);
    assert.equal(((await response.json()) as { registration_endpoint?: string }).registration_endpoint, undefined);
  });
});
