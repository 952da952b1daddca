// Mistakes anywhere in a pack: in names, parameters, schemas, sync tables, formats, domains, MCP servers and the authentication. Some of
// them the upload accepts. Each is the change of one member.

import { ts } from "ts-morph";
import { z } from "zod";
import { calleeName } from "../../server/analysis/syntax/nodes.ts";
import { readTable } from "../support/json-cases.ts";
import type { BasePack } from "./corpus.ts";
import { over, withField } from "./mistakes/mistake.ts";
import type { Mutant } from "./mutant.ts";

/** New values of members, by the method that takes the object. `properties` is each property of a schema. */
const VALUES = readTable("test/mutants/upload-mistakes.json", z.record(z.string(), z.record(z.string(), z.array(z.string()))));

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
