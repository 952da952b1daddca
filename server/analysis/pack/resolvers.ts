// The resolvers of packs. One is used again after an edit where the code of each statement still sees the same of the others: then every
// value of a statement that is still there resolves to the same.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { Memo, PackSources } from "../model/pack.ts";
import { createForeignChanges, type ForeignChanges } from "../modules/written-imports.ts";
import { createResolver, type Resolver } from "./resolve.ts";

interface Resolvers {
  /** For the pack that starts from the entry and has the files. */
  of(entry: string, files: readonly string[]): Resolver;
  /** When files come or go, or modules lead elsewhere. */
  forget(): void;
}

export function createResolvers(sources: PackSources): Resolvers {
  let cachedResolvers = new Map<string, { readonly resolver: Resolver; readonly scopes: readonly unknown[] }>();
  return {
    of(entry, files) {
      const scopes = files.map((file) => sources.facts(file)?.fileScope);
      const before = cachedResolvers.get(entry);
      if (before?.resolver.isReusable() && areSame(before.scopes, scopes)) return before.resolver;
      const resolver = createResolver(sources, files.length > 1 ? createForeignChanges(files, sources) : unchanged, createMemo());
      cachedResolvers.set(entry, { resolver, scopes });
      return resolver;
    },
    forget() {
      cachedResolvers = new Map();
    },
  };
}

/** By other files, where there are none. */
const unchanged: ForeignChanges = (_file, _name, value) => value;

const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/** One for each model: what it holds goes when the model goes, and a copy of the model is an object of its own. */
export function createMemo(): Memo {
  const cacheByKey = new WeakMap<object, Map<unknown, unknown>>();
  return <Key extends object, Result>(key: Key, make: (key: Key) => Result): Result => {
    const results = getOrInsert(cacheByKey, key, () => new Map());
    return getOrInsert(results, make, () => make(key)) as Result;
  };
}
