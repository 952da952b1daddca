// `pack-auth run . mcp:…`: the tools of a server listed and called from a shell.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpTool } from "../../../protocol/mcp.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { callCli } from "../../support/call-cli.ts";
import { mcpResponder, serveMcp } from "../../support/mcp-answers.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

const TOKEN = "canary-token-33cd";
const TOOLS = [
  {
    name: "search",
    title: "Search issues",
    description: "Finds issues.\nAnd more of it.",
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string" },
        state: { enum: ["open", "closed"] },
        labels: { type: "array", items: { type: "string" } },
        filter: { type: "object" },
      },
      required: ["query"],
    },
  },
  { name: "create", description: "Makes an issue." },
];

describe("pack-auth run mcp:", function () {
  this.timeout(30_000);
  const home = mkdtempSync(join(tmpdir(), "pack-auth-mcp-home-"));
  let server: Awaited<ReturnType<typeof serveMcp>>;
  let entry: string;
  const sandbox = sandboxOfSuite();
  before(async () => {
    server = await serveMcp(
      mcpResponder({
        tools: TOOLS,
        call: (name, toolArguments, { authorization }) =>
          name === "create"
            ? {
                content: [
                  { type: "text", text: `Made with ${authorization}` },
                  { type: "image", mimeType: "image/png", data: "AAAA" },
                ],
              }
            : { content: [], structuredContent: { found: [{ id: 1, ...toolArguments }] } },
      }),
    );
    entry = packFiles({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addMCPServer({ name: "Acme", endpointUrl: "${server.url}" });
`,
    });
  });
  after(() => {
    server.close();
    removePackFiles();
    rmSync(home, { recursive: true });
  });
  const call = (...args: readonly string[]) =>
    callCli(["run", entry, ...args, "--allow-loopback"], {
      env: { PACK_AUTH_HOME: home, PACK_AUTH_TOKEN: TOKEN, PACK_AUTH_DOMAINS: "127.0.0.1" },
    });

  it("tools are listed for people, and in full as JSON", async () => {
    const listed = await call("mcp:Acme");
    assert.equal(
      listed.out,
      `search — Search issues (read-only)
    Finds issues.
    query: string, state?: open | closed, labels?: list of string, filter?: json
create (may change data)
    Makes an issue.
`,
      listed.err,
    );
    assert.match(listed.err, /POST http:\/\/127\.0\.0\.1:\d+\/mcp tools\/list 200 \(Authorization → 127\.0\.0\.1/);
    const { outcome } = JSON.parse((await call("mcp:Acme", "--json")).out) as RunReport;
    assert.ok(outcome.status === "succeeded");
    assert.deepEqual((outcome.value as readonly McpTool[])[0], TOOLS[0]);
  });

  it("a tool is called with its arguments", async () => {
    const { out, code, err } = await call("mcp:Acme:search", "--params", '{"query": "login"}');
    assert.deepEqual([JSON.parse(out), code], [{ found: [{ id: 1, query: "login" }] }, 0], err);
  });

  it("a tool that may change something is called only with its arguments written out", async () => {
    const refusal = await call("mcp:Acme:create");
    assert.deepEqual([refusal.code, refusal.out], [1, ""]);
    assert.match(refusal.err, /create may change data.*\n.*--params '\{\}'/);
    const creation = await call("mcp:Acme:create", "--params", "{}");
    assert.deepEqual([creation.code, creation.out], [0, "Made with Bearer ••••\n"]);
    assert.match(creation.err, /^text: image image\/png, 3 bytes; use --json to see it/m);
    assert.match(creation.err, /after upload: The platform asks its user before each call of create/);
  });

  it("a wrong call is explained", async () => {
    for (const [args, expected] of [
      [["mcp:acme"], /The pack has no MCP server acme\. Did you mean Acme\?/],
      [["mcp:Acme:search", "login"], /as a JSON object, by their names\. See --params\./],
      [["mcp:Acme:search", "--params", "[1]"], /as a JSON object, by their names/],
      [[], /Name a formula, a table or an MCP server after the pack\. It has: mcp:Acme\./],
    ] as const) {
      const { code, err } = await call(...args);
      assert.equal(code, 2);
      assert.match(err, expected);
    }
    const misfit = await call("mcp:Acme:search", "--params", '{"query": 7}');
    assert.equal(misfit.code, 1);
    assert.match(misfit.err, /invalid-parameter: search: query: .*\n.*Its arguments: query, state, labels, filter\./);
  });

  for (const [sample, name] of [
    ["todoist/mcp.ts", "Todoist"],
    ["mcp/icons8.ts", "Icons8"],
  ] as const)
    it(`the SDK's sample ${sample} runs in the sandbox`, async () => {
      const source = readFileSync(join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs", sample), "utf8");
      const sandboxed = packFiles({
        "pack.ts": source,
        "sandbox.json": JSON.stringify({ tools: [{ name: "find", answer: { found: 2 } }] }),
      });
      const result = await callCli(["run", sandboxed, `mcp:${name}:find`, "--sandbox"], {
        env: { PACK_AUTH_HOME: home, PACK_AUTH_SANDBOX: sandbox.url },
      });
      assert.deepEqual(JSON.parse(result.out), { found: 2 }, result.err);
      assert.doesNotMatch(result.err, /after upload/);
    });

  it("the sandbox's system account is used when the pack has a user's too", async () => {
    const bearer = "type: coda.AuthenticationType.HeaderBearerToken";
    const both = packFiles({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setSystemAuthentication({ ${bearer} });
pack.setUserAuthentication({ ${bearer} });
pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });
`,
    });
    const { out, err } = await callCli(["run", both, "mcp:Tools", "--sandbox"], {
      env: { PACK_AUTH_HOME: home, PACK_AUTH_SANDBOX: sandbox.url },
    });
    assert.match(out, /^echo \(read-only\)\n/, err);
  });
});
