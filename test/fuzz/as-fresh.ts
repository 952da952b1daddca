// What analysis says after each step of an input, held against what a fresh analysis says of the same texts in another process.
import assert from "node:assert/strict";
import { digestOf } from "./answer.ts";
import { askReference, type Question } from "./reference.ts";

export interface Step {
  /** What analysis says. */
  readonly description: string;
  readonly question: Question;
  /** How it came to that, for reports. */
  readonly story: string;
}

/** Throws an error that holds the story of the first step whose answers differ. */
export async function assertAsFresh(steps: readonly Step[]): Promise<void> {
  const results = await askReference(steps.map(({ question }) => question));
  for (const [index, { description, question, story }] of steps.entries()) {
    const result = results[index];
    try {
      assert.ok(result, "there is an answer");
      if (result.digest !== digestOf(description)) {
        const [whole] = await askReference([{ ...question, whole: true }]);
        assert.deepEqual(JSON.parse(description), JSON.parse(whole?.text ?? "null"));
        assert.fail("the other process says something else each time");
      }
    } catch (error) {
      throw new Error(story, { cause: error });
    }
  }
}
