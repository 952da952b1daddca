// Mistakes anywhere in a pack: in names, parameters, schemas, sync tables, formats, domains, MCP servers and the authentication. Some of
// them the upload accepts. Each is the change of one member.
import { ts } from "ts-morph";
import { calleeName } from "../../server/analysis/syntax/nodes.ts";
import type { BasePack } from "./corpus.ts";
import { over, withField } from "./mistakes/mistake.ts";
import type { Mutant } from "./mutant.ts";

/** New values of members, by the method that takes the object. `properties` is each property of a schema. */
const VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  addFormula: {
    name: ['"Bad Name"', '"Fine2"', '""', "5", '"a-b"'],
    description: ["5", '"Another text."'],
    connectionRequirement: ['"sometimes"'],
    parameters: ["5", "[{}]"],
    isAction: ['"yes"', "true"],
    cacheTtlSecs: ["-1", "60"],
    extraOAuthScopes: ['"a"'],
    examples: ["5"],
  },
  makeParameter: {
    name: ['"my id"', "5", '""', '"other_name"'],
    description: ["7", '"Another text."', "undefined"],
    type: ["99", '"string"'],
    optional: ['"no"', "true"],
  },
  properties: {
    type: ['"none"', "coda.ValueType.Number"],
    codaType: ['"nope"', '"url"'],
    description: ["5", '"Another text."'],
    fromKey: ["5"],
    displayName: ["5"],
  },
  makeObjectSchema: { displayProperty: ['"Missing"'], idProperty: ['"Missing"', "5"], featuredProperties: ['["Missing"]', "5"] },
  addSyncTable: {
    name: ['"Has Blank"', '"a-b"', "5", '"Fine2"'],
    identityName: ['"Has Blank"', '""', "5", '"Fine2"'],
    description: ["5", '"Another text."'],
    connectionRequirement: ['"sometimes"'],
  },
  addDynamicSyncTable: { name: ['"a-b"'], identityName: ['"Has Blank"'], entityName: ["5"], description: ["5"] },
  formula: { name: ['"Bad Name"', "5"], description: ["5", '"Another text."'], parameters: ["[{}]"] },
  addColumnFormat: { name: ["5", '""'], formulaName: ['"NoFormula"', "5"], instructions: ["5"], matchers: ["[5]"] },
  addMCPServer: { name: ["5", '""'], endpointUrl: ['"http://mcp.example"', '"none"', "5"] },
  setUserAuthentication: {
    type: ['"Nope"'],
    instructionsUrl: ["5", '"https://example.com/help"'],
    tokenPrefix: ["5"],
    headerName: ["5"],
    paramName: ["5"],
    params: ["5", "[{ name: 5 }]"],
    tokenUrl: ['"none"'],
    authorizationUrl: ['"none"'],
    scopes: ['"a"'],
    postSetup: ["[{ type: 5 }]"],
    networkDomain: ['"undeclared.example"'],
    bogus: ["1"],
  },
  setSystemAuthentication: { type: ['"Nope"'], instructionsUrl: ["5"], bogus: ["1"] },
};

/** Values of the whole argument. */
const DOMAINS = ['"https://x.example"', '"x"', "5", '"*.com"', '"more.example"'];

/** Members that are added where they are absent. */
const ADDED = new Set([
  "cacheTtlSecs",
  "extraOAuthScopes",
  "isAction",
  "optional",
  "bogus",
  "instructionsUrl",
  "networkDomain",
  "displayName",
]);

export function uploadMutantsOf(base: BasePack): readonly Mutant[] {
  const source = ts.createSourceFile(base.file, base.text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (mistake: string, edit: Mutant["edit"], start: number, end: number): void => {
    mutants.push({ base, mistake, edit, rules: [], where: [{ start, end }] });
  };
  const change = (kind: string, object: ts.ObjectLiteralExpression): void => {
    if (object.properties.some(ts.isSpreadAssignment)) return;
    for (const [name, values] of Object.entries(VALUES[kind] ?? {})) {
      const property = object.properties.find((each) => each.name?.getText() === name);
      for (const value of values) {
        const text = `${name}: ${value}`;
        if (property !== undefined && ts.isPropertyAssignment(property)) {
          const start = property.getStart();
          add(`${kind}: ${text}`, over(property, text), start, start + text.length);
        } else if (property === undefined && ADDED.has(name)) {
          const edit = withField(object, text);
          add(`${kind}: ${text}`, edit, edit.start, edit.start + edit.text.length);
        }
      }
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = calleeName(node)?.text ?? "";
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isObjectLiteralExpression(argument)) change(name, argument);
      if (argument !== undefined && name === "addNetworkDomain")
        for (const text of DOMAINS) add(`domain: ${text}`, over(argument, text), argument.getStart(), argument.getStart() + text.length);
    }
    if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer)) {
      if (node.name.getText() === "formula") change("formula", node.initializer);
      if (node.name.getText() === "properties")
        for (const each of node.initializer.properties)
          if (ts.isPropertyAssignment(each) && ts.isObjectLiteralExpression(each.initializer)) change("properties", each.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}
