// Runs saved tests again without the network.
import { testReplay as operation } from "../../operations/tests/replay.ts";
import { outputTool } from "../operation-tool.ts";
import { fromOutside, jsonFromOutside, OUTSIDE_NOTE, sentences } from "../outside.ts";

const MOST_PROBLEMS = 20;
const LONGEST_VALUE = 2_000;

export const test = outputTool(operation, {
  title: "Run saved tests",
  note: `Save a run as a test with run and saveTest. ${OUTSIDE_NOTE}`,
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: false,
  output(results) {
    const tests = results.map(({ path, name: target, status, problems }) => ({
      path,
      target,
      passed: status === "passed",
      problems: problems.slice(0, MOST_PROBLEMS).map(({ differences, message }) => ({
        message: sentences(message),
        differences: differences.map(({ at, recorded, now }) => ({
          at: fromOutside(at),
          recorded: jsonFromOutside(recorded, LONGEST_VALUE),
          now: jsonFromOutside(now, LONGEST_VALUE),
        })),
      })),
    }));
    const passed = tests.filter((each) => each.passed).length;
    return { passed, failed: tests.length - passed, tests };
  },
});
