// Where a path in the pack's metadata is in the source.
import assert from "node:assert/strict";
import type { MetadataPath } from "../../../../protocol/validation.ts";
import { locateMetadata } from "../../../../server/analysis/features/locate-metadata.ts";
import { analyse, split } from "../../../support/analyse.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';

/** Returns the line of the source on which the path is, without its indentation, from the place on. */
function lineAt(source: string, path: MetadataPath): string | undefined {
  const files = split(source);
  const analysis = analyse(files);
  const [entry = ""] = Object.keys(files);
  const [pack] = analysis.packsOf(entry);
  const place = pack && locateMetadata(pack, path);
  return place && files[place.file]?.slice(place.start).split("\n")[0];
}

const named = (index: number, name: string) => ({ index, name });

describe("The place of a path in the metadata", () => {
  const formulas = `${HEAD}const LIMIT = coda.makeParameter({
  type: coda.ParameterType.Number,
  name: "limit",
  description: "How many.",
});
pack.addFormula({
  name: "First",
  description: "First.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.String, name: "id", description: "The ID." }), LIMIT],
  resultType: coda.ValueType.Object,
  schema: coda.makeObjectSchema({
    properties: {
      user_id: { type: coda.ValueType.String,
        codaType: "none" },
    },
    displayProperty: "user_id",
  }),
  execute: async () => ({}),
});
pack.addFormula({
  name: "Many", description: "Many.", parameters: [], resultType: coda.ValueType.Array,
  items: { type: coda.ValueType.Object, properties: {
    name: { type: coda.ValueType.String } } },
  execute: async () => [],
});
`;
  const first = ["formulas", named(1, "First")] as const;
  const cases: readonly (readonly [string, MetadataPath, RegExp])[] = [
    ["a member of a formula", [...first, "description"], /^description: "First\."/],
    ["a parameter by its name", [...first, "parameters", named(0, "id"), "description"], /^description: "The ID\."/],
    ["a parameter in a variable", [...first, "parameters", named(1, "limit"), "description"], /^description: "How many\."/],
    ["a parameter without a name, by its index", [...first, "parameters", { index: 0 }, "name"], /^name: "id"/],
    ["a property whose name the SDK changed", [...first, "schema", "properties", "UserId", "codaType"], /^codaType: "none"/],
    ["the older name of a member", [...first, "schema", "primary"], /^displayProperty: "user_id"/],
    [
      "the items of an array",
      ["formulas", named(0, "Many"), "schema", "items", "properties", "Name", "type"],
      /^type: coda\.ValueType\.String } }/,
    ],
    ["a member that is absent", [...first, "schema", "properties", "UserId", "displayName"], /^user_id: /],
    ["a formula that is absent", ["formulas", named(7, "None"), "name"], /^newPack/],
    ["the version, which the pack does not set", ["version"], /^newPack/],
    ["the whole pack", [], /^newPack/],
  ];
  for (const [what, path, expected] of cases) it(`${what} is found`, () => assert.match(lineAt(formulas, path) ?? "", expected));

  it("members of a sync table are found where the author wrote them", () => {
    const source = `${HEAD}const schema = coda.makeObjectSchema({
  properties: {
    id: { type: coda.ValueType.String }
  },
  idProperty: "id", displayProperty: "id",
});
pack.addSyncTable({
  name: "Tasks",
  identityName: "Task",
  schema,
  dynamicOptions: { entityName: "Thing",
    getSchema: async () => schema },
  formula: {
    name: "SyncTasks",
    description: "Syncs.",
    parameters: [
      coda.makeParameter({ type: coda.ParameterType.String, name: "list", description: "The list." }),
    ],
    execute: async () => ({ result: [] }),
  },
});
`;
    const table = ["syncTables", named(0, "Tasks")] as const;
    const expected: readonly (readonly [MetadataPath, RegExp])[] = [
      [[...table, "getter", "name"], /^name: "SyncTasks"/],
      [[...table, "getter", "parameters", named(0, "list"), "description"], /^description: "The list\."/],
      [[...table, "getter", "schema", "items", "properties", "Id", "type"], /^type: coda\.ValueType\.String/],
      [[...table, "schema", "properties", "Id"], /^id: /],
      [[...table, "schema", "identity", "name"], /^identityName: /],
      [[...table, "entityName"], /^entityName: "Thing"/],
      [[...table, "getSchema"], /^getSchema: /],
      [[...table, "getter"], /^formula: /],
    ];
    for (const [path, line] of expected) assert.match(lineAt(source, path) ?? "", line, JSON.stringify(path));
  });

  it("the parts of a pack in several files, in helpers and in lists are found", () => {
    const source = `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { auth, DOMAIN } from "./auth";
export const pack = coda.newPack();
pack.setUserAuthentication(auth);
pack.addNetworkDomain(DOMAIN);
pack.addNetworkDomain("other.example");
pack.addMCPServer({ name: "Main",
  endpointUrl: "https://mcp.example" });
pack.addColumnFormat({ name: "Link",
  formulaName: "Open" });
pack.addAdminAuthentication({ name: "Admin",
  displayName: "Admin", description: "For admins.",
  authentication: { type: coda.AuthenticationType.HeaderBearerToken,
    instructionsUrl: 1 } });
pack.setSystemAuthentication({ type: coda.AuthenticationType.Custom, params: [
  { name: "key", description: "The key." },
] });
pack.setVersion("1.0");
pack.addSkill({ name: "Help",
  prompt: "Help." });
// @file: auth.ts
import * as coda from "@codahq/packs-sdk";
export const DOMAIN = "api.example";
const base = { tokenUrl: "https://t.example" };
export const auth = { type: coda.AuthenticationType.OAuth2, ...base,
  scopes: ["a", "b"], postSetup: [
    { type: coda.PostSetupType.SetEndpoint, name: "SelectSite",
      description: "Choose." }] };
`;
    const expected: readonly (readonly [MetadataPath, RegExp])[] = [
      [["defaultAuthentication", "tokenUrl"], /^tokenUrl: /],
      [["defaultAuthentication", "scopes", { index: 1, name: "b" }], /^"b"/],
      [["defaultAuthentication", "postSetup", named(0, "SelectSite"), "description"], /^description: "Choose\."/],
      [["defaultAuthentication", "authorizationUrl"], /^setUserAuthentication/],
      [["systemConnectionAuthentication", "params", named(0, "key"), "description"], /^description: "The key\."/],
      [["networkDomains", named(0, "api.example")], /^DOMAIN\)/],
      [["networkDomains", named(1, "other.example")], /^"other\.example"/],
      [["mcpServers", named(0, "Main"), "endpointUrl"], /^endpointUrl: /],
      [["formats", named(0, "Link"), "formulaName"], /^formulaName: /],
      [["adminAuthentications", named(0, "Admin"), "authentication", "instructionsUrl"], /^instructionsUrl: 1/],
      [["skills", named(0, "Help"), "prompt"], /^prompt: /],
      [["version"], /^setVersion/],
    ];
    for (const [path, line] of expected) assert.match(lineAt(source, path) ?? "", line, JSON.stringify(path));
  });

  it("a member of a schema is found where code adds to the schema", () => {
    const source = `${HEAD}const Task = coda.makeObjectSchema({
  properties: {
    id: { type: coda.ValueType.String,
      description: 5 },
  },
});
(Task.properties as any).parent = coda.makeReferenceSchemaFromObjectSchema(Task, "Task");
pack.addFormula({ name: "First", schema: Task, execute: async () => ({}) });
pack.addFormula({ name: "Second", schema: coda.withIdentity(Task, "Task"), execute: async () => ({}) });
`;
    for (const name of ["First", "Second"])
      assert.match(
        lineAt(source, ["formulas", named(0, name), "schema", "properties", "Id", "description"]) ?? "",
        /^description: 5/,
        name,
      );
  });

  it("the members of a definition are found", () => {
    const source = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack({
  version: "one",
  networkDomains: [
    "https://bad"],
  formats: [{ name: "Link",
    formulaName: "Open" }],
});
`;
    assert.match(lineAt(source, ["version"]) ?? "", /^version: "one"/);
    assert.match(lineAt(source, ["networkDomains", { index: 0, name: "https://bad" }]) ?? "", /^"https:\/\/bad"/);
    assert.match(lineAt(source, ["formats", named(0, "Link"), "formulaName"]) ?? "", /^formulaName: /);
  });
});
