// What holds outside of brackets is forgotten inside them: whether a colon ends an expression, and whether `in` is a loop's.

import type { ts } from "ts-morph";
import { within } from "./functions.ts";
import { commaSeparated } from "./take.ts";
import type { Tree, Trees } from "./tree.ts";

/** How deep in places where a colon behind parentheses is no type of an arrow function's result. */
export let colonEnds = 0;

/** Where `in` is the loop's. */
export let inEnds = false;

export function startExpressions(): void {
  colonEnds = 0;
  inEnds = false;
}

/** Inside brackets, all that holds outside is forgotten. */
export function inside<T>(read: () => T): T {
  const before = colonEnds;
  const wasEnd = inEnds;
  colonEnds = 0;
  inEnds = false;
  const made = read();
  colonEnds = before;
  inEnds = wasEnd;
  return made;
}

// Without closures: nearly all of a pack stands inside brackets.
export function listInside(close: ts.SyntaxKind, item: () => Tree): Trees {
  const before = colonEnds;
  const wasEnd = inEnds;
  colonEnds = 0;
  inEnds = false;
  const made = commaSeparated(close, item);
  colonEnds = before;
  inEnds = wasEnd;
  return made;
}

export function insideFunction<T>(async: boolean, read: () => T): T {
  const before = colonEnds;
  const wasEnd = inEnds;
  colonEnds = 0;
  inEnds = false;
  const made = within(async, read);
  colonEnds = before;
  inEnds = wasEnd;
  return made;
}

export function beforeIn<T>(read: () => T): T {
  inEnds = true;
  const made = read();
  inEnds = false;
  return made;
}

export function beforeColon<T>(read: () => T): T {
  colonEnds++;
  const made = read();
  colonEnds--;
  return made;
}
