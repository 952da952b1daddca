// A map that is filled as it is asked: what is made once for a key, or gathered under it.

interface MapLike<Key, Made> {
  get(key: Key): Made | undefined;
  has(key: Key): boolean;
  set(key: Key, made: Made): unknown;
}

/** What the map has for the key; made, and put into it, where it has nothing. What is made may be undefined. */
export function getOrInsert<Key, Made>(map: MapLike<Key, Made>, key: Key, make: (key: Key) => Made): Made {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Made;
  const made = make(key);
  map.set(key, made);
  return made;
}
