// Regular expressions run over what strangers wrote: sources, settings, answers of servers. None takes more than linear time.
import assert from "node:assert/strict";
import {
  CANNOT_FAIL,
  isBounded,
  judge,
  judgedBefore,
  keepJudged,
  ONCE_A_STRETCH,
  patternsInSource,
} from "../../support/judged-patterns.ts";
import { processorTime } from "../../support/processor-time.ts";

describe("regular expressions of the product", function () {
  // A hang guard: a new one may take a while to be judged.
  this.timeout(300_000);
  const all = patternsInSource();

  it("patterns are found in the source", () => assert.ok(all.length > 300, `${all.length}`));

  it("patterns take linear time, as recheck judges", async () => {
    const judged = process.env.PACK_AUTH_ALL_PATTERNS === undefined ? judgedBefore() : new Set<string>();
    const faults: string[] = [];
    const safe: string[] = [];
    for (const { text, places } of all) {
      if (isBounded(text) || CANNOT_FAIL.includes(text) || text in ONCE_A_STRETCH) continue;
      const fault = judged.has(text) ? undefined : await judge(text);
      if (fault === undefined) safe.push(text);
      else faults.push(`${text} (${places.join(", ")}): ${fault}`);
    }
    assert.deepEqual(faults, []);
    if (process.env.TESTS_KEEP_PATTERNS !== undefined) keepJudged(safe);
    // A judge that guesses may say otherwise the next time.
    const listed = judgedBefore();
    const unlisted = safe.filter((text) => !listed.has(text));
    assert.deepEqual(unlisted, [], "TESTS_KEEP_PATTERNS=1 npx mocha test/analysis/limits/linear-patterns.test.ts writes them down");
  });

  it("patterns that we judge ourselves take linear time", () => {
    const comments = ["\t/**/\t", "/*", "// a\n", "/* a", " ", "/**/ // \n", "*/"];
    const pumped = [...CANNOT_FAIL.map((text) => [text, comments] as const), ...Object.entries(ONCE_A_STRETCH)];
    for (const [text, pumps] of pumped) {
      const end = text.lastIndexOf("/");
      for (const pump of pumps) {
        const pattern = new RegExp(text.slice(1, end), text.slice(end + 1));
        const startTime = processorTime();
        pattern.exec(`${pump.repeat(200_000)}\0`);
        // A hang guard, no measurement.
        assert.ok(processorTime() - startTime < 2_000, `${text} over ${pump}`);
      }
    }
  });
});
