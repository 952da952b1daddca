// What is offered and told inside addMCPServer: what is chosen is flagged by no rule.
import assert from "node:assert/strict";
import { hoverAt } from "../../../server/analysis/features/hover.ts";
import { analyse } from "../../support/analyse.ts";
import { complete } from "../../support/complete.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const ENDPOINT = `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });\n`;

const flagged = (source: string): readonly string[] => {
  const file = "/pack/pack.ts";
  return analyse({ [file]: source })
    .diagnostics(file)
    .map(({ rule, message }) => `${rule}: ${message}`);
};

describe("completions of MCP servers", () => {
  it("a whole server is offered in an empty call", () => {
    for (const call of ["pack.addMCPServer(|);\n", "pack.addMCPServer(|)", "pack.addMCPServer( |\n"]) {
      const { labels, chosen } = complete(HEAD + call);
      assert.deepEqual(labels, ["MCP server"], call);
      assert.match(
        chosen("MCP server"),
        /addMCPServer\(\s*\{\n {2}name: "Tools",\n {2}endpointUrl: "https:\/\/mcp\.acme\.example\/mcp",\n\}/,
      );
    }
    assert.deepEqual(flagged(complete(`${HEAD}pack.addMCPServer(|);\n`).chosen("MCP server")), []);
    for (const call of ["pack.addMCPServer({}|);", "pack.addMCPServer({}, |);", 'pack.addMCPServer("|");', "pack.addFormulas(|);"])
      assert.ok(!complete(HEAD + call).labels.includes("MCP server"), call);
  });

  it("missing fields are offered", () => {
    assert.deepEqual(complete(`${HEAD}pack.addMCPServer({ | });`).labels, ["name", "endpointUrl"]);
    const { labels, chosen } = complete(`${HEAD}pack.addMCPServer({\n  name: "Tools",\n  |\n});\n`);
    assert.deepEqual(labels, ["endpointUrl"]);
    assert.deepEqual(flagged(chosen("endpointUrl")), []);
    assert.deepEqual(complete(`${HEAD}pack.addMCPServer({ name: "Tools", endpointUrl: "https://acme.example/", | });`).labels, []);
  });

  it("a path is offered for endpointUrl only when accounts have an endpoint", () => {
    const at = (auth: string) => complete(`${HEAD}${auth}pack.addMCPServer({ name: "Tools", endpointUrl: "|" });\n`);
    assert.deepEqual(at("").labels, ["https://mcp.acme.example/mcp", "https://acme.example/mcp"]);
    assert.deepEqual(at(ENDPOINT).labels, ["/mcp", "https://mcp.acme.example/mcp", "https://acme.example/mcp"]);
    for (const auth of ["", ENDPOINT]) for (const label of at(auth).labels) assert.deepEqual(flagged(at(auth).chosen(label)), [], label);
    assert.deepEqual(complete(`${HEAD}pack.addMCPServer({ name: "|" });`).labels, []);
  });
});

describe("hovers of MCP servers", () => {
  const source = `${HEAD}pack.addMCPServer({ name: "Tools", endpointUrl: "https://acme.example/mcp", tool: 1 });\n`;
  const hover = (at: string, text = source): string | undefined => {
    const result = hoverAt(analyse({ "/pack/pack.ts": text }).packsOf("/pack/pack.ts"), "/pack/pack.ts", text.indexOf(at) + 1);
    assert.ok(result === undefined || text.slice(result.span.start, result.span.end).includes(at.replace(":", "")), at);
    return result?.text;
  };

  it("the setter's hover describes the server, and the fields' hovers their meaning", () => {
    assert.match(hover("addMCPServer") ?? "", /Try server/);
    assert.match(hover("name:") ?? "", /^\*\*name\*\* \(required\)/);
    assert.match(hover("endpointUrl:") ?? "", /Streamable HTTP/);
    const whole =
      'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ mcpServers: [{ name: "Tools", endpointUrl: "https://acme.example/mcp" }] });\n';
    assert.match(hover("name:", whole) ?? "", /^\*\*name\*\*/);
    assert.equal(hover('"Tools"', whole), undefined);
    for (const other of ['"Tools"', "{ name", "ool: 1"]) assert.equal(hover(other), undefined, other);
  });
});
