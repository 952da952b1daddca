// Who exports a name that a module exports: the module itself, or one of those that it exports all of.
import type { FileFacts } from "../model/facts.ts";
import type { PackSources } from "../model/pack.ts";
import { WHOLE } from "../syntax/module-facts.ts";

/** The facts of the file that has the export; nobody where neither the file nor the toolkit may have it. */
type Exporter = FileFacts | "toolkit" | undefined;

/** Files that export all of each other in a circle are looked at once. What the toolkit exports counts last. */
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
    // `export *` leaves these to the module itself (ECMA-262, ResolveExport).
    if (name === "default" || name === WHOLE) continue;
    visited.add(file);
    // The first one is looked at next.
    for (let index = facts.starExports.length - 1; index >= 0; index--) queue.push({ from: file, module: facts.starExports[index] ?? "" });
  }
  return otherwise;
}
