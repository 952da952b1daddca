// The resolvers of packs. A resolver is reused after an edit if every statement still sees the same declarations. Then every value of an
// unchanged statement resolves to the same.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { Memo, PackSources } from "../model/pack.ts";
import { createForeignChanges, type ForeignChanges } from "../modules/written-imports.ts";
import { createResolver, type Resolver } from "./resolve.ts";

export interface Resolvers {
  /** Returns the resolver for the pack that starts from the entry and consists of the files. */
  of(entry: string, files: readonly string[]): Resolver;
  /** Drops all resolvers, for when files come or go, or modules resolve differently. */
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

/** The foreign changes of a pack with a single file: none. */
const unchanged: ForeignChanges = (_file, _name, value) => value;

const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Creates a memo. Its results are released with their keys, so each model, and each copy of a model, has its own. Rules call it for every
 * request at each keystroke, so it makes no closures.
 */
export function createMemo(): Memo {
  const cacheByKey = new WeakMap<object, Map<unknown, unknown>>();
  return <Key extends object, Result>(key: Key, make: (key: Key) => Result): Result => {
    const results = getOrInsert(cacheByKey, key, newResults);
    const before = results.get(make);
    if (before !== undefined || results.has(make)) return before as Result;
    const result = make(key);
    results.set(make, result);
    return result;
  };
}

const newResults = (): Map<unknown, unknown> => new Map();
