// The help text of `pack-auth test`, and which of its options contradict each other.
import { INPUTS } from "../frame/inputs.ts";
import { inputOptions } from "../frame/operation-inputs.ts";
import { QUIET_OPTION } from "../frame/operation-verb.ts";
import type { OptionSpecs, OptionValues, Values, VerbHelp } from "../frame/options.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { UsageError } from "../terminal/usage-error.ts";

const options = {
  format: {
    argument: "FORMAT",
    choices: ["pretty", "json", "junit", "github", "sarif"],
    help: "pretty (default), json, junit, github or sarif",
  },
  "junit-file": { argument: "PATH", help: "also write the report as JUnit to this file" },
  update: { help: "record the tests again, with the network, or with the sandbox if a test was recorded there" },
  live: { help: "send the requests for real, and compare the shapes of the answers with the recorded ones" },
  ...ENTRY_OPTIONS,
} as const satisfies OptionSpecs;

export type TestSpecs = typeof options;
export type TestValues = Values<TestSpecs>;

const ofOperations = { ...inputOptions(INPUTS.testLive.inputs), ...inputOptions(INPUTS.testRecordAgain.inputs) };

export const TEST: VerbHelp<TestSpecs> = {
  usage: "test [paths…] [options]",
  about: INPUTS.testReplay.about,
  options: { ...ofOperations, ...options, ...QUIET_OPTION },
  more: `Without --update and --live nothing is sent. --account belongs to these two, --yes to --update, and --actions to --live. Values that change each time are named in the test's "volatile".
--live writes nothing, and sends GET and HEAD only, unless --actions is set. --format sarif belongs to it.

Exit code: 0 all passed, 1 some failed, 2 the command is wrong or a file cannot be read, 130 it was stopped.
With --live: 0 unchanged or not tried, 1 something changed, 3 something could not be compared, such as after 429.

Examples:
  pack-auth test
  pack-auth test tests/GetTask.packauth.json --update
  pack-auth test --junit-file pack-auth.xml
  pack-auth test --live --format sarif > pack-auth.sarif
`,
};

/** Throws UsageError. */
export function checkTestValues({ format, update, live, "junit-file": junitFile, ...values }: TestValues): void {
  const { actions, account } = values as OptionValues["values"];
  if (junitFile === "") throw new UsageError("--junit-file needs the path of a file.");
  if (live && update) throw new UsageError("Remove --live or --update. --live compares with the recordings, which --update replaces.");
  if (actions && !live) throw new UsageError("Remove --actions, or add --live. Without it nothing is sent.");
  if (format === "sarif" && !live) throw new UsageError("Add --live, or choose another format. SARIF reports what changed in an API.");
  if (account !== undefined && !update && !live)
    throw new UsageError(
      "Remove --account, or add --update or --live. A test runs with an invented credential, unless it is sent for real.",
    );
}
