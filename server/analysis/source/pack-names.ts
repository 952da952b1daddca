// The names of a file that hold a pack: what its methods are called on, what is called `pack`, and the aliases of these.
import type { CallFact, FileFacts } from "../model/facts.ts";
import { isToolkitModule } from "../syntax/is-toolkit-module.ts";
import type { DeclarationPart } from "../syntax/names/declarations.ts";

/** Who has these of CommonJS does what importers do. */
const OF_MODULE: ReadonlySet<string> = new Set(["module", "exports"]);

/** The first name of `app.packs.pack`. */
export const rootOf = (receiver: string): string => receiver.split(".", 1)[0] ?? "";

export function packNames(
  parts: readonly DeclarationPart[],
  calls: readonly CallFact[],
  imports: FileFacts["imports"],
  toolkitModules: readonly string[],
): ReadonlySet<string> {
  const packs = new Set(["pack"]);
  for (const { method, receiver } of calls) {
    const root = rootOf(receiver);
    // What newPack is called on is the toolkit.
    if (method !== "newPack" && !isToolkitModule(imports.get(root)?.module ?? "", toolkitModules)) packs.add(receiver).add(root);
  }
  const aliased = [...packs];
  for (const { aliases } of parts)
    if (aliases.size > 0)
      for (const name of aliased) for (const alias of aliases.get(name) ?? []) if (!OF_MODULE.has(alias.name)) packs.add(alias.name);
  return packs;
}
