// Facts move with their text: when something before a statement grows or shrinks, every position in the statement's facts does too.
import { FILE_SCOPE } from "./declarations.ts";

interface MovableSpan {
  start: number;
  end: number;
}

/**
 * The objects with positions in them: numbers called `start` and `end`, or `offset`. Those of which there are many stand apart, by the
 * fields that they have: where one loop meets objects of many forms, each field is looked for anew, and that takes ten times as long.
 */
export interface Positioned {
  /** With a start and an end alone. */
  readonly plain: MovableSpan[];
  readonly literals: MovableSpan[];
  readonly references: MovableSpan[];
  readonly objects: MovableSpan[];
  readonly others: MovableSpan[];
  readonly points: { offset: number }[];
}

/** Every object in the facts that has a position, each once. */
export function positionedIn(facts: unknown): Positioned {
  const found: Positioned = { plain: [], literals: [], references: [], objects: [], others: [], points: [] };
  const seen = new Set<unknown>();
  const queue: unknown[] = [facts];
  while (queue.length > 0) {
    const item = queue.pop();
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    if (item instanceof Map) for (const value of item.values()) queue.push(value);
    else if (Array.isArray(item) || item instanceof Set) for (const value of item) queue.push(value);
    else {
      const { start, end, offset } = item as Partial<MovableSpan> & { readonly offset?: number };
      // The file's scope is the whole file, whatever happens in it.
      if (start !== undefined && end !== undefined && end !== FILE_SCOPE.end) listFor(item, found).push(item as MovableSpan);
      else if (offset !== undefined) found.points.push(item as { offset: number });
      for (const key in item) {
        const value = (item as Record<string, unknown>)[key];
        if (typeof value === "object") queue.push(value);
      }
    }
  }
  return found;
}

function listFor(span: { readonly kind?: unknown }, found: Positioned): MovableSpan[] {
  switch (span.kind) {
    case undefined:
      return Object.keys(span).length === 2 ? found.plain : found.others;
    case "string":
    case "number":
    case "boolean":
      return found.literals;
    case "reference":
      return found.references;
    case "object":
      return found.objects;
    default:
      return found.others;
  }
}

export function move(positioned: Positioned, by: number): void {
  if (by === 0) return;
  for (const span of positioned.plain) {
    span.start += by;
    span.end += by;
  }
  for (const literal of positioned.literals) {
    literal.start += by;
    literal.end += by;
  }
  for (const reference of positioned.references) {
    reference.start += by;
    reference.end += by;
  }
  for (const object of positioned.objects) {
    object.start += by;
    object.end += by;
  }
  for (const other of positioned.others) {
    other.start += by;
    other.end += by;
  }
  for (const point of positioned.points) point.offset += by;
}
