// What an MCP server sends may have 25 MB: whatever its shape, the host's own loop is not held up by it, and little of it stays.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import type { Pack } from "../../../platform/process/pack.ts";
import type { McpTool } from "../../../protocol/mcp.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { whileWatched } from "../../support/event-loop-lag.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";
import { failure, value } from "../../support/run-pack.ts";

/** A server of its own process, so that nothing but the host's own work is measured. What it answers is named by the token. */
const SERVER = `
const ones = (count) => "1" + ",1".repeat(count - 1);
const nested = (depth, inner) => "[".repeat(depth) + inner + "]".repeat(depth);
const tool = (more, name = "large", schema = "") =>
  '{"name":"' + name + '","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"' + schema + '}' + more + '}';
const text = (size) => '{"content":[{"type":"text","text":"' + "x ".repeat(size / 2) + '"}]}';
const tools = {
  "schema-of-numbers": tool("", "large", ',"x":' + nested(20, ones(9e6))),
  "long-title": tool(',"title":"' + "x".repeat(2e7) + '"'),
  "many-tools": Array.from({ length: 1000 }, (_, index) => tool(',"description":"' + "x ".repeat(1e4) + '"', "tool" + index)).join(),
};
const results = {
  "long-text": () => text(2e7),
  "deep-numbers": () => '{"content":[],"structuredContent":{"a":' + nested(900, ones(8e6)) + '}}',
  "long-enough": () => text(4e6),
};
const events = {
  "event-of-lines": "data:\\n".repeat(4e6),
  "event-that-begins": "data: [\\n" + "data: 1,\\n".repeat(22e5),
  "comments": ": still here\\n".repeat(18e5),
};
require("node:http").createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => { body += chunk; }).on("end", () => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const name = request.headers.authorization.slice("Bearer ".length);
    const answer = (result) => '{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}';
    const send = (result) => response.setHeader("content-type", "application/json").end(answer(result));
    if (method === "initialize") return send('{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}');
    if (method === "tools/list" && events[name] !== undefined)
      return response.setHeader("content-type", "text/event-stream").end(events[name] + "\\n\\ndata: " + answer('{"tools":[]}') + "\\n\\n");
    if (method === "tools/list") return send('{"tools":[' + (tools[name] ?? tool("")) + ']}');
    return send(results[name]?.() ?? '{"content":[]}');
  });
}).listen(0, "127.0.0.1", function () { process.stdout.write(String(this.address().port)); });
`;

describe("Large answers of an MCP server", function () {
  this.timeout(180_000);
  let server: ChildProcess;
  let loadedPack: Pack;

  before(async () => {
    server = spawn(process.execPath, ["-e", SERVER], { stdio: ["ignore", "pipe", "inherit"] });
    const port = await new Promise<string>((resolve) => server.stdout?.once("data", (data) => resolve(String(data))));
    const source = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addMCPServer({ name: "Large", endpointUrl: "http://127.0.0.1:${port}/mcp" });
`;
    loadedPack = await pack(packFiles({ "pack.ts": source }));
  });
  after(() => {
    closePacks();
    removePackFiles();
    server?.kill();
  });

  async function runs(token: string, kind: "list" | "call"): Promise<RunReport> {
    const target =
      kind === "list"
        ? ({ kind: "mcpServer", name: "Large" } as const)
        : ({ kind: "mcpTool", server: "Large", name: "large", arguments: {} } as const);
    const account = { scope: "user", credential: { kind: "token", token } } as const;
    const { value: report, longest } = await whileWatched(() =>
      run(loadedPack, target, [], { fetch, allowLoopback: true, account, timeLimit: 120_000 }),
    );
    // This guards against a loop that stands still, as that of large-bodies.test.ts does; the bench has the figure.
    assert.ok(longest < 600, `the host's loop was held up for ${longest} ms`);
    return report;
  }

  for (const [what, token] of [
    ["a schema of nine million numbers", "schema-of-numbers"],
    ["a title of 20 MB", "long-title"],
  ] as const)
    it(`${what} does not reach the host when the tool is called`, async () => {
      assert.equal(value(await runs(token, "call")), null);
    });

  for (const [what, token] of [
    ["one event of four million empty lines", "event-of-lines"],
    ["one event of 20 MB", "event-that-begins"],
    ["two million comments", "comments"],
  ] as const)
    it(`a stream of ${what} is read without blocking the host`, async () => {
      await runs(token, "list");
    });

  for (const [what, token] of [
    ["a text of 20 MB", "long-text"],
    ["eight million numbers within 900 lists", "deep-numbers"],
  ] as const)
    it(`a result of ${what} is refused with a reason`, async () => {
      assert.match(
        failure(await runs(token, "call")),
        /^output-limit \| The MCP server Large ran large, but its result is too large to be shown\. It may have 12 MB and 1,000,000 values\. \| Ask/,
      );
    });

  it("a result of 4 MB is shown whole", async () => {
    assert.equal(String(value(await runs("long-enough", "call"))).length, 4_000_000);
  });

  it("a tool list of 20 MB is cut, with the number of omitted tools", async () => {
    const report = await runs("many-tools", "list");
    const tools = value(report) as McpTool[];
    assert.ok(JSON.stringify(tools).length < 13_000_000 && tools.length > 100, String(tools.length));
    assert.match(
      report.platformDifferences.map(({ message }) => message).join(),
      new RegExp(`more tools than are listed here: ${1_000 - tools.length} were left out`),
    );
  });
});
