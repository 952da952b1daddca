// Issuers in the shapes of real providers, and documents that must not be used.
import assert from "node:assert/strict";
import { openOidcProvider } from "../../../support/oidc-provider.ts";
import { assertLegal, CANARY, fieldsIn, openSetupServer, proposed, type SetupServer, setUp } from "../../../support/setup.ts";

const OIDC = "/.well-known/openid-configuration";
const REPLIES = { "api-host": "api.acme.example", scopes: "none", grant: "user", registration: "own", "other-origin": "use" };

describe("The issuer reader", function () {
  this.timeout(30_000);
  let server: SetupServer;
  let other: SetupServer;
  before(async () => {
    [server, other] = await Promise.all([openSetupServer(), openSetupServer("localhost")]);
  });
  after(() => {
    server.close();
    other.close();
  });
  beforeEach(() => {
    for (const each of [server, other]) {
      each.requests.length = 0;
      each.respond = () => undefined;
    }
  });

  /** Publishes metadata at a path; the issuer is the server with `issuer` behind it. */
  function publish(path: string, metadata: Readonly<Record<string, unknown>>, issuer = ""): string {
    const document = {
      issuer: `${server.base}${issuer}`,
      authorization_endpoint: `${server.base}${issuer}/authorize`,
      token_endpoint: `${server.base}${issuer}/token`,
      response_types_supported: ["code"],
      ...metadata,
    };
    server.respond = (_, requested) => (requested === path ? { body: document } : undefined);
    return `${server.base}${issuer}`;
  }

  it("a Google-shaped issuer asks before its endpoints on other hosts are used", async () => {
    const text = publish(OIDC, {
      authorization_endpoint: `${server.base}/o/oauth2/v2/auth`,
      token_endpoint: `${other.base}/token`,
      userinfo_endpoint: `${other.base}/v1/userinfo`,
      scopes_supported: ["openid", "email", "profile"],
      claims_supported: ["aud", "email", "name", "sub"],
      code_challenge_methods_supported: ["plain", "S256"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      grant_types_supported: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    });
    const { questions, error } = await setUp({ kind: "issuer", text }, { ...REPLIES, "other-origin": "stop" });
    assert.match(questions.at(-1)?.text ?? "", new RegExp(`${other.host}.*same provider`));
    assert.match(error?.message ?? "", /as you chose/);
    const proposal = await proposed({ kind: "issuer", text }, { ...REPLIES, scopes: "identity", "api-host": "localhost" });
    assert.equal(proposal.type, "OAuth2");
    assert.deepEqual(fieldsIn(proposal), {
      authorizationUrl: `${server.base}/o/oauth2/v2/auth`,
      tokenUrl: `${other.base}/token`,
      scopes: ["openid", "profile", "email"],
      useProofKeyForCodeExchange: true,
    });
    assert.deepEqual(proposal.userRequest?.namePath, ["name"]);
    assert.deepEqual(proposal.userRequest?.url, [`${other.base}/v1/userinfo`]);
    assert.deepEqual(proposal.domains, [{ domain: "localhost", origin: "your answer" }]);
    assert.match(proposal.fields[0]?.origin ?? "", /^authorization_endpoint in the metadata of http/);
    assert.deepEqual(other.requests, []);
  });

  it("a Microsoft-shaped issuer of a tenant is read, and that of all tenants is refused with both names", async () => {
    const scopes = { scopes_supported: ["openid", "profile", "email", "offline_access"] };
    const text = publish(`/t1/v2.0${OIDC}`, scopes, "/t1/v2.0");
    const proposal = await proposed({ kind: "issuer", text }, { ...REPLIES, scopes: "identity" });
    assert.deepEqual(fieldsIn(proposal).scopes, ["openid", "profile", "email", "offline_access"]);
    const common = publish(`/common/v2.0${OIDC}`, { issuer: `${server.base}/{tenantid}/v2.0` }, "/common/v2.0");
    const { error } = await setUp({ text: common + OIDC });
    assert.equal(error?.code, "evidence-unreadable");
    assert.match(error?.message ?? "", /\/common\/v2\.0 names another issuer, .*\{tenantid\}/);
  });

  it("an Auth0-shaped issuer may be entered without the slash at its end", async () => {
    const metadata = { issuer: `${server.base}/tenant/`, token_endpoint_auth_methods_supported: ["client_secret_basic"] };
    publish(`/tenant${OIDC}`, metadata, "/tenant");
    const proposal = await proposed({ kind: "issuer", text: `${server.base}/tenant` }, REPLIES);
    assert.equal(fieldsIn(proposal).credentialsLocation, "AuthorizationHeader");
    assert.equal(proposal.userRequest, undefined);
  });

  it("an Okta-shaped issuer with registration asks where the client comes from", async () => {
    const metadata = {
      registration_endpoint: `${server.base}/oauth2/v1/clients`,
      code_challenge_methods_supported: ["S256"],
      scopes_supported: ["openid", "profile", "email", "address", "phone", "offline_access"],
    };
    const text = publish("/.well-known/oauth-authorization-server/oauth2/default", metadata, "/oauth2/default");
    assert.equal(fieldsIn(await proposed({ kind: "issuer", text }, REPLIES)).useDynamicClientRegistration, undefined);
    const { questions } = await setUp({ kind: "issuer", text }, REPLIES);
    assert.ok(questions.some(({ id }) => id === "registration"));
    const registered = await proposed({ kind: "issuer", text }, { ...REPLIES, registration: "register", scopes: "all" });
    assert.equal(fieldsIn(registered).useDynamicClientRegistration, true);
    assert.deepEqual(fieldsIn(registered).scopes, metadata.scopes_supported);
  });

  it("a Keycloak-shaped issuer asks who signs in, because it has both grants", async () => {
    const metadata = {
      authorization_endpoint: `${server.base}/realms/shop/protocol/openid-connect/auth`,
      token_endpoint: `${server.base}/realms/shop/protocol/openid-connect/token`,
      grant_types_supported: ["authorization_code", "client_credentials", "password", "implicit"],
      token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_basic", "client_secret_post", "tls_client_auth"],
      dpop_signing_alg_values_supported: ["ES256"],
      scopes_supported: ["openid", "profile"],
    };
    const text = publish(`/realms/shop${OIDC}`, metadata, "/realms/shop");
    const user = await proposed({ kind: "issuer", text }, REPLIES);
    assert.equal(user.type, "OAuth2");
    assert.ok(user.remarks.some((remark) => remark.includes("DPoP")));
    const client = await proposed({ kind: "issuer", text }, { ...REPLIES, grant: "client", client: "system" });
    assert.equal(client.type, "OAuth2ClientCredentials");
    assert.equal(client.scope, "system");
    assert.deepEqual(fieldsIn(client), { tokenUrl: metadata.token_endpoint });
  });

  it("a Zitadel-shaped issuer names the user by what it supports", async () => {
    const text = publish(OIDC, {
      userinfo_endpoint: `${server.base}/oidc/v1/userinfo`,
      scopes_supported: ["openid", "profile", "email", "phone", "address", "offline_access"],
      claims_supported: ["sub", "preferred_username"],
      code_challenge_methods_supported: ["S256"],
    });
    const replies = { ...REPLIES, scopes: "identity" };
    const proposal = await proposed({ kind: "issuer", text }, { ...replies, "api-host": "127.0.0.1" });
    assert.deepEqual(proposal.userRequest?.namePath, ["preferred_username"]);
    const elsewhere = await proposed({ kind: "issuer", text }, replies);
    assert.equal(elsewhere.userRequest, undefined);
    assert.ok(elsewhere.remarks.some((remark) => remark.includes("second one")));
  });

  it("an issuer of the client credentials grant alone gives its type, for users or for the pack", async () => {
    const text = publish(OIDC, { authorization_endpoint: undefined, grant_types_supported: ["client_credentials"] });
    const proposal = await proposed({ kind: "issuer", text }, { ...REPLIES, client: "user" });
    assert.equal(proposal.type, "OAuth2ClientCredentials");
    assert.equal(proposal.scope, "user");
  });

  it("plain PKCE is left out with a remark, and a query of the authorization endpoint becomes parameters", async () => {
    const text = publish(OIDC, {
      authorization_endpoint: `${server.base}/authorize?p=policy&response_type=code`,
      code_challenge_methods_supported: ["plain"],
    });
    const proposal = await proposed({ kind: "issuer", text }, REPLIES);
    const fields = fieldsIn(proposal);
    assert.equal(fields.useProofKeyForCodeExchange, undefined);
    assert.match(proposal.remarks.join(), /the method plain only/);
    assert.equal(fields.authorizationUrl, `${server.base}/authorize`);
    assert.deepEqual(fields.additionalParams, { p: "policy" });
  });

  const impossible: Readonly<Record<string, readonly [metadata: Readonly<Record<string, unknown>>, reason: string]>> = {
    "the device grant": [{ grant_types_supported: ["urn:ietf:params:oauth:grant-type:device_code"] }, "device-grant"],
    "the password grant": [{ grant_types_supported: ["password", "refresh_token"] }, "password-grant"],
    "the JWT grant": [{ grant_types_supported: ["urn:ietf:params:oauth:grant-type:jwt-bearer"] }, "jwt-assertion"],
    "the implicit grant": [{ response_types_supported: ["token", "id_token token"] }, "implicit-grant"],
    "a client's signature": [{ token_endpoint_auth_methods_supported: ["private_key_jwt"] }, "jwt-assertion"],
    "a client's certificate": [{ token_endpoint_auth_methods_supported: ["self_signed_tls_client_auth"] }, "mutual-tls"],
    "bound tokens": [{ dpop_bound_access_tokens: true }, "dpop"],
    "pushed authorization requests": [{ require_pushed_authorization_requests: true }, "pushed-authorization-request"],
  };
  for (const [demand, [metadata, reason]] of Object.entries(impossible))
    it(`an issuer that offers nothing but ${demand} is impossible`, async () => {
      const { outcome } = await setUp({ kind: "issuer", text: publish(OIDC, metadata) }, REPLIES);
      assert.equal(outcome?.kind, "impossible");
      assert.equal(outcome.kind === "impossible" && outcome.reason, reason);
    });

  const unusable: Readonly<Record<string, readonly [respond: SetupServer["respond"], message: RegExp]>> = {
    "a web page": [() => ({ headers: { "content-type": "text/html" }, body: "<html></html>" }), /web page instead of its metadata/],
    "nothing at the well-known addresses": [() => undefined, /publishes no metadata/],
    "no JSON": [() => ({ headers: { "content-type": "application/json" }, body: "{" }), /not valid JSON/],
    "two megabytes": [() => ({ headers: { "content-type": "application/json" }, body: "x".repeat(2_000_000) }), /larger than 1 MB/],
    "no endpoints": [
      () => ({ body: { issuer: server.base, authorization_endpoint: "http://acme.example/authorize", token_endpoint: "ftp://x/y" } }),
      /names no usable authorization endpoint/,
    ],
    "another issuer": [() => ({ body: { issuer: "https://evil.example" } }), /names another issuer, https:\/\/evil\.example/],
  };
  for (const [what, [respond, message]] of Object.entries(unusable))
    it(`an issuer that publishes ${what} is refused with a clear sentence`, async () => {
      server.respond = respond;
      const { error } = await setUp({ kind: "issuer", text: server.base }, REPLIES);
      assert.equal(error?.code, "evidence-unreadable");
      assert.match(error?.message ?? "", message);
      assert.ok(error?.hint);
    });

  it("an issuer that is down is refused with the reason", async () => {
    const { base, close } = await openSetupServer();
    close();
    const { error } = await setUp({ kind: "issuer", text: base });
    assert.match(error?.message ?? "", /could not be asked: /);
  });

  it("a redirect to another host is followed only after a yes", async () => {
    const metadata = { issuer: server.base, authorization_endpoint: `${server.base}/a`, token_endpoint: `${server.base}/t` };
    server.respond = (_, path) => ({ status: 302, headers: { location: `${other.base}${path}` } });
    other.respond = () => ({ body: metadata });
    const { questions, error } = await setUp({ kind: "issuer", text: server.base }, { [`look-up ${other.host}`]: "no" });
    assert.match(questions.at(-1)?.text ?? "", new RegExp(`${server.host} redirects to ${other.host}`));
    assert.match(error?.message ?? "", /was not asked, as you chose/);
    assert.deepEqual(other.requests, []);
    assert.equal((await proposed({ kind: "issuer", text: server.base }, REPLIES)).type, "OAuth2");
  });

  it("metadata that was entered as a text needs no look-up, and says that nothing proves it", async () => {
    const metadata = {
      issuer: "https://auth.acme.example",
      authorization_endpoint: "https://auth.acme.example/a",
      token_endpoint: "https://auth.acme.example/t",
    };
    const proposal = await proposed({ text: JSON.stringify(metadata) }, REPLIES);
    assert.equal(fieldsIn(proposal).tokenUrl, "https://auth.acme.example/t");
    assert.match(proposal.remarks[0] ?? "", /nothing proves/);
    for (const text of [`{"issuer":"https://x.example","token_endpoint":"${CANARY}`, '{"token_endpoint":"x"}'])
      assert.equal((await setUp({ kind: "issuer", text })).error?.code, "evidence-unreadable");
  });

  it("metadata whose members have other types is read without a guess, or refused", async () => {
    for (const odd of [null, 5, "openid", {}, [], [5, null, "openid"], "x".repeat(3_000), true]) {
      for (const member of [
        "authorization_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
        "registration_endpoint",
        "scopes_supported",
        "claims_supported",
        "grant_types_supported",
        "response_types_supported",
        "code_challenge_methods_supported",
        "token_endpoint_auth_methods_supported",
      ]) {
        const metadata = {
          issuer: server.base,
          authorization_endpoint: `${server.base}/a`,
          token_endpoint: `${server.base}/t`,
          [member]: odd,
        };
        const { outcome, error } = await setUp({ kind: "issuer", text: JSON.stringify(metadata) }, { ...REPLIES, scopes: "identity" });
        if (outcome?.kind === "proposal") assertLegal(outcome.proposal);
        else assert.equal(error?.code, "evidence-unreadable", member);
      }
    }
  });

  it("the metadata of oidc-provider gives a configuration that fits it", async () => {
    const provider = await openOidcProvider({ claims: { profile: ["name"], email: ["email"] } });
    try {
      const replies = { ...REPLIES, scopes: "identity", "api-host": "127.0.0.1", registration: "register" };
      const proposal = await proposed({ kind: "issuer", text: provider.issuer }, replies);
      assert.deepEqual(fieldsIn(proposal), {
        authorizationUrl: provider.authorizationUrl,
        tokenUrl: provider.tokenUrl,
        scopes: ["openid", "profile", "email", "offline_access"],
        useProofKeyForCodeExchange: true,
        useDynamicClientRegistration: true,
      });
      assert.deepEqual(proposal.userRequest?.namePath, ["name"]);
    } finally {
      provider.close();
    }
  });

  it("a credential in the issuer's address is in no request", async () => {
    publish(OIDC, {});
    const text = `http://user:${CANARY}@${server.host}/?key=${CANARY}#${CANARY}`;
    const proposal = await proposed({ kind: "issuer", text }, REPLIES);
    assert.equal(proposal.remarks.filter((remark) => remark.includes("left out")).length, 2);
    assert.ok(server.requests.length > 0);
    assert.ok(!server.requests.join().includes(CANARY));
  });
});
