// What a file exports itself; of a CommonJS file, also what it reads and writes of that: `exports.auth`, `module.exports.auth.headerName = …`.

import type { FileFacts } from "../model/facts.ts";
import type { Mutation } from "../model/mutations.ts";
import type { Value } from "../model/values.ts";
import { TOP_LEVEL } from "./names/declarations.ts";
import { find } from "./names/find-declaration.ts";

/** What a file itself exports by the name; undefined where that comes from another one. */
export function exportedValue({ exports, declarations }: Pick<FileFacts, "exports" | "declarations">, name: string): Value | undefined {
  const exported = exports.get(name);
  if (exported === undefined || "module" in exported) return undefined;
  return "value" in exported ? exported.value : find(declarations.get(exported.local), TOP_LEVEL)?.value;
}

/** The names behind `exports` and `module.exports`, where only one thing is exported by the first of them. */
export function ownExport(facts: FileFacts, path: readonly string[]): readonly string[] | undefined {
  const own = path[0] === "exports" ? path.slice(1) : path[0] === "module" && path[1] === "exports" ? path.slice(2) : [];
  const [name] = own;
  if (name === undefined) return undefined;
  const writes = changesToExports(facts).filter((change) => change.path.length === 0 && "property" in change && change.property === name);
  return writes.length > 1 ? undefined : own;
}

/** What a file does to something that it exports, after it has exported it. */
export const changesToExport = (facts: FileFacts, name: string): readonly Mutation[] =>
  changesToExports(facts).flatMap((change) => (change.path[0] === name ? [{ ...change, path: change.path.slice(1) }] : []));

/** By paths that begin with the exported name. */
function changesToExports({ declarations }: FileFacts): readonly Mutation[] {
  const inModule = declarations.changesOf("module").filter(({ path }) => path[0] === "exports");
  return [...declarations.changesOf("exports"), ...inModule.map((change) => ({ ...change, path: change.path.slice(1) }))];
}
