// Questions one after the other, and back (product.md "Connecting"). What was done outside lies between no two of them.
import type { Back } from "../host.ts";

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
    let isBack = false;
    const goBack = (): void => {
      isBack = true;
    };
    const answer = await ask(entered[index], index === 0 ? back : goBack);
    if (answer !== undefined) entered[index++] = answer;
    else if (isBack) index--;
    else return undefined;
  }
}
