// What analysis says after each step of an input, held against what a fresh analysis says of the same texts in another process.
import assert from "node:assert/strict";
import { digestOf } from "./answer.ts";
import { askReference, type Question } from "./reference.ts";

export interface Step {
  /** What analysis says. */
  readonly found: string;
  readonly question: Question;
  /** How it came to that, for reports. */
  readonly story: string;
}

/** Throws an error that holds the story of the first step whose answers differ. */
export async function assertAsFresh(steps: readonly Step[]): Promise<void> {
  const answers = await askReference(steps.map(({ question }) => question));
  for (const [index, { found, question, story }] of steps.entries()) {
    const answer = answers[index];
    try {
      assert.ok(answer, "there is an answer");
      if (answer.digest !== digestOf(found)) {
        const [whole] = await askReference([{ ...question, whole: true }]);
        assert.deepEqual(JSON.parse(found), JSON.parse(whole?.text ?? "null"));
        assert.fail("the other process says something else each time");
      }
    } catch (error) {
      throw new Error(story, { cause: error });
    }
  }
}
