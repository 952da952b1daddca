// The packs of a file: which names refer to one, which calls set one up, how many are built, and where the file passes them.
import type { CallFact, DeclaredNames, FileFacts, ImportFact, MethodAlias } from "../model/facts.ts";
import { isOwnModule } from "../modules/resolve-module.ts";
import { exportedValue, REQUIRED } from "../syntax/commonjs.ts";
import { type DeclarationPart, find, TOP_LEVEL } from "../syntax/names/declarations.ts";
import { PACK_LISTS } from "../syntax/pack-methods.ts";
import { isToolkitModule } from "../syntax/toolkit-names.ts";
import type { Escape } from "../syntax/walk/walked.ts";

/** CommonJS names that are not aliases of a pack: code that reads a pack from them imports the file, and imports are analysed. */
const OF_MODULE: ReadonlySet<string> = new Set(["module", "exports"]);

/** Returns the first name of a receiver such as `app.packs.pack`. */
const rootOf = (receiver: string): string => receiver.split(".", 1)[0] ?? "";

export function packNames(
  parts: readonly DeclarationPart[],
  calls: readonly CallFact[],
  imports: FileFacts["imports"],
  toolkitModules: readonly string[],
): ReadonlySet<string> {
  const packs = new Set(["pack"]);
  for (const { method, receiver } of calls) {
    const root = rootOf(receiver);
    // The receiver of newPack is the SDK.
    if (method !== "newPack" && !isToolkitModule(imports.get(root)?.module ?? "", toolkitModules)) packs.add(receiver).add(root);
  }
  const aliased = [...packs];
  for (const { aliases } of parts)
    if (aliases.size > 0)
      for (const name of aliased) for (const alias of aliases.get(name) ?? []) if (!OF_MODULE.has(alias.name)) packs.add(alias.name);
  return packs;
}

/** Returns the calls without methods of other objects. */
export const packCalls = (calls: readonly CallFact[], declarations: DeclaredNames): readonly CallFact[] =>
  calls.filter((call) => !isOfObject(call, declarations));

/** Adds the calls of methods by other names, in the order of the source. */
export function withAliasCalls(
  calls: readonly CallFact[],
  aliases: readonly MethodAlias[],
  callsOf: FileFacts["callsOf"],
  declarations: DeclaredNames,
): readonly CallFact[] {
  const places = new Set(calls.map(({ place }) => place.start));
  const added = aliases.flatMap(({ name, receiver, method }) =>
    callsOf(name).flatMap((site): CallFact[] => {
      const value = find(declarations.get(name), site.place.start)?.value;
      const isOfAlias = site.callee.kind === "reference" && site.callee.path.length === 1 && value?.kind === "reference";
      if (!isOfAlias || value.path.at(-1) !== method || places.has(site.place.start)) return [];
      return [{ ...site, method, callee: name, receiver, called: value, runs: undefined }];
    }),
  );
  return [...calls, ...added].sort((a, b) => a.place.start - b.place.start);
}

/** Adds the calls that put items into the lists of packs, `pack.formulas.push(formula)`, in the order of the source. */
export function withAdditions(
  calls: readonly CallFact[],
  escapes: readonly Escape[],
  packs: ReadonlySet<string>,
  declarations: DeclaredNames,
): readonly CallFact[] {
  const added = escapes.flatMap(({ what, adds }): CallFact[] => {
    if (adds === undefined || !packs.has(what)) return [];
    if (adds.method !== "") return [adds];
    // The list is a destructured part of the pack: `const { formulas } = pack`.
    const method = PACK_LISTS.get(what);
    return method === undefined ? [] : [{ ...adds, method }];
  });
  return added.length === 0 ? calls : [...calls, ...packCalls(added, declarations)].sort((a, b) => a.place.start - b.place.start);
}

/** Whether the receiver is an object literal, and so not a pack. */
function isOfObject({ receiver, place: { start } }: CallFact, declarations: DeclaredNames): boolean {
  const value = receiver === "" ? undefined : find(declarations.get(receiver), start)?.value;
  return value?.kind === "object" && !value.open;
}

export const packEscapes = (
  escapes: readonly Escape[],
  packs: ReadonlySet<string>,
  code: Pick<FileFacts, "imports" | "modules" | "declarations">,
  toolkitModules: readonly string[],
): FileFacts["packGoesTo"] =>
  escapes.flatMap(({ to, what, callee, adds }) =>
    adds !== undefined || !packs.has(what)
      ? []
      : modulesOf(to, code, toolkitModules).map((module) => (callee === undefined ? { module } : { module, callee })),
  );

/**
 * Returns the module that a function is imported from, or nothing for a function of the file itself. Returns an empty name for a function
 * that is computed, or is a method of something that a package may have created.
 */
function modulesOf(
  name: string | undefined,
  code: Pick<FileFacts, "imports" | "modules" | "declarations">,
  toolkitModules: readonly string[],
): readonly string[] {
  if (name?.startsWith(REQUIRED)) return [name.slice(REQUIRED.length)];
  if (name === undefined || name === "Object" || name === "Reflect") return [""];
  const imported = code.imports.get(name);
  if (imported !== undefined) return [imported.module];
  const isOwn = name === "this" || find(code.declarations.get(name), TOP_LEVEL)?.value?.kind === "function";
  return isOwn || code.modules.every((module) => isOwnModule(module) || isToolkitModule(module, toolkitModules)) ? [] : [""];
}

type Code = Pick<FileFacts, "imports" | "exports" | "calls" | "declarations">;

export function countPacks(
  code: Code,
  toolkitImports: ReadonlyMap<string, ImportFact>,
  toolkitModules: readonly string[],
): Pick<FileFacts, "builds" | "buildsBy" | "importsToolkit"> {
  const isOfToolkit = ({ receiver, callee }: CallFact): boolean =>
    toolkitImports.has(receiver === "" ? callee : rootOf(receiver)) ||
    isToolkitModule(REQUIRED_THERE.exec(receiver)?.[1] ?? "", toolkitModules);
  const newPacks = code.calls.filter(({ method }) => method === "newPack");
  const builds = newPacks.filter(isOfToolkit).length;
  const buildsBy = newPacks.flatMap((call): string[][] => {
    const path = call.receiver === "" ? [call.callee] : [...call.receiver.split("."), call.method];
    return !isOfToolkit(call) && code.imports.has(path[0] ?? "") ? [path] : [];
  });
  const isManifest = builds === 0 && toolkitImports.size > 0 && exportsManifest(code);
  return { builds: isManifest ? 1 : builds, buildsBy, importsToolkit: toolkitImports.size > 0 || builds > 0 };
}

/** `require("m").newPack()`. */
const REQUIRED_THERE = /^require\(\s*["'`]([^"'`]+)["'`]\s*\)$/;

const OF_MANIFESTS: ReadonlySet<string> = new Set(["defaultAuthentication", "networkDomains", "formulas", "syncTables"]);

const exportsManifest = (code: Code): boolean =>
  ["manifest", "pack"].some((name) => {
    const value = exportedValue(code, name);
    return value?.kind === "object" && value.properties.some((property) => OF_MANIFESTS.has(property.name));
  });
