// Runs saved tests again without a network.
import { z } from "zod";
import { problemText } from "../../platform/recordings/problem-text.ts";
import { replay } from "../../platform/recordings/replay.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";
import { eachTest, testsInput } from "./each-test.ts";
import type { TestResult } from "./test-result.ts";

export const testReplay = operation({
  about: "Runs saved tests again, with the recorded answers instead of the network, and with an invented credential. Nothing is sent.",
  input: z.strictObject({ paths: testsInput }),
  missing: {},
  run: ({ paths }, world, _person, observer: Observer<TestResult>) =>
    eachTest(paths, world, observer, "failed", async (pack, test) => {
      const { problems } = await replay(pack, test, { signal: world.signal });
      return { status: problems.length === 0 ? "passed" : "failed", problems: problems.map(problemText) };
    }),
});
