// What takes long to make, and is made once for whoever asks for it.

interface PromiseCache<K, T> {
  get(key: K): Promise<T> | undefined;
  set(key: K, value: Promise<T>): unknown;
  delete(key: K): boolean;
}

/** What is known for the key, or made now. What failed is made anew for the next one: its reason may be gone by then. */
export function createOnce<K, T>(cache: PromiseCache<K, T>, key: K, make: () => Promise<T>): Promise<T> {
  const former = cache.get(key);
  if (former !== undefined) return former;
  const promise = make();
  cache.set(key, promise);
  promise.catch(() => cache.delete(key));
  return promise;
}
