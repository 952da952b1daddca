// Which file exports a name of a module: the module itself, or a module that it re-exports with `export *`.
import type { FileFacts } from "../model/facts.ts";
import type { PackSources } from "../model/pack.ts";
import { WHOLE } from "../syntax/module-facts.ts";

/** The facts of the file that has the export, or "toolkit" for the SDK. Undefined if neither has it. */
type Exporter = FileFacts | "toolkit" | undefined;

/**
 * Returns the exporter of a name. Each file is visited once, since `export *` may be circular. The SDK's exports have the lowest
 * precedence.
 */
export function exporterOf(from: string, module: string, name: string, sources: PackSources): Exporter {
  if (sources.isToolkit(module, from)) return "toolkit";
  let otherwise: Exporter;
  const visited = new Set<string>();
  const queue = [{ from, module }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (sources.isToolkit(next.module, next.from)) {
      otherwise = "toolkit";
      continue;
    }
    const file = sources.resolveModule(next.from, next.module);
    const facts = file === undefined || visited.has(file) ? undefined : sources.facts(file);
    if (file === undefined || facts === undefined) continue;
    if (facts.exports.has(name)) return facts;
    // `export *` does not re-export the default (ECMA-262, ResolveExport).
    if (name === "default" || name === WHOLE) continue;
    visited.add(file);
    // The first re-export is visited next.
    for (let index = facts.starExports.length - 1; index >= 0; index--) queue.push({ from: file, module: facts.starExports[index] ?? "" });
  }
  return otherwise;
}
