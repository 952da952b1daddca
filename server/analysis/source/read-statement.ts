// One statement of a source → its plain facts. Trees are read here and in what this names; `source.ts` alone keeps one.

import type { ts } from "ts-morph";
import type { ImportFact } from "../model/facts.ts";
import type { EvaluateContext } from "../syntax/evaluate.ts";
import { isToolkitModule } from "../syntax/is-toolkit-module.ts";
import { type ExportedValue, type ModulePart, readExportedValues } from "../syntax/module-facts.ts";
import type { Walked } from "../syntax/walk/walked.ts";
import { walk } from "../syntax/walk.ts";

/** What one statement of the top level says; what it means is known when all of the file's statements are there. */
export interface StatementFacts {
  readonly module: ModulePart | undefined;
  readonly walked: Walked;
  readonly exported: readonly ExportedValue[];
}

export function readStatement(statement: ts.Statement, module: ModulePart | undefined, context: EvaluateContext): StatementFacts {
  return { module, walked: walk(statement, context), exported: readExportedValues(statement, context) };
}

/** Those of the imports that are the toolkit's, by their local names. */
export function ofToolkit(imports: ReadonlyMap<string, ImportFact>, toolkitModules: readonly string[]): Map<string, ImportFact> {
  const found = new Map<string, ImportFact>();
  for (const imported of imports.values()) if (isToolkitModule(imported.module, toolkitModules)) found.set(imported.local, imported);
  return found;
}
