// Of a name that is assigned again: which of its assignments may be the one that counts where the name is used. Decided by places alone, so
// it is about order: what always comes before the use, what may come between, and what a loop or another function brings back.
import type { Definition } from "../../model/mutations.ts";
import type { Span } from "../../model/values.ts";

export interface Reaching {
  readonly definitions: readonly Definition[];
  /** What the name is declared with may still be what it stands for. */
  readonly declared: boolean;
}

const contains = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/** The definitions of a name that may count at the offset, in the function that it lies in; `scope` is where the name is declared. */
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
        // A name that the loop's body declares begins anew each time.
        !(loop.start < scope.start && scope.end <= loop.end),
    );
  /** By the next call of the function, where the name is not the function's own. */
  const isReachedAgain = ({ body }: Definition): boolean => scope.start < body.start && from < body.start;
  const counts = (one: Definition): boolean => {
    // Another function may be called at any time.
    if (!contains(one.body, offset)) return true;
    const isSameFunction = one.body.start === inside.start;
    if (one.at.start > offset) return !isSameFunction || isBroughtBack(one) || isReachedAgain(one);
    return one.at.start >= from && (!isSameFunction || contains(one.reach, offset));
  };
  return { definitions: all.filter(counts), declared: from < 0 };
}

/** Where the last statement begins that gives something to the name before the offset, whichever of its branches is taken; -1 for none. */
function latestReplacement(all: readonly Definition[], offset: number): number {
  /** By the start of a statement, the starts of the branches in which the name is assigned to. */
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
