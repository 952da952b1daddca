// Goes through saved tests, one after the other.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { type SavedTest, TEST_ENDING, targetName } from "../../platform/recordings/saved-test.ts";
import { ownEntryOf, readTestFile } from "../../platform/recordings/test-file.ts";
import type { NextStep } from "../../protocol/next-step.ts";
import { input } from "../inputs.ts";
import { shownPath } from "../inside.ts";
import type { Observer } from "../observer.ts";
import type { World } from "../world.ts";
import type { TestOutcome, TestResult } from "./test-result.ts";

export const testsInput = input(
  z.array(z.string()).default([]),
  `Files that end in ${TEST_ENDING}, folders or globs. By default the folder of the host.`,
  { place: "words" },
);

/**
 * Returns the outcome of each test; each pack is built only once. `work` says what a test that could be read does. An error fails its test
 * with `failedStatus`, so that the others still run. Throws invalid-parameter if there are no tests.
 */
export async function eachTest(
  paths: readonly string[],
  world: World,
  { step, part }: Observer<TestResult>,
  failedStatus: "failed" | "inconclusive",
  work: (pack: Pack, test: SavedTest, file: string) => Promise<TestOutcome>,
): Promise<readonly TestResult[]> {
  const files = new Set(await world.findTests(paths.length === 0 ? ["."] : paths));
  if (files.size === 0)
    throw new PackAuthError("invalid-parameter", `No file there ends in ${TEST_ENDING}.`, {
      field: "paths",
      hint: "Run a formula, and save the run as a test.",
    });
  const packs = new Map<string, Promise<Pack>>();
  const results: TestResult[] = [];
  for (const file of files) {
    if (world.signal.aborted) break;
    const path = shownPath(world.folder, file);
    step(path);
    const startedAt = Date.now();
    let name = "";
    let outcome: TestOutcome;
    try {
      const test = readTestFile(testAt(world, file));
      name = targetName(test.target);
      const entry = world.entryOf(ownEntryOf(file, test, world.folder));
      outcome = await work(await getOrInsert(packs, entry, () => world.openPack(entry)), test, file);
    } catch (error) {
      outcome = outcomeOfError(error, failedStatus);
    }
    if (world.signal.aborted) break;
    const problems = outcome.problems.map(({ nextStep, ...each }) => ({
      ...each,
      message: wholeMessage({ ...each, nextStep }, world.words),
    }));
    const result = { path, name, duration: Date.now() - startedAt, status: outcome.status, problems };
    results.push(result);
    part(result);
  }
  return results;
}

/** Returns the path of a saved test. Errors quote the text of a broken test, so no file of another kind is read, such as .env. */
function testAt({ pathOf }: World, file: string): string {
  const path = pathOf(file);
  if (path.endsWith(TEST_ENDING)) return path;
  throw new PackAuthError("test-invalid", "The file is no saved test.", { hint: `The name of a saved test ends with ${TEST_ENDING}.` });
}

function outcomeOfError(error: unknown, failedStatus: "failed" | "inconclusive"): TestOutcome {
  const outcome = (status: TestOutcome["status"], message: string, nextStep?: NextStep): TestOutcome => ({
    status,
    problems: [{ message, differences: [], ...defined({ nextStep }) }],
  });
  if (error instanceof PackAuthError)
    return outcome(error.code === "test-invalid" ? "unreadable" : failedStatus, wholeMessage(error), error.nextStep);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return outcome(failedStatus, `Please report this: it is a bug in Pack Auth. ${stack}`);
}
