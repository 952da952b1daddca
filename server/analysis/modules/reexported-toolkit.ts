// Resolves imports of workspace files that re-export the SDK's names.

import type { FileFacts } from "../model/facts.ts";
import type { PackSources } from "../model/pack.ts";
import { WHOLE } from "../syntax/module-facts.ts";
import { find, TOP_LEVEL } from "../syntax/names/declarations.ts";
import { toolkitPath } from "../syntax/toolkit-names.ts";
import { exporterOf } from "./exporter.ts";

/** Maximum number of re-exports; a longer chain is a circle. */
const MOST_STEPS = 20;

/** Returns the namespace prefix if an import of a workspace file refers to the SDK's namespace, such as `coda.`; otherwise empty. */
export function prefixByImport(facts: FileFacts, sources: PackSources): string {
  const localName = [...facts.imports.keys()].find((local) => meaningOf([local], facts, sources)?.length === 0);
  return localName === undefined ? "" : `${localName}.`;
}

/** Returns a path of names as a path in the SDK: empty for its namespace, undefined if it does not lead there. */
export function meaningOf(path: readonly string[], facts: FileFacts, sources: PackSources, steps = 0): readonly string[] | undefined {
  const [head = "", ...rest] = path;
  const imported = find(facts.declarations.get(head), TOP_LEVEL) === undefined ? facts.imports.get(head) : undefined;
  if (imported === undefined) return undefined;
  if (sources.isToolkit(imported.module, facts.file)) return toolkitPath(path, imported);
  return exportedMeaning(imported.name === "*" ? rest : [imported.name, ...rest], imported.module, facts, sources, steps + 1);
}

function exportedMeaning(
  path: readonly string[],
  module: string,
  from: FileFacts,
  sources: PackSources,
  steps: number,
): readonly string[] | undefined {
  const [name = WHOLE, ...rest] = path;
  const exporter = steps > MOST_STEPS ? undefined : exporterOf(from.file, module, name, sources);
  if (exporter === "toolkit") return path;
  const exportFact = exporter?.exports.get(name);
  if (exporter === undefined || exportFact === undefined) return undefined;
  if ("local" in exportFact) return meaningOf([exportFact.local, ...rest], exporter, sources, steps + 1);
  if ("module" in exportFact)
    return exportedMeaning(exportFact.name === "*" ? rest : [exportFact.name, ...rest], exportFact.module, exporter, sources, steps + 1);
  return exportFact.value.kind === "reference" ? meaningOf([...exportFact.value.path, ...rest], exporter, sources, steps + 1) : undefined;
}
