// Reads and checks the options of `pack-auth test`.
import { defined } from "../../base/defined.ts";
import { choiceOf, readOptions, type VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";

const TEST_FORMATS = ["pretty", "json", "junit", "github", "sarif"] as const;

export interface TestCall {
  readonly paths: readonly string[];
  readonly format: (typeof TEST_FORMATS)[number];
  /** Path of a JUnit file, written in addition to the report in {@link format}. */
  readonly junitFile?: string;
  readonly update: boolean;
  /** Sends the requests for real, and compares the shapes of the answers. */
  readonly live: boolean;
  /** With {@link live}: sends methods other than GET and HEAD, too. */
  readonly actions: boolean;
  readonly account?: string;
  /** Saves recordings of real accounts without showing them first. */
  readonly isAgreed: boolean;
  readonly node?: string;
  readonly workspaceEsbuild: boolean;
}

export const TEST = {
  usage: "test [paths…] [options]",
  about: `Runs saved tests again, with the recorded answers instead of the network, and with an invented credential. Paths are files that end in
.packauth.json, folders or globs. The default is the current folder. pack-auth run … --save-test saves a test.`,
  options: {
    format: { argument: TEST_FORMATS.join("|"), help: "format of the report (default: pretty)" },
    "junit-file": { argument: "PATH", help: "also write the report as JUnit to this file" },
    update: { help: "record the tests again, with the network, or with the sandbox if a test was recorded there" },
    live: { help: "send the requests for real, and compare the shapes of the answers with the recorded ones" },
    actions: { help: "with --live: also run tests that send POST and other methods, which may change data" },
    account: { argument: "LABEL", help: "with --update or --live: the account to use" },
    yes: { help: "with --update: save the recordings of real accounts without showing them first" },
    ...ENTRY_OPTIONS,
  },
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
} as const satisfies VerbHelp;

/** Returns undefined if help was requested, which is then printed. Throws UsageError. */
export function readTestCall(args: readonly string[], terminal: Terminal): TestCall | undefined {
  const options = readOptions(TEST, args, terminal);
  if (options === undefined) return undefined;
  const { values, positionals } = options;
  const format = choiceOf("--format", TEST_FORMATS, values.format);
  if (values["junit-file"] === "") throw new UsageError("--junit-file needs the path of a file.");
  const [update, live, actions] = [values.update === true, values.live === true, values.actions === true];
  if (live && update) throw new UsageError("Remove --live or --update. --live compares with the recordings, which --update replaces.");
  if (actions && !live) throw new UsageError("Remove --actions, or add --live. Without it nothing is sent.");
  if (format === "sarif" && !live) throw new UsageError("Add --live, or choose another format. SARIF reports what changed in an API.");
  if (values.account !== undefined && !update && !live)
    throw new UsageError(
      "Remove --account, or add --update or --live. A test runs with an invented credential, unless it is sent for real.",
    );
  return {
    paths: positionals,
    format,
    update,
    live,
    actions,
    isAgreed: values.yes === true,
    workspaceEsbuild: values["workspace-esbuild"] === true,
    ...defined({ account: values.account, junitFile: values["junit-file"], node: values.node }),
  };
}
