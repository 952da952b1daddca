// The toolkit is imported by its name, or by that of a file inside its package.

import { areNear } from "../text/closest.ts";

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

/** The module of a toolkit that one is named like, but for case, signs and a letter or two: `@coda/packs-sdk`, `codahq-pack-sdk/dist/types`. */
export function namedLike(module: string, toolkitModules: readonly string[]): string | undefined {
  if (/^[./]|:/.test(module)) return undefined;
  for (const toolkit of toolkitModules)
    for (const name of [packageOf(module), module])
      if (name !== toolkit && areNear(lettersOf(name), lettersOf(toolkit), MOST_EDITS)) return module.replace(name, toolkit);
  return undefined;
}

const MOST_EDITS = 2;
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
