// Which assignments of a name can determine its value at a use. This is decided by places alone, and so by order. The questions are what
// always precedes the use, what may come between, and what a loop or another function repeats.
import type { Definition } from "../../model/mutations.ts";
import type { Span } from "../../model/values.ts";

export interface Reaching {
  readonly definitions: readonly Definition[];
  /** Whether the name may still have its declared value. */
  readonly declared: boolean;
}

const contains = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/** Returns the definitions of a name that may count at the offset, in the function that contains it; `scope` is the scope of the name. */
export function definitionsAt(all: readonly Definition[], offset: number, inside: Span, scope: Span): Reaching {
  let last: Definition | undefined;
  for (const one of all)
    if (one.at.start <= offset && contains(one.region, offset) && (last === undefined || one.at.start > last.at.start)) last = one;
  const from = Math.max(last?.at.start ?? -1, latestReplacement(all, offset));
  const isBroughtBack = ({ loops }: Definition): boolean =>
    loops.some(
      (loop) =>
        contains(loop, offset) &&
        !(from >= 0 && contains(loop, from)) &&
        // A name that the loop's body declares is new in each iteration.
        !(loop.start < scope.start && scope.end <= loop.end),
    );
  /** Whether the next call of the function sees the definition, because the name is declared outside the function. */
  const isReachedAgain = ({ body }: Definition): boolean => scope.start < body.start && from < body.start;
  const counts = (one: Definition): boolean => {
    // Another function may be called at any time.
    if (!contains(one.body, offset)) return true;
    const isSameFunction = one.body.start === inside.start;
    if (one.at.start > offset) return !isSameFunction || isBroughtBack(one) || isReachedAgain(one);
    return one.at.start >= from && (!isSameFunction || contains(one.reach, offset));
  };
  /** Whether code around the function replaces the declared value for certain, later than the function is written. */
  const isReplaced = (one: Definition): boolean =>
    one.at.start > offset && one.body.start !== inside.start && contains(one.body, offset) && contains(one.region, offset);
  return { definitions: all.filter(counts), declared: from < 0 && !all.some(isReplaced) };
}

/** Returns the start of the last statement before the offset that assigns the name in each of its branches; -1 for none. */
function latestReplacement(all: readonly Definition[], offset: number): number {
  /** The starts of the branches that assign the name, by the start of their statement. */
  const branchStarts = new Map<number, Set<number>>();
  let latest = -1;
  for (const { at, region, branches } of all) {
    let inside = region;
    for (const { of, ways, region: around } of at.start <= offset ? branches : []) {
      const starts = branchStarts.get(of.start) ?? new Set();
      branchStarts.set(of.start, starts.add(inside.start));
      if (!ways.every(({ start }) => starts.has(start))) break;
      if (contains(around, offset) && !contains(of, offset)) latest = Math.max(latest, of.start);
      inside = around;
    }
  }
  return latest;
}
