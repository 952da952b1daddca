// Facts move with their text: when something before a statement grows or shrinks, every position in the statement's facts does too.
import { FILE_SCOPE } from "./declarations.ts";

/** An object with positions in it: numbers called `start`, `end` or `offset`. */
export interface Positioned {
  start?: number;
  end?: number;
  offset?: number;
}

/** Every object in the facts that has a position, each once. */
export function positionedIn(facts: unknown): readonly Positioned[] {
  const found: Positioned[] = [];
  const seen = new Set<unknown>();
  const queue: unknown[] = [facts];
  while (queue.length > 0) {
    const item = queue.pop();
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    if (item instanceof Map) for (const value of item.values()) queue.push(value);
    else if (Array.isArray(item) || item instanceof Set) for (const value of item) queue.push(value);
    else {
      const { start, end, offset } = item as Positioned;
      // The file's scope is the whole file, whatever happens in it.
      if ((typeof start === "number" && end !== FILE_SCOPE.end) || typeof offset === "number") found.push(item);
      for (const key in item) {
        const value = (item as Record<string, unknown>)[key];
        if (typeof value === "object") queue.push(value);
      }
    }
  }
  return found;
}

export function move(positioned: readonly Positioned[], by: number): void {
  if (by === 0) return;
  for (const item of positioned) {
    if (item.start !== undefined) item.start += by;
    if (item.end !== undefined) item.end += by;
    if (item.offset !== undefined) item.offset += by;
  }
}
