// HTTP Basic at the token and revocation endpoints: most servers compare client ID and secret as they are sent, as the platform sends
// them; some decode them first, as RFC 6749 says. The one that decodes here is a real provider.
import assert from "node:assert/strict";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { signInWithBrowser } from "../../../platform/connect/flows/authorization-code.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import type { ClientCredentials, ClientMethod } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { flowContext } from "../../support/flow-context.ts";
import { oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { openOidcProvider } from "../../support/oidc-provider.ts";
import { makeHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const UUID: ClientCredentials = { clientId: "7c9e6679-7425-40de-944b-e07fc1f90ae7", clientSecret: "s_3cret.with~all-unreserved_1" };
/** The two forms of HTTP Basic differ in these. */
const ODD: ClientCredentials = { clientId: "my client", clientSecret: "50%+ more: a/b&c=d e*(f)" };
const DENIED: TokenServerResponse = { status: 401, body: '{"error":"invalid_client"}' };

describe("HTTP Basic for a client", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  /** Takes the pair exactly as it stands in the header, and nothing in the body. */
  const compares = ({ clientId, clientSecret }: ClientCredentials, tokenBody = '{"access_token":"the-access-token"}') => {
    const header = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    server.reply = () => (server.received.at(-1)?.headers.authorization === header ? { body: tokenBody } : DENIED);
  };
  const pairs = () =>
    server.received.flatMap(({ headers }) =>
      headers.authorization === undefined ? [] : [Buffer.from(String(headers.authorization).slice(6), "base64").toString()],
    );
  const signIn = (client: ClientCredentials, own: Partial<AuthenticationDefinition> = {}, remembered?: ClientMethod) =>
    signInWithBrowser(
      flowContext(server, {
        auth: auth("OAuth2", { authorizationUrl: server.authorizationUrl, tokenUrl: server.tokenUrl, ...own }),
        client: { credentialsFor: async () => client },
        ...(remembered === undefined ? {} : { remembered }),
      }),
    );

  for (const location of [undefined, "AuthorizationHeader"] as const) {
    const how = location === undefined ? "found by trying" : `credentialsLocation ${location}`;
    it(`auth-spec 5.5.5: a UUID client ID and an unreserved-character secret are sent unencoded (${how})`, async () => {
      compares(UUID);
      const signedIn = await signIn(UUID, location === undefined ? {} : { credentialsLocation: location });
      assert.equal(signedIn?.clientMethod, "basic");
      assert.deepEqual(pairs(), [`${UUID.clientId}:${UUID.clientSecret}`], "sent once, in the one form that there is");
    });

    it(`auth-spec 5.5.5: a secret that form-encoding would change is sent raw first (${how})`, async () => {
      compares(ODD);
      const signedIn = await signIn(ODD, location === undefined ? {} : { credentialsLocation: location });
      assert.equal(signedIn?.clientMethod, "basic");
      assert.deepEqual(pairs(), [`${ODD.clientId}:${ODD.clientSecret}`]);
    });
  }

  it("RFC 6749, 2.3.1: a decoding provider gets the form-encoded pair next, and that form is remembered", async () => {
    const provider = await openOidcProvider({
      clients: [
        {
          client_id: ODD.clientId,
          ...(ODD.clientSecret === undefined ? {} : { client_secret: ODD.clientSecret }),
          application_type: "native",
          redirect_uris: ["http://localhost/oauth"],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          token_endpoint_auth_method: "client_secret_basic",
        },
      ],
      pkce: { required: () => false },
    });
    // Any port of this machine (RFC 8252, section 7.3), by name too.
    (provider.provider.Client.prototype as unknown as { redirectUriAllowed(uri: string): boolean }).redirectUriAllowed = () => true;
    try {
      const signedIn = await signInWithBrowser(
        flowContext(provider, {
          auth: auth("OAuth2", {
            authorizationUrl: provider.authorizationUrl,
            tokenUrl: provider.tokenUrl,
            scopes: ["orders:read"],
            credentialsLocation: "AuthorizationHeader",
          }),
          client: { credentialsFor: async () => ODD },
        }),
      );
      assert.equal(signedIn?.clientMethod, "basic-encoded");
      assert.ok(signedIn.credential.kind === "oauth2" && (await provider.accepts(signedIn.credential.accessToken)));
    } finally {
      provider.close();
    }
  });

  it("a remembered method of an earlier version tries both forms of HTTP Basic first", async () => {
    compares({ clientId: "my+client", clientSecret: "a%2Fb" });
    const signedIn = await signIn({ clientId: "my client", clientSecret: "a/b" }, {}, "basic");
    assert.equal(signedIn?.clientMethod, "basic-encoded");
    assert.deepEqual(pairs(), ["my client:a/b", "my+client:a%2Fb"]);
    assert.equal(server.received.length, 2);
  });

  it("RFC 7617, 2: a client ID with a colon is only sent encoded", async () => {
    compares({ clientId: "urn%3Aapp", clientSecret: "secret-1" });
    const signedIn = await signIn({ clientId: "urn:app", clientSecret: "secret-1" });
    assert.equal(signedIn?.clientMethod, "basic-encoded");
    assert.deepEqual(pairs(), ["urn%3Aapp:secret-1"]);
  });

  for (const [what, client, compared] of [
    ["unencoded, if the provider compares", UUID, UUID],
    [
      "raw, then encoded, if the provider decodes",
      { clientId: "my client", clientSecret: "a/b" },
      { clientId: "my+client", clientSecret: "a%2Fb" },
    ],
  ] as const) {
    it(`RFC 7009, 2.1: the revocation endpoint gets client ID and secret ${what}`, async () => {
      compares(compared, "");
      const host = makeHost();
      const accounts = openAccounts(host);
      const { account } = await storeAccount(
        accounts,
        oauthDefinition(server.tokenUrl),
        { access: "the-access-token", refresh: "the-refresh-token" },
        { clientMethod: "basic", server: { issuer: server.base, revocationUrl: `${server.base}/revoke` } },
      );
      await accounts.saveClientCredentials(account.pack, account.scope, client);
      assert.deepEqual(await removeAccount(account.id, { ...host, accounts }), { revoked: true });
    });
  }
});
