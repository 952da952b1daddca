// Reads and checks the options of `pack-auth test`.
import { defined } from "../../base/defined.ts";
import { choiceOf, readOptions, type VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";
import { UsageError } from "../usage-error.ts";

const TEST_FORMATS = ["pretty", "json", "junit", "github"] as const;

export interface TestCall {
  readonly paths: readonly string[];
  readonly format: (typeof TEST_FORMATS)[number];
  /** Path of a JUnit file, written in addition to the report in {@link format}. */
  readonly junitFile?: string;
  readonly update: boolean;
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
    account: { argument: "LABEL", help: "with --update: the account to use" },
    yes: { help: "with --update: save the recordings of real accounts without showing them first" },
    ...ENTRY_OPTIONS,
  },
  more: `Without --update nothing is sent. Values that change each time are named in the test's "volatile".

Exit code: 0 all passed, 1 some failed, 2 the command is wrong or a file cannot be read, 130 it was stopped.

Examples:
  pack-auth test
  pack-auth test tests/GetTask.packauth.json --update
  pack-auth test --junit-file pack-auth.xml
`,
} as const satisfies VerbHelp;

/** Returns undefined if help was requested, which is then printed. Throws UsageError. */
export function readTestCall(args: readonly string[]): TestCall | undefined {
  const options = readOptions(TEST, args);
  if (options === undefined) return undefined;
  const { values, positionals } = options;
  const format = choiceOf("--format", TEST_FORMATS, values.format);
  if (values["junit-file"] === "") throw new UsageError("--junit-file needs the path of a file.");
  if (values.account !== undefined && values.update !== true)
    throw new UsageError("Remove --account, or add --update. A test runs with an invented credential, unless it is recorded again.");
  return {
    paths: positionals,
    format,
    update: values.update === true,
    isAgreed: values.yes === true,
    workspaceEsbuild: values["workspace-esbuild"] === true,
    ...defined({ account: values.account, junitFile: values["junit-file"], node: values.node }),
  };
}
