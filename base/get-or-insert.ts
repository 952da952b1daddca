// A map that is filled as it is asked: what is made once for a key, or gathered under it.

interface MapLike<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
}

/** What the map has for the key; made, and put into it, where it has nothing. What is made may be undefined. */
export function getOrInsert<Key, Value>(map: MapLike<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const currentValue = map.get(key);
  if (currentValue !== undefined || map.has(key)) return currentValue as Value;
  const createdValue = make(key);
  map.set(key, createdValue);
  return createdValue;
}
