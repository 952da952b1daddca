// What is made of an object once, since it is asked for often.
import type { Memo } from "./model/pack.ts";

/** One for each model: what it holds goes when the model goes, and a copy of the model is an object of its own. */
export function createMemo(): Memo {
  const known = new WeakMap<object, Map<unknown, unknown>>();
  return <Key extends object, Made>(key: Key, make: (key: Key) => Made): Made => {
    const made = known.get(key) ?? new Map<unknown, unknown>();
    known.set(key, made);
    if (!made.has(make)) made.set(make, make(key));
    return made.get(make) as Made;
  };
}
