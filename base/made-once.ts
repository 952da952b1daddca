// What takes long to make, and is made once for whoever asks for it.

interface Known<K, T> {
  get(key: K): Promise<T> | undefined;
  set(key: K, made: Promise<T>): unknown;
  delete(key: K): boolean;
}

/** What is known for the key, or made now. What failed is made anew for the next one: its reason may be gone by then. */
export function madeOnce<K, T>(known: Known<K, T>, key: K, make: () => Promise<T>): Promise<T> {
  const former = known.get(key);
  if (former !== undefined) return former;
  const made = make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}
