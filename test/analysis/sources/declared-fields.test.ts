// A field that the Packs SDK of a pack declares is right there, whatever the built-in model knows: of a configuration, of the objects in it,
// of MCP servers, of updateOptions. Where no SDK is installed, a field that the model does not know is a warning, and no fix deletes it.
import assert from "node:assert/strict";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { fromToolkit } from "../../support/analyse.ts";
import { fixesOf, flagged, oauth, packOf } from "../../support/flagged.ts";

const HEADER = "type: coda.AuthenticationType.HeaderBearerToken";
const user = (config: string): string => packOf(`pack.setUserAuthentication({ ${config} });`);
const table = (options: string): string =>
  oauth("") +
  `pack.addSyncTable({ name: "T", identityName: "T", schema: coda.makeObjectSchema({ properties: {}, displayProperty: "a", idProperty: "a" }), formula: { name: "T", description: "T.", parameters: [], updateOptions: { ${options} }, execute: async () => ({ result: [] }) } });\n`;

interface Declared {
  readonly source: string;
  /** The field that no SDK of today has. */
  readonly field: string;
  /** How a newer SDK declares it: a text of its declarations, and what stands there instead. */
  readonly declares: readonly [file: "types" | "api" | "api_types", from: string, to: string];
}

const CASES: Readonly<Record<string, Declared>> = {
  "of an MCP server": {
    source: packOf('pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/", searchToolNames: ["find"] });'),
    field: "searchToolNames",
    declares: ["types", "export interface MCPServer {", "export interface MCPServer {\n    searchToolNames?: string[];"],
  },
  "of an MCP server, inherited": {
    source: packOf('pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/", searchToolNames: ["find"] });'),
    field: "searchToolNames",
    declares: [
      "types",
      "export interface MCPServer {",
      "interface SearchTools { searchToolNames?: string[]; }\nexport interface MCPServer extends SearchTools {",
    ],
  },
  "of an MCP server whose declaration is imported": {
    source: packOf('pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/", searchToolNames: ["find"] });'),
    field: "searchToolNames",
    declares: ["types", "export interface MCPServer {", "export interface MCPServer extends SearchTools {"],
  },
  "of an MCP server in a definition": {
    source:
      'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["acme.example"], mcpServers: [{ name: "Tools", endpointUrl: "https://mcp.acme.example/", searchToolNames: ["find"] }] });\n',
    field: "searchToolNames",
    declares: ["types", "export interface MCPServer {", "export interface MCPServer {\n    searchToolNames?: string[];"],
  },
  "of a configuration": {
    source: user(`${HEADER}, rotatesDaily: true`),
    field: "rotatesDaily",
    declares: ["types", "export interface BaseAuthentication {", "export interface BaseAuthentication {\n    rotatesDaily?: boolean;"],
  },
  "of a configuration, as sources have it": {
    source: user(`${HEADER}, rotatesDaily: true`),
    field: "rotatesDaily",
    declares: [
      "types",
      "    getConnectionName?: MetadataFormulaDef;",
      "    getConnectionName?: MetadataFormulaDef;\n    rotatesDaily?: boolean;",
    ],
  },
  "of users' configurations alone": {
    source: user(`${HEADER}, rotatesDaily: true`),
    field: "rotatesDaily",
    declares: [
      "api_types",
      "defaultConnectionRequirement?: ConnectionRequirement;",
      "defaultConnectionRequirement?: ConnectionRequirement;\n    rotatesDaily?: boolean;",
    ],
  },
  "of a param": {
    source: user('type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key", masked: true }]'),
    field: "masked",
    declares: ["types", "export interface CustomAuthParameter {", "export interface CustomAuthParameter {\n    masked?: boolean;"],
  },
  "of a param that is one of several kinds, of which one is imported": {
    source: user('type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key", masked: true }]'),
    field: "masked",
    declares: ["types", "params: CustomAuthParameter[];", "params: Array<CustomAuthParameter | MaskedParameter>;"],
  },
  "of uxConfig": {
    source: user('type: coda.AuthenticationType.WebBasic, uxConfig: { usernameOnly: true, hint: "x" }'),
    field: "hint",
    declares: ["types", "        usernameOnly?: boolean;", "        usernameOnly?: boolean;\n        hint?: string;"],
  },
  "of updateOptions": {
    source: table('extraOAuthScopes: ["write"], batchDelay: 1'),
    field: "batchDelay",
    declares: [
      "api",
      "updateOptions?: Pick<CommonPackFormulaDef<ParamDefsT>, 'extraOAuthScopes'>;",
      "updateOptions?: Pick<CommonPackFormulaDef<ParamDefsT>, 'extraOAuthScopes' | 'batchDelay'>;",
    ],
  },
  "endpointKey of another type than OAuth2": {
    source: user('type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://acme.example/token", endpointKey: "url"'),
    field: "endpointKey",
    declares: [
      "types",
      "AuthenticationType.OAuth2ClientCredentials;",
      "AuthenticationType.OAuth2ClientCredentials;\n    endpointKey?: string;",
    ],
  },
  "of the grant": {
    source: oauth('grantType: "device_code"'),
    field: "grantType",
    declares: ["types", "    type: AuthenticationType.OAuth2;", "    type: AuthenticationType.OAuth2;\n    grantType?: string;"],
  },
};

/** What is said of the field, with a toolkit whose declarations are changed. */
function findRulesWith({ source, field, declares: [file, from, to] }: Declared): readonly string[] {
  const path = `/pack/node_modules/@codahq/packs-sdk/dist/${file}.d.ts`;
  const text = fromToolkit(path) ?? "";
  assert.ok(text.includes(from), from);
  const changedText = text.replace(from, to);
  const analysis = createAnalysis({
    readFile: (name) => (name === "/pack/pack.ts" ? source : name === path ? changedText : fromToolkit(name)),
  });
  analysis.addCandidates(["/pack/pack.ts"]);
  return analysis
    .diagnostics("/pack/pack.ts")
    .filter(({ place }) => source.slice(place.start, place.end) === field)
    .map(({ rule, severity }) => `${severity} ${rule}`);
}

describe("a field that the built-in model lacks", () => {
  for (const [name, declared] of Object.entries(CASES)) {
    it(`a field that the installed SDK declares is accepted: ${name}`, () => assert.deepEqual(findRulesWith(declared), []));
    it(`a field that the installed SDK lacks is an error: ${name}`, () =>
      assert.match(flagged(declared.source, { toolkit: true }).join("\n"), new RegExp(`^error [\\w-]+: ${declared.field}$`, "m")));
  }

  /** These the model knows: as fields of another type, or as no part of OAuth2. */
  const { "of the grant": _grant, "endpointKey of another type than OAuth2": _key, ...unknown } = CASES;
  for (const [name, { source, field }] of Object.entries(unknown))
    it(`an unknown field is a warning without a fix when no SDK is installed: ${name}`, () => {
      const findings = flagged(source).filter((line) => line.endsWith(`: ${field}`));
      assert.equal(findings.length, 1);
      assert.match(findings[0] ?? "", /^warning /);
      const rule = /^warning ([\w-]+)/.exec(findings[0] ?? "")?.[1] ?? "";
      assert.deepEqual(fixesOf(source, rule), {});
    });
});
