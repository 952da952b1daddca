// Of a name that is assigned again: which of its assignments may be the one that counts where the name is used. Told by places alone, so
// it is about order: what always comes before the use, what may come between, and what a loop or another function brings back.
import type { Span, Value } from "./model.ts";

/** What an assignment gives to a name. Its offset is the assignment's end: what it is made of still sees the value before. */
export interface Definition {
  readonly offset: number;
  readonly value: Value;
  /** The innermost part around it that may be left out. Behind the assignment in that part, it has been made. */
  readonly region: Span;
  /** Where the region is a branch of a statement that takes one of them in any case: that one, then the one whose branch that is, and so on. */
  readonly branches: readonly Branching[];
  /** The block at whose end the function is left: nothing behind that sees it. */
  readonly reach: Span;
  /** The loops around it. */
  readonly loops: readonly Span[];
  /** The function that it stands in. */
  readonly body: Span;
}

/** A condition with both branches, a switch with a default, a try with a catch. */
export interface Branching {
  readonly of: Span;
  /** The branches by which what follows is come to. */
  readonly ways: readonly Span[];
  /** The innermost part around it that may be left out. */
  readonly region: Span;
}

export interface Reaching {
  readonly definitions: readonly Definition[];
  /** What the name is declared with may still be what it stands for. */
  readonly declared: boolean;
}

const holds = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/** The definitions of a name that may count at the offset, in the function that it lies in; `scope` is where the name is declared. */
export function definitionsAt(all: readonly Definition[], offset: number, inside: Span, scope: Span): Reaching {
  let last: Definition | undefined;
  for (const one of all)
    if (one.offset <= offset && holds(one.region, offset) && (last === undefined || one.offset > last.offset)) last = one;
  const from = Math.max(last?.offset ?? -1, latestReplacement(all, offset));
  const isBroughtBack = ({ loops }: Definition): boolean =>
    loops.some(
      (loop) =>
        holds(loop, offset) &&
        !(from >= 0 && holds(loop, from)) &&
        // A name that the loop's body declares begins anew each time.
        !(loop.start < scope.start && scope.end <= loop.end),
    );
  /** By the next call of the function, where the name is not the function's own. */
  const isFoundAgain = ({ body }: Definition): boolean => scope.start < body.start && from < body.start;
  const counts = (one: Definition): boolean => {
    // Another function may be called at any time.
    if (!holds(one.body, offset)) return true;
    const isSameFunction = one.body.start === inside.start;
    if (one.offset > offset) return !isSameFunction || isBroughtBack(one) || isFoundAgain(one);
    return one.offset >= from && (!isSameFunction || holds(one.reach, offset));
  };
  return { definitions: all.filter(counts), declared: from < 0 };
}

/** Where the last statement begins that gives something to the name before the offset, whichever of its branches is taken; -1 for none. */
function latestReplacement(all: readonly Definition[], offset: number): number {
  /** By the start of a statement, the starts of the branches in which the name is given something. */
  const taken = new Map<number, Set<number>>();
  let latest = -1;
  for (const { offset: end, region, branches } of all) {
    let inside = region;
    for (const { of, ways, region: around } of end <= offset ? branches : []) {
      const starts = taken.get(of.start) ?? new Set();
      taken.set(of.start, starts.add(inside.start));
      if (!ways.every(({ start }) => starts.has(start))) break;
      if (holds(around, offset) && !holds(of, offset)) latest = Math.max(latest, of.start);
      inside = around;
    }
  }
  return latest;
}
