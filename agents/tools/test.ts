// Runs saved tests again without the network.
import { z } from "zod";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { pathInside, shownPath } from "../../operations/inside.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { problemText } from "../../platform/recordings/problem-text.ts";
import { replay } from "../../platform/recordings/replay.ts";
import { TEST_ENDING, targetName } from "../../platform/recordings/saved-test.ts";
import { ownEntryOf, readTestFile } from "../../platform/recordings/test-file.ts";
import type { AgentHost } from "../agent-host.ts";
import { agentTool } from "../agent-tool.ts";
import { fromOutside, jsonFromOutside, outsideText } from "../outside.ts";

const MOST_PROBLEMS = 20;
const LONGEST_VALUE = 2_000;

const difference = z.strictObject({ at: outsideText, recorded: outsideText, now: outsideText });

export const test = agentTool({
  title: "Run saved tests",
  description:
    "Runs saved tests (*.packauth.json) again with their recorded responses. Sends nothing. Save a run as a test with run and saveTest.",
  input: z.strictObject({ paths: z.array(z.string()).max(1_000).default(["."]).describe("Files or folders. By default all saved tests.") }),
  output: z.strictObject({
    passed: z.int(),
    failed: z.int(),
    tests: z.array(
      z.strictObject({
        path: z.string(),
        target: z.string().describe("What the test runs; empty if the file cannot be read."),
        passed: z.boolean(),
        problems: z.array(z.strictObject({ message: outsideText, differences: z.array(difference) })),
      }),
    ),
  }),
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ paths }, { session: { host }, signal, progress }) {
    const files = new Set(await host.findTests(paths.map((path) => pathInside(host.folder, path))));
    if (files.size === 0)
      throw new PackAuthError("test-invalid", "There are no saved tests there.", { hint: "Save one: call run with saveTest." });
    const packs = new Map<string, Promise<Pack>>();
    const tests = [];
    try {
      for (const file of files) {
        if (signal.aborted) break;
        progress(shownPath(host.folder, file));
        tests.push(await runTest(file, host, packs, signal));
      }
    } finally {
      for (const pack of packs.values()) pack.then((each) => each.dispose()).catch(() => {});
    }
    const passed = tests.filter((each) => each.passed).length;
    return { passed, failed: tests.length - passed, tests };
  },
});

/** Returns the outcome of one test. A test that cannot be read or run has failed. */
async function runTest(file: string, host: AgentHost, packs: Map<string, Promise<Pack>>, signal: AbortSignal) {
  const path = shownPath(host.folder, file);
  let target = "";
  try {
    const test = readTestFile(testInside(host.folder, file));
    target = targetName(test.target);
    const entry = pathInside(host.folder, ownEntryOf(file, test, host.folder));
    const pack = await getOrInsert(packs, entry, () => host.openPack(entry));
    const { problems } = await replay(pack, test, { signal });
    return {
      path,
      target,
      passed: problems.length === 0,
      problems: problems
        .slice(0, MOST_PROBLEMS)
        .map(problemText)
        .map(({ message, differences }) => ({
          message: fromOutside(message),
          differences: differences.map(({ at, recorded, now }) => ({
            at: fromOutside(at),
            recorded: jsonFromOutside(recorded, LONGEST_VALUE),
            now: jsonFromOutside(now, LONGEST_VALUE),
          })),
        })),
    };
  } catch (error) {
    if (!(error instanceof PackAuthError)) throw error;
    return { path, target, passed: false, problems: [{ message: fromOutside(wholeMessage(error)), differences: [] }] };
  }
}

/** Returns the real path of a saved test. Errors quote the text of a broken test, so no file of another kind is read, such as .env. */
function testInside(folder: string, file: string): string {
  const real = pathInside(folder, file);
  if (real.endsWith(TEST_ENDING)) return real;
  throw new PackAuthError("test-invalid", "The file is no saved test.", { hint: `The name of a saved test ends with ${TEST_ENDING}.` });
}
