// Of a name that is assigned again: which of its assignments may be the one that counts where the name is used. Told by places alone, so
// it is about order: what always comes before the use, what may come between, and what a loop or another function brings back.
import type { Span, Value } from "./model.ts";

/** What an assignment gives to a name. Its offset is the assignment's end: what it is made of still sees the value before. */
export interface Definition {
  readonly offset: number;
  readonly value: Value;
  /** The innermost part around it that may be left out. Behind the assignment in that part, it has been made. */
  readonly region: Span;
  /** Of one of two branches: the condition that has both, and the innermost part around that. */
  readonly branch?: { readonly of: Span; readonly region: Span };
  /** The block at whose end the function is left: nothing behind that sees it. */
  readonly reach: Span;
  /** The loops around it. */
  readonly loops: readonly Span[];
  /** The function that it stands in. */
  readonly body: Span;
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
  /** What both branches of a condition give is given, whichever is taken. */
  const isReplaced = ({ branch, region, offset: from }: Definition): boolean =>
    branch !== undefined &&
    from <= offset &&
    holds(branch.region, offset) &&
    !holds(branch.of, offset) &&
    all.some((other) => other.branch?.of.start === branch.of.start && other.region.start !== region.start);
  const from = all.reduce((latest, one) => (isReplaced(one) ? Math.max(latest, one.branch?.of.start ?? 0) : latest), last?.offset ?? -1);
  const isBroughtBack = ({ loops }: Definition): boolean =>
    loops.some(
      (loop) =>
        holds(loop, offset) &&
        !(from >= 0 && holds(loop, from)) &&
        // A name that the loop's body declares begins anew each time.
        !(loop.start < scope.start && scope.end <= loop.end),
    );
  const counts = (one: Definition): boolean => {
    // Another function may be called at any time.
    if (!holds(one.body, offset)) return true;
    const isSameFunction = one.body.start === inside.start;
    if (one.offset > offset) return !isSameFunction || isBroughtBack(one);
    return one.offset >= from && (!isSameFunction || holds(one.reach, offset));
  };
  return { definitions: all.filter(counts), declared: from < 0 };
}
