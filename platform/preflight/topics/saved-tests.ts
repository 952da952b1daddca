// The saved tests of the pack, replayed now without the network.

import { basename } from "node:path";
import { quote } from "../../../base/quote.ts";
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { PackAuthError, wholeMessage } from "../../errors.ts";
import { isSameFile } from "../../files/file-names.ts";
import type { Pack } from "../../process/pack.ts";
import { differenceLines, problemText } from "../../recordings/problem-text.ts";
import { replay } from "../../recordings/replay.ts";
import { targetName } from "../../recordings/saved-test.ts";
import { entryOf, readTestFile } from "../../recordings/test-file.ts";
import type { PreflightFacts } from "../preflight-input.ts";

/** Returns a line for each test that fails, or one for all. */
export async function savedTests({ input, pack }: PreflightFacts): Promise<readonly PreflightLine[]> {
  const failures: PreflightLine[] = [];
  let count = 0;
  for (const path of await input.findTests()) {
    const failure = await failureOf(path, pack, input);
    input.signal.throwIfAborted();
    if (failure === "other pack") continue;
    count++;
    if (failure !== undefined)
      failures.push({
        topic: "saved-tests",
        verdict: "differs-there",
        text: `${basename(path)} fails: ${failure}`,
        action: { kind: "openTest", path },
      });
  }
  if (count === 0)
    return [
      {
        topic: "saved-tests",
        verdict: "never-tried",
        text: "The pack has no saved test. Save a run as a test, which then runs without the network.",
      },
    ];
  if (failures.length > 0) return failures;
  return [{ topic: "saved-tests", verdict: "fits", text: `${count === 1 ? "The saved test passes" : `All ${count} saved tests pass`}.` }];
}

/** Returns what failed; undefined if the test passes. */
async function failureOf(path: string, pack: Pack, { signal, words }: PreflightFacts["input"]): Promise<string | undefined> {
  try {
    const test = readTestFile(path);
    if (!isSameFile(entryOf(path, test), pack.entry)) return "other pack";
    const [problem] = (await replay(pack, test, { signal })).problems;
    if (problem === undefined) return undefined;
    const { message, differences } = problemText(problem);
    const [difference] = differences.flatMap(differenceLines);
    return `${targetName(test.target)}: ${message}${difference === undefined ? "" : ` ${quote(difference)}`}`;
  } catch (error) {
    if (error instanceof PackAuthError) return wholeMessage(error, words);
    throw error;
  }
}
