// Where an MCP server is, and with whose account it is reached.
import assert from "node:assert/strict";
import type { RunReport } from "../../../protocol/run.ts";
import { mcpResponder } from "../../support/mcp-answers.ts";
import type { RunOptions } from "../../support/run.ts";
import { failure, runsOfSuite, value } from "../../support/run-pack.ts";

const pack = (rest: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
${rest}
`;
const TOKEN = { kind: "token", token: "canary-token-77aa" } as const;
const LIST = { kind: "mcpServer", name: "Good" } as const;
const describeRequests = ({ requests }: RunReport): readonly string[] => [
  ...new Set(requests.map(({ url, credentials }) => `${url} ${credentials.map(({ carrier }) => carrier).join()}`)),
];

describe("The address of an MCP server", function () {
  this.timeout(30_000);

  describe("A server address relative to the account's endpoint", () => {
    const { go, wire } = runsOfSuite(
      pack(`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true, endpointDomain: "good.com" });
pack.addMCPServer({ name: "Good", endpointUrl: "/mcp" });`),
    );
    const list = (options: Partial<RunOptions> = {}): Promise<RunReport> => go(LIST, [], options);

    it("sdk-facts 6: the server's address begins at the account's endpoint", async () => {
      wire.respond = mcpResponder({ tools: [{ name: "a" }] });
      const report = await list({ account: { scope: "user", credential: TOKEN, endpoint: "https://acme.good.com" } });
      value(report);
      assert.deepEqual(describeRequests(report), ["https://acme.good.com/mcp Authorization"]);
    });
    it("a missing or undeclared endpoint is reported without a request", async () => {
      const none = await list({ account: { scope: "user", credential: TOKEN } });
      assert.match(
        failure(none),
        /^endpoint-invalid \| The address of the MCP server Good begins at the account's endpoint, but there is no endpoint\./,
      );
      const elsewhere = await list({ account: { scope: "user", credential: TOKEN, endpoint: "https://evil.example" } });
      assert.match(failure(elsewhere), /^mcp-failed \| Not sent: .*evil\.example is not in the pack's network domains/);
      assert.deepEqual(wire.connections, []);
    });
  });

  describe("A pack with system authentication", () => {
    const { go, wire } = runsOfSuite(
      pack(`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key" });
pack.addMCPServer({ name: "Good", endpointUrl: "https://good.com/mcp" });`),
    );
    it("sdk-facts 6: the server is reached with the system account, not with the user's", async () => {
      wire.respond = mcpResponder({ tools: [{ name: "a" }] });
      const report = await go(LIST, [], { account: { scope: "system", credential: TOKEN } });
      value(report);
      assert.deepEqual(describeRequests(report), ["https://good.com/mcp X-Key"]);
      const users = await go(LIST, [], { account: { scope: "user", credential: TOKEN } });
      assert.match(failure(users), /^account-required \| The MCP server Good needs the pack's system account\./);
    });
  });

  describe("A pack without authentication", () => {
    const { go, wire } = runsOfSuite(pack(`pack.addMCPServer({ name: "Good", endpointUrl: "https://good.com/mcp" });`));
    it("the server is reached without an account and without a question", async () => {
      wire.respond = mcpResponder({ tools: [{ name: "write" }] });
      const target = { kind: "mcpTool", server: "Good", name: "write", arguments: {} } as const;
      const report = await go(target, [], { mayCall: () => Promise.reject(new Error("nobody is asked")) });
      assert.equal(value(report), "{}");
      assert.deepEqual(describeRequests(report), ["https://good.com/mcp "]);
    });

    it("the error of a server that asks for credentials suggests setUserAuthentication", async () => {
      for (const [status, what] of [
        [401, "no credential was sent, and the server asks for one"],
        [403, "no credential was sent, and the server forbids the request"],
      ] as const) {
        wire.respond = (_request, response) => response.writeHead(status).end();
        const { outcome } = await go(LIST);
        assert.ok(outcome.status === "failed");
        assert.equal(outcome.error.message, `The MCP server Good failed (${status}), because ${what}.`);
        assert.match(outcome.error.hint ?? "", /^Add setUserAuthentication to the pack/);
      }
    });
  });

  describe("An undeclared domain", () => {
    const { go, wire } = runsOfSuite(pack(`pack.addMCPServer({ name: "Good", endpointUrl: "https://other.example/mcp" });`));
    it("the server is not reached, and its domain is offered", async () => {
      const report = await go(LIST);
      assert.match(failure(report), /^mcp-failed \| Not sent: other\.example is not in the pack's network domains/);
      assert.ok(report.outcome.status === "failed");
      assert.deepEqual(
        report.outcome.error.remedies?.map(({ kind }) => kind),
        ["addNetworkDomain"],
      );
      assert.deepEqual(wire.connections, []);
    });
  });

  describe("A 403", () => {
    const { go, wire } = runsOfSuite(
      pack(`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://good.com/a", tokenUrl: "https://good.com/t", scopes: ["read", "write"] });
pack.addMCPServer({ name: "Good", endpointUrl: "https://good.com/mcp" });`),
    );
    it("the error of a missing scope that the configuration requests offers to grant more access", async () => {
      wire.respond = mcpResponder({
        tools: [{ name: "write" }],
        instead: {
          "tools/call": (_request, response) =>
            void response.writeHead(403, { "www-authenticate": 'Bearer error="insufficient_scope", scope="write"' }).end(),
        },
      });
      const account = {
        id: "a",
        scope: "user",
        credential: { kind: "oauth2", accessToken: "canary-token-77aa" },
        grantedScopes: ["read"],
      } as const;
      const report = await go({ kind: "mcpTool", server: "Good", name: "write", arguments: {} }, [], { account });
      assert.match(
        failure(report),
        /^mcp-failed \| The MCP server Good failed \(403\), because the account has not granted write, which write asks for\./,
      );
      assert.ok(report.outcome.status === "failed");
      assert.deepEqual(report.outcome.error.remedies, [
        { kind: "grantAccess", account: "a", scopes: ["read", "write"], label: "Grant more access" },
      ]);
    });
  });

  describe("A 401", () => {
    const { go, wire } = runsOfSuite(
      pack(`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://good.com/a", tokenUrl: "https://good.com/t" });
pack.addMCPServer({ name: "Good", endpointUrl: "https://good.com/mcp" });`),
    );
    it("the request is repeated with a renewed token, which later requests use", async () => {
      const tools = mcpResponder({ tools: [{ name: "a" }] });
      wire.respond = (request, response, raw) =>
        request.headers.authorization === "Bearer fresh-token-1" ? tools(request, response, raw) : void response.writeHead(401).end();
      let renewed = 0;
      const account = {
        scope: "user" as const,
        credential: { kind: "oauth2" as const, accessToken: "stale-token-0" },
        async refresh() {
          account.credential = { kind: "oauth2", accessToken: `fresh-token-${++renewed}` };
          return { credential: account.credential, isNew: true };
        },
      };
      value(await go(LIST, [], { account }));
      assert.equal(renewed, 1);
      assert.deepEqual(
        wire.requests.map(({ headers }) => headers.authorization),
        ["Bearer stale-token-0", ...Array.from({ length: 3 }, () => "Bearer fresh-token-1")],
      );
    });
  });
});
