// Questions one after the other, and back (product.md "Connecting"). What was done outside lies between no two of them.
import type { Back } from "../host.ts";

/** What a step gives that the person went back from. */
export const BACK = Symbol("back");

/** What comes of a step, which is given the way back from it. */
export async function orBack<T>(step: (back: Back) => Promise<T>): Promise<T | typeof BACK> {
  let isBack = false;
  const result = await step(() => {
    isBack = true;
  });
  return isBack ? BACK : result;
}

/** Undefined: cancelled, or gone back. */
type Ask = (entered: string | undefined, back: Back | undefined) => Promise<string | undefined>;

/**
 * The answers to all; undefined where the person cancelled, or went back from the first one. `entered` keeps what was answered, for
 * another time; `at` is the question to begin with.
 */
export async function inOrder(
  questions: readonly Ask[],
  back: Back | undefined,
  entered: string[] = [],
  at = 0,
): Promise<readonly string[] | undefined> {
  for (let index = at; ; ) {
    const ask = questions[index];
    if (ask === undefined) return entered;
    const reply = await orBack((toFormer) => ask(entered[index], index === 0 ? back : toFormer));
    if (reply === undefined) return undefined;
    if (reply === BACK) index--;
    else entered[index++] = reply;
  }
}
