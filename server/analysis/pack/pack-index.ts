// The packs among the known files, and the files of each. The index is updated by changes instead of rebuilt.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { FileFacts } from "../model/facts.ts";
import type { PackSources } from "../model/pack.ts";
import { meaningOf } from "../modules/reexported-toolkit.ts";

export interface PackIndex {
  /** Returns the files from which packs start. */
  entries(): readonly string[];
  /** Returns the files of the pack that starts from the entry. */
  files(entry: string): readonly string[];
  /** Returns the entries of the packs that a file belongs to. */
  entriesOf(file: string): readonly string[];
  /** Whether the files that build packs by another file's newPack still do after that file changed. */
  stillBuilds(): boolean;
  forget(): void;
}

const MENTIONS_PACK =
  /newPack|manifest|setUserAuthentication|setSystemAuthentication|addNetworkDomain|addFormula|addSyncTable|addDynamicSyncTable/;

/** Whether a source may build a pack, add to one, or export one, judged by its text before parsing. */
export const mentionsPack = (text: string): boolean => MENTIONS_PACK.test(text) || exportsPack(text);

/** Maximum number of characters between an export and the name that it exports, within one statement. */
const LONGEST_EXPORT = 300;

/** Whether the text has `export { pack }` or `exports.pack = …`. It is one pass over the text, however often either word occurs. */
function exportsPack(text: string): boolean {
  if (!text.includes("pack") || !text.includes("export")) return false;
  let exported = Number.NEGATIVE_INFINITY;
  for (const { 0: word, index } of text.matchAll(/\bexports?\b|\bpack\b|;/g)) {
    if (word === ";") exported = Number.NEGATIVE_INFINITY;
    else if (word !== "pack") exported = index + word.length;
    else if (index - exported <= LONGEST_EXPORT) return true;
  }
  return false;
}

/** Whether two states of a file agree in everything that decides about packs and their files, so that the index stays valid. */
export function haveSameShape(a: FileFacts | undefined, b: FileFacts | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const { builds, modules, buildsBy } = a;
  const mayCount = builds > 0 || buildsBy.length > 0 || addsToPack(a);
  return (
    builds === b.builds &&
    addsToPack(a) === addsToPack(b) &&
    (!mayCount || mentionsPack(a.text) === mentionsPack(b.text)) &&
    (modules === b.modules || areSame(modules, b.modules)) &&
    buildsBy.length === b.buildsBy.length &&
    buildsBy.every((path, index) => areSame(path, b.buildsBy[index] ?? []))
  );
}

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

const addsToPack = (facts: FileFacts): boolean => facts.exports.has("pack") || facts.exports.has("manifest") || facts.calls.length > 0;

/** Returns the entry and every workspace file that it imports. */
function filesOf(entry: string, sources: PackSources): readonly string[] {
  const files = new Set<string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const facts = files.has(file) ? undefined : sources.facts(file);
    if (facts === undefined) continue;
    files.add(file);
    for (const module of facts.modules) {
      const next = sources.isToolkit(module, file) ? undefined : sources.resolveModule(file, module);
      if (next !== undefined) queue.push(next);
    }
  }
  return [...files];
}

/** Returns how many packs a file builds, including by a newPack that workspace files re-export. */
export function packsBuiltBy(facts: FileFacts, sources: PackSources): number {
  // Most packs are built by the SDK's own newPack.
  if (facts.buildsBy.length === 0) return facts.builds;
  const reexportedBuilds = facts.buildsBy.filter((path) => meaningOf(path, facts, sources)?.join() === "newPack");
  return facts.builds + reexportedBuilds.length;
}

/** Creates the index. `candidates` returns the files that may build a pack or add to one. */
export function createPackIndex(candidates: () => readonly string[], sources: PackSources): PackIndex {
  const files = new Map<string, readonly string[]>();
  /** For files that may build packs by another file's newPack: whether they do. */
  const indirectBuilders = new Map<string, boolean>();
  let entries: readonly string[] | undefined;
  let belongs: Map<string, string[]> | undefined;

  const closure = (file: string): readonly string[] => getOrInsert(files, file, () => filesOf(file, sources));

  const entriesNow = (): readonly string[] => {
    entries ??= findEntries();
    return entries;
  };

  /** Returns the files that build a pack. If another file imports such a pack and sets it up, returns that file in its place. */
  const findEntries = (): readonly string[] => {
    const builders = new Set<string>();
    const contributors = new Set<string>();
    for (const file of candidates()) {
      const facts = sources.facts(file);
      if (facts === undefined) continue;
      const doesBuild = packsBuiltBy(facts, sources) > 0;
      if (facts.buildsBy.length > 0) indirectBuilders.set(file, doesBuild);
      if (doesBuild) builders.add(file);
      else if (addsToPack(facts)) contributors.add(file);
    }
    const takers = [...contributors].filter((file) => closure(file).some((part) => builders.has(part)));
    // A file that the builder imports is part of the builder's pack, and a part of another importer's pack is not an entry.
    const roots = takers.filter(
      (file) =>
        ![...builders].some((builder) => closure(builder).includes(file)) &&
        !takers.some((other) => other !== file && closure(other).includes(file) && !closure(file).includes(other)),
    );
    const absorbedBuilders = new Set(roots.flatMap((root) => closure(root).filter((part) => builders.has(part))));
    return [...[...builders].filter((builder) => !absorbedBuilders.has(builder)), ...roots];
  };

  return {
    entries: entriesNow,
    files: closure,
    entriesOf(file) {
      if (belongs === undefined) {
        belongs = new Map();
        for (const entry of entriesNow()) for (const part of closure(entry)) getOrInsert(belongs, part, () => []).push(entry);
      }
      return belongs.get(file) ?? [];
    },
    stillBuilds() {
      for (const [file, didBuild] of indirectBuilders) {
        const facts = sources.facts(file);
        if (facts === undefined || packsBuiltBy(facts, sources) > 0 !== didBuild) return false;
      }
      return true;
    },
    forget() {
      files.clear();
      indirectBuilders.clear();
      entries = undefined;
      belongs = undefined;
    },
  };
}
