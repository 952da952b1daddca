// A cache of promises for results that are expensive to compute.

interface PromiseCache<K, T> {
  get(key: K): Promise<T> | undefined;
  set(key: K, value: Promise<T>): unknown;
  delete(key: K): boolean;
}

/** Returns the cached promise for the key, or creates it. A rejected promise leaves the cache, so that the next call tries again. */
export function createOnce<K, T>(cache: PromiseCache<K, T>, key: K, make: () => Promise<T>): Promise<T> {
  const former = cache.get(key);
  if (former !== undefined) return former;
  const promise = make();
  cache.set(key, promise);
  promise.catch(() => cache.delete(key));
  return promise;
}
