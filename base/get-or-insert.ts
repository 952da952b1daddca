// A map that is filled on first use of each key.

interface MapLike<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
}

/** Returns the map's value for the key, and creates and inserts it if it is missing. The value may be undefined. */
export function getOrInsert<Key, Value>(map: MapLike<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const currentValue = map.get(key);
  if (currentValue !== undefined || map.has(key)) return currentValue as Value;
  const createdValue = make(key);
  map.set(key, createdValue);
  return createdValue;
}
