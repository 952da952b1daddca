// The toolkit by its names: which modules it is, and what a path of names means inside it, however it is imported.

import { areNear } from "../../../base/closest.ts";
import { ENUMS } from "../../../spec/fields.ts";
import type { ImportFact } from "../model/facts.ts";
import type { Place, Value } from "../model/values.ts";

/** `@codahq/packs-sdk` and `@codahq/packs-sdk/dist/types`, where the first is one of the modules. */
export function isToolkitModule(module: string, toolkitModules: readonly string[]): boolean {
  for (let index = 0; index < toolkitModules.length; index++) {
    const name = toolkitModules[index] ?? "";
    if (module.startsWith(name) && (module.length === name.length || module.startsWith("/dist/", name.length))) return true;
  }
  return false;
}

/** `@scope/name` of `@scope/name/inside`. */
export const packageOf = (module: string): string => /^(?:@[^/]+\/)?[^/]*/.exec(module)?.[0] ?? module;

/**
 * The module of a toolkit that one is named like, but for case, signs and a letter or two, or but for whose it is: `@coda/packs-sdk`,
 * `codahq-pack-sdk/dist/types`, `@superhuman/packs-sdk`, `@coda/sdk`.
 */
export function namedLike(module: string, toolkitModules: readonly string[]): string | undefined {
  if (/^[./]|:/.test(module)) return undefined;
  for (const toolkit of toolkitModules)
    for (const name of [packageOf(module), module])
      if (name !== toolkit && (areNear(lettersOf(name), lettersOf(toolkit), MOST_EDITS) || hasWordsOf(name, toolkit)))
        return module.replace(name, toolkit);
  return undefined;
}

/** Whether a package is called as the toolkit is, by whomever; or by two of the toolkit's words and no others. */
function hasWordsOf(name: string, toolkit: string): boolean {
  // A path into a package, or from the folder that a project names, is no package.
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

/** `pack` and `packs`, `coda` and `codahq`. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= SHORTEST_START && (a.startsWith(b) || b.startsWith(a)));
const SHORTEST_START = 4;

const MOST_EDITS = 2;
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** What a path means inside the toolkit: `coda.AuthenticationType.X` and `Auth.X` are both AuthenticationType, X. */
export function toolkitPath(names: readonly string[], imported: ImportFact): readonly string[] {
  return imported.name === "*" || imported.name === "default" ? names.slice(1) : [imported.name, ...names.slice(1)];
}

/** The member that a path inside the toolkit names, as the reference writes it. */
export function enumMember(
  path: readonly string[],
  reference: { readonly place: Place; readonly nameSpan: Place },
  text: string,
): Value | undefined {
  const enumName = path[0];
  const name = path[1];
  if (path.length !== 2 || enumName === undefined || name === undefined || !Object.hasOwn(ENUMS, enumName)) return undefined;
  const { place, nameSpan } = reference;
  return { kind: "member", place, enum: enumName, name, prefix: text.slice(place.start, nameSpan.start), nameSpan };
}
