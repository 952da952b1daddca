// Shows prompts one after the other, with a way back (product.md "Connecting"). No action with outside effects may happen between two of
// them.
import type { Back } from "../host.ts";

/** The result of a step that the person went back from. */
export const BACK = Symbol("back");

/** Runs a step with a way back from it. Returns the step's result, or BACK if the person went back. */
export async function orBack<T>(step: (back: Back) => Promise<T>): Promise<T | typeof BACK> {
  let isBack = false;
  const result = await step(() => {
    isBack = true;
  });
  return isBack ? BACK : result;
}

/** Returns undefined if the person cancelled or went back. */
type Ask = (entered: string | undefined, back: Back | undefined) => Promise<string | undefined>;

/**
 * Returns the answers to all prompts, or undefined if the person cancelled or went back from the first one.
 * `entered` stores the answers for another attempt; `at` is the index of the first prompt.
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
