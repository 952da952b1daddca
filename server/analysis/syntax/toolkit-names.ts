// The SDK's names: which modules are the SDK, and what a path of names refers to in it, however it is imported.

import { areNear } from "../../../base/closest.ts";
import { ENUMS } from "../../../spec/fields.ts";
import type { ImportFact } from "../model/facts.ts";
import type { EnumMember, Place } from "../model/values.ts";

/** Whether the module is one of the SDK's modules, or a file in its `dist`: `@codahq/packs-sdk`, `@codahq/packs-sdk/dist/types`. */
export function isToolkitModule(module: string, toolkitModules: readonly string[]): boolean {
  for (let index = 0; index < toolkitModules.length; index++) {
    const name = toolkitModules[index] ?? "";
    if (module.startsWith(name) && (module.length === name.length || module.startsWith("/dist/", name.length))) return true;
  }
  return false;
}

/** Returns the package's name: `@scope/name` for `@scope/name/inside`. */
export const packageOf = (module: string): string => /^(?:@[^/]+\/)?[^/]*/.exec(module)?.[0] ?? module;

/**
 * Returns the SDK's module whose name `module` resembles. Names may differ in case, punctuation, one or two letters, or the scope:
 * `@coda/packs-sdk`, `codahq-pack-sdk/dist/types`, `@superhuman/packs-sdk`, `@coda/sdk`.
 */
export function namedLike(module: string, toolkitModules: readonly string[]): string | undefined {
  if (/^[./]|:/.test(module)) return undefined;
  for (const toolkit of toolkitModules)
    for (const name of [packageOf(module), module])
      if (name !== toolkit && (areNear(lettersOf(name), lettersOf(toolkit), MOST_EDITS) || hasWordsOf(name, toolkit)))
        return module.replace(name, toolkit);
  return undefined;
}

/** Whether a package has the SDK's name in any scope, or consists of two of the SDK's words and no others. */
function hasWordsOf(name: string, toolkit: string): boolean {
  // A path inside a package, or an alias of a project's folder, is not a package.
  if (name !== packageOf(name)) return false;
  const own = wordsOf(withoutScope(toolkit));
  const nameWords = wordsOf(withoutScope(name));
  const end = nameWords.slice(-own.length);
  if (own.length > 1 && end.length === own.length && own.every((word, index) => isSameWord(word, end[index] ?? ""))) return true;
  const all = wordsOf(toolkit);
  const isOfToolkit = (word: string): boolean => all.some((one) => isSameWord(one, word));
  return nameWords.every(isOfToolkit) && all.filter((one) => wordsOf(name).some((word) => isSameWord(one, word))).length > 1;
}

const wordsOf = (name: string): readonly string[] => name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const withoutScope = (name: string): string => name.replace(/^@[^/]*\//, "");

/** Whether one word begins with the other: `pack` and `packs`, `coda` and `codahq`. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= SHORTEST_START && (a.startsWith(b) || b.startsWith(a)));
const SHORTEST_START = 4;

const MOST_EDITS = 2;
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Returns a path as one in the SDK: `coda.AuthenticationType.X` and `Auth.X` are both AuthenticationType, X. */
export function toolkitPath(names: readonly string[], imported: ImportFact): readonly string[] {
  return imported.name === "*" || imported.name === "default" ? names.slice(1) : [imported.name, ...names.slice(1)];
}

/** Returns the enum member that a path in the SDK names, with its source as the reference writes it. */
export function enumMember(
  path: readonly string[],
  reference: { readonly place: Place; readonly nameSpan: Place },
  text: string,
): EnumMember | undefined {
  const enumName = path[0];
  const name = path[1];
  if (path.length !== 2 || enumName === undefined || name === undefined || !Object.hasOwn(ENUMS, enumName)) return undefined;
  const { place, nameSpan } = reference;
  return { kind: "member", place, enum: enumName, name, prefix: text.slice(place.start, nameSpan.start), nameSpan };
}
