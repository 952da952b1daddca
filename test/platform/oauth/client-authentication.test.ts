// The exchange with each way of client authentication, against a real provider, and a raw one for JSON.
import assert from "node:assert/strict";
import { signInWithBrowser } from "../../../platform/connect/flows/authorization-code.ts";
import type { FlowContext } from "../../../platform/connect/flows/flow.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import type { ClientCredentials, ClientMethod } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { type FlowOptions, flowContext } from "../../support/flow-context.ts";
import { type OidcProvider, openOidcProvider } from "../../support/oidc-provider.ts";
import { openTokenServer } from "../../support/token-server.ts";

// Of every character that one of the ways has to encode; the provider decodes HTTP Basic (RFC 6749, section 2.3.1).
const SECRET = "s+e/c r&e=t%:-0123456789abcdef0123456789";
const REDIRECT = "http://localhost/oauth";

describe("Client authentication", function () {
  this.timeout(10_000);
  let provider: OidcProvider;
  before(async () => {
    const client = (id: string, method: "client_secret_post" | "client_secret_basic" | "none") => ({
      client_id: id,
      ...(method === "none" ? {} : { client_secret: SECRET }),
      application_type: "native" as const,
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code" as const],
      token_endpoint_auth_method: method,
    });
    provider = await openOidcProvider({
      clients: [client("post", "client_secret_post"), client("basic", "client_secret_basic"), client("public", "none")],
      pkce: { required: () => false },
    });
    // Any port of this machine (RFC 8252, section 7.3), by name too.
    (provider.provider.Client.prototype as unknown as { redirectUriAllowed(uri: string): boolean }).redirectUriAllowed = (uri) =>
      new URL(uri).hostname === "localhost";
  });
  after(() => provider.close());

  const context = (
    base: { authorizationUrl: string; tokenUrl: string },
    client: ClientCredentials,
    more: FlowOptions = {},
    own: Partial<AuthenticationDefinition> = {},
  ): FlowContext =>
    flowContext(base, {
      auth: auth("OAuth2", { authorizationUrl: base.authorizationUrl, tokenUrl: base.tokenUrl, scopes: ["orders:read"], ...own }),
      client: { credentialsFor: async () => client },
      ...more,
    });

  const ways: readonly (readonly [
    client: ClientCredentials,
    remembered: ClientMethod | undefined,
    own: Partial<AuthenticationDefinition>,
    expectedMethod: ClientMethod,
  ])[] = [
    [{ clientId: "post", clientSecret: SECRET }, undefined, {}, "form"],
    [{ clientId: "post", clientSecret: SECRET }, undefined, { credentialsLocation: "Body" }, "form"],
    [{ clientId: "basic", clientSecret: SECRET }, "basic", {}, "basic-encoded"],
    [{ clientId: "basic", clientSecret: SECRET }, undefined, { credentialsLocation: "AuthorizationHeader" }, "basic-encoded"],
    [{ clientId: "public" }, undefined, { useProofKeyForCodeExchange: true }, "none"],
  ];
  for (const [client, remembered, own, expectedMethod] of ways) {
    const how = own.credentialsLocation ?? (remembered === undefined ? "tried in order" : `remembered as ${remembered}`);
    it(`auth-spec 5.5.5: a client registered as ${client.clientId} signs in, ${how}`, async () => {
      const rememberedMethods: ClientMethod[] = [];
      const more = {
        remember: async (method: ClientMethod) => void rememberedMethods.push(method),
        ...(remembered === undefined ? {} : { remembered }),
      };
      const signedIn = await signInWithBrowser(context(provider, client, more, own));
      assert.equal(signedIn?.clientMethod, expectedMethod);
      assert.ok(signedIn?.credential.kind === "oauth2" && signedIn.credential.refreshToken !== undefined);
      assert.ok(await provider.accepts(signedIn.credential.accessToken));
    });
  }

  it("auth-spec 5.5.5: a provider that accepts only JSON receives JSON", async () => {
    const raw = await openTokenServer();
    try {
      const isJson = (): boolean => raw.received.at(-1)?.headers["content-type"] === "application/json";
      raw.reply = () => (isJson() ? { body: '{"access_token":"the-access-token"}' } : { status: 401, body: '{"error":"invalid_client"}' });
      const base = { authorizationUrl: `${raw.base}/authorize`, tokenUrl: `${raw.base}/token` };
      const signedIn = await signInWithBrowser(context(base, { clientId: "json", clientSecret: SECRET }));
      assert.equal(signedIn?.clientMethod, "json");
      assert.equal(JSON.parse(raw.received.at(-1)?.body ?? "").client_secret, SECRET);
    } finally {
      raw.close();
    }
  });

  it("auth-spec 5.5.4: a wrong secret is reported with every method tried", async () => {
    await assert.rejects(
      async () => signInWithBrowser(context(provider, { clientId: "basic", clientSecret: "not the secret" })),
      (error: PackAuthError) => {
        assert.match(error.message, /invalid_client/);
        assert.ok(!`${error.message} ${error.hint}`.includes("not the secret"));
        return /Tried: form body: .*; HTTP Basic: .*/.test(error.hint ?? "");
      },
    );
  });
});
