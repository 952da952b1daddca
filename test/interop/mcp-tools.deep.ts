// Tools of MCP servers that others wrote, listed and called.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Pack } from "../../platform/process/pack.ts";
import type { McpTarget, McpTool } from "../../protocol/mcp.ts";
import type { RunReport } from "../../protocol/run.ts";
import { pack } from "../support/open-packs.ts";
import { packFiles } from "../support/pack-file.ts";
import { run } from "../support/run.ts";
import { failure, value } from "../support/run-pack.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { interopOfSuite } from "./suite.ts";

const SERVERS = {
  "/1/json": "SDK 1 with JSON answers",
  "/1/stream": "SDK 1 with streams",
  "/1/session": "SDK 1 with sessions",
  "/2/both": "server 2 with older protocols",
  "/2/alone": "server 2 with streams of the 2026 protocol only",
} as const;

const EACH_LIBRARY: readonly string[] = ["/1/json", "/2/alone"];

describe("Interop: tools of a real MCP server", function () {
  this.timeout(60_000);
  const interop = interopOfSuite();
  if (interop === undefined) return;
  const token = `t-${randomUUID()}`;
  let server: ServerProcess;
  before(async () => {
    server = await startServer("mcp-tools", interop.authority, { token });
  });
  after(() => server.close());

  const open = (path: string): Promise<Pack> =>
    pack(
      packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("localhost");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addMCPServer({ name: "Tools", endpointUrl: "${server.origin}${path}" });
`,
      }),
    );
  const go = async (openedPack: Pack, target: McpTarget, credential = token): Promise<RunReport> =>
    run(openedPack, target, [], {
      fetch: interop.fetch,
      allowLoopback: true,
      account: { scope: "user", credential: { kind: "token", token: credential } },
    });
  const call = (name: string, toolArguments: Record<string, unknown> = {}): McpTarget => ({
    kind: "mcpTool",
    server: "Tools",
    name,
    arguments: toolArguments,
  });

  /** What is in an answer, and what is wrong with a call: the same however the server of a library sends it. */
  const further = async (openedPack: Pack): Promise<void> => {
    assert.equal(value(await go(openedPack, call("note", { text: "milk", level: "high" }))), "high: milk");
    const picture = await go(openedPack, call("picture"));
    assert.equal(value(picture), "one pixel");
    assert.deepEqual(
      picture.content?.map(({ type }) => type),
      ["image", "text"],
    );
    assert.match(failure(await go(openedPack, call("fails"))), /^tool-failed \| No such project\. \|/);
    assert.match(
      failure(await go(openedPack, call("add", { a: "x", b: 2 }))),
      /^invalid-parameter \| add: a: .*number.* \| Its arguments: a, b\.$/,
    );
    assert.match(failure(await go(openedPack, call("ad"))), /^unknown-tool \| The MCP server Tools has no tool ad\. \| It has: add, note/);
    assert.match(
      failure(await go(openedPack, call("add"), "another")),
      /^mcp-failed \| The MCP server Tools failed \(401\).*The token is not known/,
    );
  };

  for (const [path, name] of Object.entries(SERVERS))
    it(`the tools of ${name} are listed and called, with secrets masked and sessions ended`, async () => {
      const openedPack = await open(path);
      const listed = await go(openedPack, { kind: "mcpServer", name: "Tools" });
      const tools = value(listed) as readonly McpTool[];
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ["add", "note", "picture", "headers", "fails"],
      );
      assert.equal(tools[0]?.title, "Add");
      assert.equal(tools[0]?.annotations?.readOnlyHint, true);
      assert.deepEqual(Object.keys(tools[0]?.inputSchema.properties as object), ["a", "b"]);
      assert.ok(listed.requests.length > 0 && listed.requests.every(({ credentials }) => credentials[0]?.carrier === "Authorization"));

      const sum = await go(openedPack, call("add", { a: 1, b: 2 }));
      assert.deepEqual(value(sum), { sum: 3 });
      assert.deepEqual(sum.content, [{ type: "text", text: "3" }]);
      assert.deepEqual(sum.warnings, undefined);
      const echoed = await go(openedPack, call("headers"));
      assert.match(String(value(echoed)), /authorization.*•/i);
      assert.ok(!JSON.stringify(echoed).includes(token));

      if (EACH_LIBRARY.includes(path)) await further(openedPack);
      const sessions = await interop.fetch(server.api, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(await sessions.json(), 0);
    });
});
