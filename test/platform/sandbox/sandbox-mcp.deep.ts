// The sandbox's MCP server: a pack's own tools, listed and called with the account of the sandbox; and what it refuses.
import assert from "node:assert/strict";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import type { McpTool } from "../../../protocol/mcp.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { connected } from "../../support/connected.ts";
import { pack, register, sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";
import { failure, value } from "../../support/run-pack.ts";
import { definition, registered, removeStubsFiles, writeStubsFile } from "../../support/sandbox.ts";

const MCP = "https://ai.shop.example/mcp";
const source = (setter: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addMCPServer({ name: "Shop", endpointUrl: "${MCP}" });
${setter}
pack.addNetworkDomain("shop.example");
`;
const REGISTERS = `pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: true, useProofKeyForCodeExchange: true,
});`;
const TOOLS = [
  {
    name: "add_task",
    description: "Adds a task.",
    inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
    annotations: { destructiveHint: false },
    answer: { id: 7 },
  },
  { name: "greet", answer: "hello" },
  { name: "fail", answer: { content: [{ type: "text", text: "No such project." }], isError: true } },
  { name: "back" },
];

describe("The sandbox's MCP server", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(() => {
    removeStubsFiles();
    removePackFiles();
  });

  async function open(setter: string, stubs: object) {
    const entry = packFiles({ "pack.ts": source(setter) });
    const file = writeStubsFile(stubs);
    const { loadedPack, account, registeredOrigin } =
      setter === ""
        ? await pack(entry).then(async (loadedPack) => ({
            loadedPack: loadedPack,
            account: undefined,
            registeredOrigin: (await register(sandbox, loadedPack, file)).origin,
          }))
        : await connected(sandbox, entry, { stubsFile: file }).then(({ openedPack, account }) => ({
            loadedPack: openedPack,
            account: account as RunAccount,
            registeredOrigin: account.sandboxOrigin,
          }));
    const go = (target: object): Promise<RunReport> =>
      run(loadedPack, target as never, [], {
        fetch,
        sandboxOrigin: registeredOrigin,
        ...(account === undefined ? {} : { account }),
      });
    return {
      entry,
      list: () => go({ kind: "mcpServer", name: "Shop" }),
      call: (name: string, toolArguments: object = {}) => go({ kind: "mcpTool", server: "Shop", name, arguments: toolArguments }),
    };
  }

  for (const [name, setter] of Object.entries({ "with OAuth2 and no address": REGISTERS, "without authentication": "" }))
    it(`tools of sandbox.json are listed and called for a pack ${name}`, async () => {
      const { list, call, entry } = await open(setter, { tools: TOOLS });
      for (const mcp of setter === "" ? (["stream"] as const) : (["json", "stream"] as const)) {
        await sandbox.change({ entry, switches: { mcp } });
        const listed = value(await list()) as readonly McpTool[];
        assert.deepEqual(
          listed.map((tool) => [tool.name, tool.description]),
          TOOLS.map((tool) => [tool.name, tool.description]),
        );
        assert.deepEqual(listed[0]?.inputSchema, TOOLS[0]?.inputSchema);
        assert.deepEqual(listed[0]?.annotations, TOOLS[0]?.annotations);
        assert.deepEqual(value(await call("add_task", { title: "milk" })), { id: 7 });
        // A stream is the same answer on its way in another form.
        if (mcp === "stream") continue;
        assert.equal(value(await call("greet")), "hello");
        assert.match(failure(await call("fail")), /^tool-failed \| No such project\./);
        assert.deepEqual(value(await call("back", { a: [1] })), { arguments: { a: [1] } });
      }
    });

  it("an echo tool is the default, and all pages of many tools are listed", async () => {
    const echo = await open("", {});
    assert.deepEqual(
      (value(await echo.list()) as readonly McpTool[]).map(({ name }) => name),
      ["echo"],
    );
    assert.deepEqual(value(await echo.call("echo", { text: "hi" })), { arguments: { text: "hi" } });
    const many = await open("", { tools: Array.from({ length: 120 }, (_, index) => ({ name: `tool${index}` })) });
    assert.equal((value(await many.list()) as readonly McpTool[]).length, 120);
  });

  it("an answer of sandbox.json for the server's address takes precedence", async () => {
    const { list } = await open("", { answers: [{ request: `* ${MCP}`, status: 503, body: "closed" }] });
    assert.match(failure(await list()), /failed \(503\)/);
  });

  describe("HTTP", () => {
    const shape = definition({ type: "HeaderBearerToken" }, { mcpServers: [{ name: "Shop", endpointUrl: MCP }] });
    const message = (method: string, params: object = {}, id: number | null = 1): string =>
      JSON.stringify({ jsonrpc: "2.0", ...(id === null ? {} : { id }), method, params });

    it("a session begins and ends with the version of 2025, and 2026 needs none", async () => {
      const at = await registered(sandbox, shape);
      const { credential } = at.user;
      const authorization = `Bearer ${credential?.kind === "token" ? credential.token : ""}`;
      const ask = (body: string | undefined, headers: Readonly<Record<string, string>> = {}, method = "POST") =>
        at.api(MCP, { method, headers: { authorization, ...headers }, ...(body === undefined ? {} : { body }) });
      for (const version of ["2025-06-18", "2025-11-25"]) {
        const begun = await ask(
          message("initialize", { protocolVersion: version, capabilities: {}, clientInfo: { name: "c", version: "1" } }),
        );
        const { protocolVersion } = (begun.body as { result: { protocolVersion: string } }).result;
        assert.equal(protocolVersion, "2025-11-25");
        const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": protocolVersion };
        assert.equal((await ask(message("notifications/initialized", {}, null), session)).status, 202);
        assert.equal((await ask(message("ping"), session)).status, 200);
        assert.equal((await ask(undefined, session, "GET")).status, 405);
        assert.equal((await ask(undefined, session, "DELETE")).status, 200);
        assert.equal((await ask(message("ping"), session)).status, 404);
      }
      assert.equal((await ask(message("tools/list"))).status, 400);
      assert.equal((await ask(message("tools/list"), { "mcp-protocol-version": "2031-01-01" })).status, 400);
      assert.equal((await ask(`[${message("ping")}]`)).status, 400);
      assert.equal((await ask("no json")).status, 400);
      const modern = { "mcp-protocol-version": "2026-07-28" };
      const listed = (await ask(message("tools/list"), modern)).body as { result: Record<string, unknown> };
      assert.deepEqual([listed.result.resultType, listed.result.ttlMs], ["complete", 0]);
      for (const [method, params, code] of [
        ["tools/list", { cursor: "x" }, -32602],
        ["tools/call", { name: "none" }, -32602],
        ["prompts/list", {}, -32601],
      ] as const)
        assert.equal(((await ask(message(method, params), modern)).body as { error: { code: number } }).error.code, code);
    });

    it("a request without credential is refused, with the issuer's metadata if there is one", async () => {
      const plain = await (await registered(sandbox, shape)).api(MCP, { method: "POST", body: message("ping") });
      assert.deepEqual([plain.status, plain.headers.get("www-authenticate")], [401, 'Bearer realm="sandbox", error="invalid_token"']);
      const registers = {
        ...shape,
        userAuthentication: { type: "OAuth2", useDynamicClientRegistration: true, hasGetConnectionName: false, postSetup: [] },
      };
      const at = await registered(sandbox, registers);
      const challenged = await at.api(MCP, { method: "POST", body: message("ping") });
      const metadata = `${at.origin}/.well-known/oauth-protected-resource/ai.shop.example/mcp`;
      assert.ok(challenged.headers.get("www-authenticate")?.endsWith(`, resource_metadata="${metadata}"`));
      assert.equal((await fetch(metadata)).status, 200);
    });
  });
});
