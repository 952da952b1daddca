// Expressions that create a builder: `new coda.PackDefinitionBuilder(…)`, which newPack calls, and `coda.newAgent()`.
import type { ts } from "ts-morph";
import type { ImportFact } from "../../model/facts.ts";
import { pathOf } from "../nodes.ts";
import { toolkitPath } from "../toolkit-names.ts";

export const makesPack = (node: ts.NewExpression, toolkitImports: ReadonlyMap<string, ImportFact>): boolean =>
  isOfToolkit(node, "PackDefinitionBuilder", toolkitImports);

export const makesAgent = (node: ts.CallExpression, toolkitImports: ReadonlyMap<string, ImportFact>): boolean =>
  isOfToolkit(node, "newAgent", toolkitImports);

function isOfToolkit(
  { expression }: ts.NewExpression | ts.CallExpression,
  name: string,
  toolkitImports: ReadonlyMap<string, ImportFact>,
): boolean {
  const path = pathOf(expression) ?? [];
  const imported = toolkitImports.get(path[0] ?? "");
  return imported !== undefined && toolkitPath(path, imported).join(".") === name;
}
