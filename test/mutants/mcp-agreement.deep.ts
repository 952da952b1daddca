// MCP servers, judged by the toolkit's own upload validator and by us: an error where it rejects, and none where it accepts.
import assert from "node:assert/strict";
import { analyse } from "../support/analyse.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;
const DOMAIN = `pack.addNetworkDomain("acme.example");\n`;
const server = (fields: string): string => `pack.addMCPServer({ ${fields} } as any);\n`;
const named = (name: string): string => server(`name: ${name}, endpointUrl: "https://mcp.acme.example/"`);
const at = (url: string): string => server(`name: "Tools", endpointUrl: ${url}`);
const user = (fields: string): string => `pack.setUserAuthentication({ ${fields} } as any);\n`;
const system = (fields: string): string => `pack.setSystemAuthentication({ ${fields} } as any);\n`;
const BEARER = "type: coda.AuthenticationType.HeaderBearerToken";
const OAUTH = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t"`;
const STEP = `postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "site", description: "Site", getOptions: async () => [] }]`;
const SKILL = `pack.addSkill({ name: "Help", displayName: "Help", description: "Helps.", prompt: "Help.", tools: [{ type: coda.ToolType.MCP }] });\n`;

const SOURCES: readonly string[] = [
  ...[
    '"Tools"',
    '"t"',
    '"é"',
    '"Café_2"',
    '"A_"',
    '"_A"',
    '"2A"',
    '""',
    '" "',
    '"A B"',
    '"A-B"',
    '"A.B"',
    '"日本"',
    '"a\\u0301"',
    '"A\\n"',
    `"${"a".repeat(50)}"`,
    `"${"a".repeat(51)}"`,
    "1",
    "true",
    "null",
    "undefined",
    "[]",
    "{}",
    '"A".toLowerCase()',
  ].map((name) => DOMAIN + named(name)),
  ...[
    '"https://acme.example"',
    '"https://acme.example/mcp"',
    '"https://a.b.acme.example/mcp?x=1"',
    '"https://notacme.example/"',
    '"https://other.example/"',
    '"HTTPS://acme.example/"',
    '"https://ACME.example/"',
    '"http://acme.example/"',
    '"https://"',
    '"https:///x"',
    '"https:/acme.example"',
    '"wss://acme.example/"',
    '"acme.example/mcp"',
    '"mcp"',
    '""',
    '"/mcp"',
    '"//acme.example/"',
    '"/\\\\acme"',
    '"/"',
    "1",
    "null",
    "undefined",
    "[]",
    '"https://acme.example:8443/mcp"',
    '"https://acme.example/sse"',
    '"https://user:pass@acme.example/"',
  ].map((url) => DOMAIN + at(url)),
  ...[
    user(BEARER),
    user(`${BEARER}, requiresEndpointUrl: true`),
    user(`${BEARER}, requiresEndpointUrl: false`),
    user(`${OAUTH}, endpointKey: "site"`),
    user(OAUTH),
    user(`${BEARER}, ${STEP}`),
    system(`${BEARER}, requiresEndpointUrl: true`),
    system(BEARER),
    system(`${BEARER}, requiresEndpointUrl: true`) + user(BEARER),
    system(BEARER) + user(`${BEARER}, requiresEndpointUrl: true`),
    user("type: coda.AuthenticationType.None"),
    // Administrators' accounts do not count.
    `pack.addAdminAuthentication({ name: "Admins", displayName: "A", description: "A", authentication: { ${BEARER}, requiresEndpointUrl: true } });\n`,
  ].map((auth) => DOMAIN + auth + at('"/mcp"')),
  DOMAIN + server('endpointUrl: "https://acme.example/"'),
  DOMAIN + server('name: "Tools"'),
  DOMAIN + server(""),
  DOMAIN + server('name: "Tools", endpointUrl: "https://acme.example/", headers: {}'),
  DOMAIN + server('name: "Tools", endpointUrl: "https://acme.example/", instructions: "x"'),
  DOMAIN + named('"Tools"') + named('"More"'),
  DOMAIN + named('"Tools"') + named('"tools"'),
  DOMAIN + named('"Tools"') + named('"Tools"'),
  named('"Tools"'),
  user(`${BEARER}, requiresEndpointUrl: true`) + at('"/mcp"'),
  `pack.addNetworkDomain("ACME.example");\n${named('"Tools"')}`,
  `pack.addNetworkDomain("other.example");\n${DOMAIN}${named('"Tools"')}`,
  DOMAIN + SKILL,
  DOMAIN + named('"Tools"') + SKILL,
  ...["`${f()}/mcp`", 'f() + "/mcp"', "`https://mcp.${f()}/mcp`", "`https://mcp.acme.example/${f()}`", '"https://acme.example:99999/"'].map(
    (url) =>
      `const f = (): string => process.env.X ?? "https://acme.example";\n${DOMAIN}${at(url)}`.replace(
        "https://mcp.${f()}",
        "https://mcp.${f().slice(8)}",
      ),
  ),
  `pack.addNetworkDomain("bücher.example");\n${at('"https://bücher.example/"')}`,
  DOMAIN + user(`${BEARER}, postSetup: []`) + at('"/mcp"'),
  DOMAIN + SKILL.replace("coda.ToolType.MCP }", "coda.ToolType.MCP, packId: 1001 }"),
  `${DOMAIN}(pack as any).mcpServers.push({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });\n${SKILL}`,
  `${DOMAIN}(pack as any).mcpServers = [{ name: "Tools", endpointUrl: "https://mcp.acme.example/" }];\n${SKILL}`,
  ...['"2A"', '"Tools"'].flatMap((name) => [
    `${DOMAIN}(pack as any).mcpServers.push({ name: ${name}, endpointUrl: "https://mcp.acme.example/" });\n`,
    `${DOMAIN}(pack as any).mcpServers = [{ name: ${name}, endpointUrl: "https://mcp.acme.example/" }];\n`,
  ]),
  ...["", '"x"', "null", "1", "undefined", "[]", "() => 1", "{} as any"].map(
    (argument) => `${DOMAIN}(pack as any).addMCPServer(${argument});\n`,
  ),
  `${DOMAIN}const f = (): any => JSON.parse(process.env.X ?? '{"name":"Tools","endpointUrl":"https://acme.example/"}');\n(pack as any).addMCPServer(f());\n`,
  `${DOMAIN}if (process.env.NEVER === "1") { ${SKILL.trim()} }\n`,
  DOMAIN + user(`type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: true`) + named('"Tools"'),
];

describe("MCP servers, judged by the upload validator", function () {
  this.timeout(120_000);

  it("the sources are at least sixty", () => assert.ok(SOURCES.length >= 60));

  for (const [index, body] of SOURCES.entries()) {
    it(`source ${index + 1} is judged as by the validator: ${body
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith('pack.addNetworkDomain("acme'))
      .join(" ")
      .slice(0, 150)}`, async () => {
      const problems = await uploadProblemsOfSource(HEAD + body);
      const errors = analyse({ "/pack/pack.ts": HEAD + body }, { toolkit: true })
        .diagnostics("/pack/pack.ts")
        .filter(({ severity }) => severity === "error")
        .map(({ rule, message }) => `${rule}: ${message}`);
      assert.equal(errors.length > 0, problems.length > 0, `the validator: ${JSON.stringify(problems)}; ours: ${JSON.stringify(errors)}`);
    });
  }
});
