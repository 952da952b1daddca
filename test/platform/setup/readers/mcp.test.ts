// MCP servers without authentication, with an authorization server (RFC 9728), and with a key.
import assert from "node:assert/strict";
import { CANARY, fieldsIn, openSetupServer, proposed, type SetupServer, setUp } from "../../../support/setup.ts";

describe("The MCP reader", function () {
  this.timeout(30_000);
  let server: SetupServer;
  let issuer: SetupServer;
  before(async () => {
    [server, issuer] = await Promise.all([openSetupServer(), openSetupServer("localhost")]);
  });
  after(() => {
    server.close();
    issuer.close();
  });
  beforeEach(() => {
    for (const each of [server, issuer]) {
      each.requests.length = 0;
      each.respond = () => undefined;
    }
  });

  const evidence = () => ({ kind: "mcp", text: `${server.base}/mcp` }) as const;
  const initialized = {
    jsonrpc: "2.0",
    id: 1,
    result: { protocolVersion: "2025-06-18", serverInfo: { name: "acme issues", version: "1" } },
  };
  const metadata = () => ({
    issuer: issuer.base,
    authorization_endpoint: `${issuer.base}/a`,
    token_endpoint: `${issuer.base}/t`,
    registration_endpoint: `${issuer.base}/register`,
    code_challenge_methods_supported: ["S256"],
  });

  it("an open server needs no authentication, and is declared with its own name", async () => {
    for (const response of [
      { body: initialized },
      { headers: { "content-type": "text/event-stream" }, body: `event: message\ndata: ${JSON.stringify(initialized)}\n\n` },
    ]) {
      server.respond = () => response;
      const proposal = await proposed(evidence());
      assert.equal(proposal.type, "None");
      assert.equal(proposal.mcpServer?.name, "AcmeIssues");
      assert.equal(proposal.mcpServer.endpointUrl, `${server.base}/mcp`);
      assert.deepEqual(
        proposal.domains.map(({ domain }) => domain),
        ["127.0.0.1"],
      );
    }
    assert.match(server.requests[0] ?? "", /^POST \/mcp .*"method":"initialize"/);
  });

  it("RFC 9728: a server with an authorization server registers the client, and names its resource", async () => {
    const path = "/.well-known/oauth-protected-resource/mcp";
    server.respond = (_, requested) =>
      requested === path
        ? { body: { resource: `${server.base}/mcp`, authorization_servers: [issuer.base] } }
        : { status: 401, headers: { "www-authenticate": `Bearer resource_metadata="${server.base}${path}"` } };
    issuer.respond = () => ({ body: metadata() });
    const { questions } = await setUp(evidence());
    assert.deepEqual(
      questions.map(({ id }) => id),
      [`look-up ${server.host}`, `look-up ${issuer.host}`],
    );
    const proposal = await proposed(evidence());
    assert.equal(proposal.type, "OAuth2");
    assert.deepEqual(fieldsIn(proposal), {
      resource: `${server.base}/mcp`,
      useProofKeyForCodeExchange: true,
      useDynamicClientRegistration: true,
    });
    assert.equal(proposal.mcpServer?.endpointUrl, `${server.base}/mcp`);
  });

  it("RFC 9728: the scopes that the server itself supports are offered, not those of its issuer", async () => {
    server.respond = (_, requested) =>
      requested === "/.well-known/oauth-protected-resource/mcp"
        ? {
            body: {
              resource: `${server.base}/mcp`,
              authorization_servers: [issuer.base],
              scopes_supported: ["issues:read", "issues:write"],
            },
          }
        : { status: 401 };
    issuer.respond = () => ({ body: { ...metadata(), scopes_supported: ["openid", "admin"] } });
    const proposal = await proposed(evidence(), { scopes: "all" });
    assert.deepEqual(fieldsIn(proposal).scopes, ["issues:read", "issues:write"]);
    assert.match(proposal.fields.find(({ name }) => name === "scopes")?.origin ?? "", /the metadata of the resource/);
  });

  it("an issuer without registration gives its addresses, for a client that the author registers", async () => {
    server.respond = (_, requested) =>
      requested === "/.well-known/oauth-protected-resource/mcp"
        ? { body: { resource: `${server.base}/mcp`, authorization_servers: [issuer.base, `${issuer.base}/second`] } }
        : { status: 401 };
    issuer.respond = () => ({ body: { ...metadata(), registration_endpoint: undefined } });
    const proposal = await proposed(evidence(), { issuer: issuer.base });
    assert.equal(fieldsIn(proposal).tokenUrl, `${issuer.base}/t`);
    assert.equal(fieldsIn(proposal).useDynamicClientRegistration, undefined);
  });

  it("an older server whose own origin is the issuer is read too", async () => {
    server.respond = (_, path) =>
      path === "/.well-known/oauth-authorization-server"
        ? { body: { issuer: server.base, authorization_endpoint: `${server.base}/a`, token_endpoint: `${server.base}/t` } }
        : path === "/mcp"
          ? { status: 401 }
          : undefined;
    assert.equal(fieldsIn(await proposed(evidence())).tokenUrl, `${server.base}/t`);
  });

  it("a server that asks for a key alone gives the type of its challenge", async () => {
    server.respond = (_, path) => (path === "/mcp" ? { status: 401, headers: { "www-authenticate": "Bearer" } } : undefined);
    const proposal = await proposed(evidence());
    assert.equal(proposal.type, "HeaderBearerToken");
    assert.equal(proposal.mcpServer?.name, "Server");
  });

  it("metadata of another resource is refused with its name", async () => {
    server.respond = (_, path) =>
      path.startsWith("/.well-known/oauth-protected-resource")
        ? { body: { resource: "https://evil.example/mcp", authorization_servers: [issuer.base] } }
        : { status: 401 };
    const { error } = await setUp(evidence());
    assert.match(error?.message ?? "", /names another resource, https:\/\/evil\.example\/mcp/);
  });

  for (const [what, response] of Object.entries({
    "a web page": { headers: { "content-type": "text/html" }, body: "<html></html>" },
    "405": { status: 405 },
  }))
    it(`${what} is refused with what to check`, async () => {
      server.respond = () => response;
      const { error } = await setUp(evidence());
      assert.equal(error?.code, "evidence-unreadable");
      assert.match(error?.hint ?? "", /\/mcp/);
    });

  it("a credential in the address is in no request and no proposal", async () => {
    server.respond = () => ({ body: initialized });
    const proposal = await proposed({ kind: "mcp", text: `${server.base}/mcp?apiKey=${CANARY}` });
    assert.match(proposal.remarks.join(), /query .* left out/);
    assert.ok(!server.requests.join().includes(CANARY));
  });
});
