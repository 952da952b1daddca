// What files do to their imports: an object that another file writes to has more properties than its declaration shows.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { FileFacts } from "../model/facts.ts";
import type { Mutation } from "../model/mutations.ts";
import type { PackSources } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { WHOLE } from "../syntax/module-facts.ts";
import { applyMutation, isChangeable } from "../syntax/names/mutations.ts";
import { exporterOf } from "./exporter.ts";

interface ImportChanges {
  readonly module: string;
  /** The exported name, `*` for a namespace. */
  readonly name: string;
  readonly changes: readonly Mutation[];
}

const writtenBy = ({ imports, declarations }: FileFacts): readonly ImportChanges[] =>
  [...imports].flatMap(([local, { module, name }]) => {
    const changes = declarations.changesOf(local).filter(({ kind }) => kind !== "assigned");
    return changes.length === 0 ? [] : [{ module, name, changes }];
  });

/** Returns a name for a value that a file exports directly. The module as a whole is also its default export. */
export const exported = ({ exports }: FileFacts, name: string): string =>
  `export ${name === "default" && exports.has(WHOLE) ? WHOLE : name}`;

/** Maximum number of re-exports; a longer chain is a circle. */
const MOST_STEPS = 40;

/** Returns the value of a name after everything that other files do to it. */
export type ForeignChanges = (file: string, name: string, value: Expression) => Expression;

export function createForeignChanges(files: readonly string[], sources: PackSources): ForeignChanges {
  let byName: ReadonlyMap<string, readonly Mutation[]> | undefined;
  const changedValues = new Map<Expression, Expression>();
  return (file, name, value) => {
    if (!isChangeable(value)) return value;
    byName ??= changesByName(files, sources);
    const direct = byName.get(keyOf(file, name));
    const returnedBy = sources.facts(file)?.declarations.returnedBy(name) ?? [];
    if (direct === undefined && returnedBy.length === 0) return value;
    return getOrInsert(changedValues, value, () => {
      const changes = [...(direct ?? []), ...returnedBy.flatMap((returned) => changesToReturned(returned, file, files, sources))];
      return changes.reduce(applyMutation, value);
    });
  };
}

/** Returns what other files do to the return value of a function, matched by the function's name only. */
const changesToReturned = (
  { by, path }: ReturnType<FileFacts["declarations"]["returnedBy"]>[number],
  from: string,
  files: readonly string[],
  sources: PackSources,
): readonly Mutation[] =>
  files
    .filter((file) => file !== from)
    .flatMap((file) => sources.facts(file)?.declarations.changesOf(by) ?? [])
    .filter(({ kind }) => kind !== "assigned")
    .map((change) => ({ ...change, path: [...path, ...change.path] }));

const keyOf = (file: string, name: string): string => `${file}\n${name}`;

function changesByName(files: readonly string[], sources: PackSources): ReadonlyMap<string, readonly Mutation[]> {
  const changesByKey = new Map<string, Mutation[]>();
  for (const file of files) {
    const facts = sources.facts(file);
    if (facts === undefined) continue;
    for (const { module, name, changes } of writtenBy(facts)) {
      if (sources.isToolkit(module, file)) continue;
      for (const change of changes) {
        // For a namespace import, the path begins with the exported name, unless the module exports a single value.
        const paths = name === "*" ? [change.path, [WHOLE, ...change.path]] : [[name, ...change.path]];
        for (const [first, ...path] of paths) {
          const key = first === undefined ? undefined : declaring(file, module, first, sources, 0);
          if (key === undefined) continue;
          getOrInsert(changesByKey, key, () => []).push({ ...change, path });
        }
      }
    }
  }
  return changesByKey;
}

/** Returns a key for the file and the name that declare an export. */
function declaring(from: string, module: string, name: string, sources: PackSources, steps: number): string | undefined {
  const exporter = steps > MOST_STEPS ? undefined : exporterOf(from, module, name, sources);
  const exportFact = exporter === "toolkit" ? undefined : exporter?.exports.get(name);
  if (exporter === undefined || exporter === "toolkit" || exportFact === undefined) return undefined;
  const { file } = exporter;
  if ("value" in exportFact) return keyOf(file, exported(exporter, name));
  if ("module" in exportFact)
    return exportFact.name === "*" ? undefined : declaring(file, exportFact.module, exportFact.name, sources, steps + 1);
  const imported = exporter.declarations.get(exportFact.local) === undefined ? exporter.imports.get(exportFact.local) : undefined;
  if (imported === undefined) return keyOf(file, exportFact.local);
  return imported.name === "*" ? undefined : declaring(file, imported.module, imported.name, sources, steps + 1);
}
