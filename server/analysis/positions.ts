// Facts move with their text: when something before a statement grows or shrinks, every position in the statement's facts does too.
import { FILE_SCOPE } from "./declarations.ts";

/** The objects with positions in them: numbers called `start` and `end`, or `offset`. */
export interface Positioned {
  readonly spans: { start: number; end: number }[];
  readonly points: { offset: number }[];
}

/** Every object in the facts that has a position, each once. */
export function positionedIn(facts: unknown): Positioned {
  const found: Positioned = { spans: [], points: [] };
  const seen = new Set<unknown>();
  const queue: unknown[] = [facts];
  while (queue.length > 0) {
    const item = queue.pop();
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    if (item instanceof Map) for (const value of item.values()) queue.push(value);
    else if (Array.isArray(item) || item instanceof Set) for (const value of item) queue.push(value);
    else {
      const { start, end, offset } = item as { start?: number; end?: number; offset?: number };
      // The file's scope is the whole file, whatever happens in it.
      if (start !== undefined && end !== undefined && end !== FILE_SCOPE.end) found.spans.push(item as { start: number; end: number });
      else if (offset !== undefined) found.points.push(item as { offset: number });
      for (const key in item) {
        const value = (item as Record<string, unknown>)[key];
        if (typeof value === "object") queue.push(value);
      }
    }
  }
  return found;
}

export function move({ spans, points }: Positioned, by: number): void {
  if (by === 0) return;
  for (const span of spans) {
    span.start += by;
    span.end += by;
  }
  for (const point of points) point.offset += by;
}
