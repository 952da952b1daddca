// `new coda.PackDefinitionBuilder(…)`: what newPack does.
import type { ts } from "ts-morph";
import type { ImportFact } from "../../model/facts.ts";
import { pathOf } from "../nodes.ts";
import { toolkitPath } from "../toolkit-names.ts";

export function makesPack(node: ts.NewExpression, toolkitImports: ReadonlyMap<string, ImportFact>): boolean {
  const path = pathOf(node.expression) ?? [];
  const imported = toolkitImports.get(path[0] ?? "");
  return imported !== undefined && toolkitPath(path, imported).join(".") === "PackDefinitionBuilder";
}
