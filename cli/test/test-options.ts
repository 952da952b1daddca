// The help text of `pack-auth test`, and which of its options contradict each other.
import { operationHelp } from "../operation-verb.ts";
import type { OptionSpecs, Values } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  format: {
    argument: "FORMAT",
    choices: ["pretty", "json", "junit", "github", "sarif"],
    help: "pretty (default), json, junit, github or sarif",
  },
  "junit-file": { argument: "PATH", help: "also write the report as JUnit to this file" },
  update: { help: "record the tests again, with the network, or with the sandbox if a test was recorded there" },
  live: { help: "send the requests for real, and compare the shapes of the answers with the recorded ones" },
  actions: { help: "with --live: also run tests that send POST and other methods, which may change data" },
  account: { argument: "LABEL", help: "with --update or --live: the account to use" },
  yes: { help: "with --update: save the recordings of real accounts without showing them first" },
  ...ENTRY_OPTIONS,
} as const satisfies OptionSpecs;

export type TestValues = Values<typeof options>;

export const testHelp = {
  usage: "test [paths…] [options]",
  options,
  more: `Without --update and --live nothing is sent. Values that change each time are named in the test's "volatile".
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
export const TEST = operationHelp("testReplay", testHelp);

/** Throws UsageError. */
export function checkTestValues({ format, update, live, actions, account, "junit-file": junitFile }: TestValues): void {
  if (junitFile === "") throw new UsageError("--junit-file needs the path of a file.");
  if (live && update) throw new UsageError("Remove --live or --update. --live compares with the recordings, which --update replaces.");
  if (actions && !live) throw new UsageError("Remove --actions, or add --live. Without it nothing is sent.");
  if (format === "sarif" && !live) throw new UsageError("Add --live, or choose another format. SARIF reports what changed in an API.");
  if (account !== undefined && !update && !live)
    throw new UsageError(
      "Remove --account, or add --update or --live. A test runs with an invented credential, unless it is sent for real.",
    );
}
