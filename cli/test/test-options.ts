// The call of `pack-auth test`, read and checked.
import { defined } from "../../protocol/defined.ts";
import { readOptions, type VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";
import { UsageError } from "../usage-error.ts";

export const TEST_FORMATS = ["pretty", "json", "junit"] as const;

export interface TestCall {
  readonly paths: readonly string[];
  readonly format: (typeof TEST_FORMATS)[number];
  readonly update: boolean;
  readonly account?: string;
  /** Recordings of real accounts are saved unseen. */
  readonly isAgreed: boolean;
  readonly node?: string;
  readonly workspaceEsbuild: boolean;
}

const TEST = {
  usage: "test [paths…] [options]",
  about: `Runs saved tests again, with the recorded answers in place of the network and a credential that is made up. Paths are files that end in
.packauth.json, folders or globs; the default is the current folder. pack-auth run … --save-test makes one.`,
  options: {
    format: { argument: TEST_FORMATS.join("|"), help: "how to report (default: pretty)" },
    update: { help: "record the tests again: this opens the network, or the sandbox where a test was recorded there" },
    account: { argument: "LABEL", help: "with --update: which account" },
    yes: { help: "with --update: save the recordings of real accounts without showing them first" },
    ...ENTRY_OPTIONS,
  },
  more: `Nothing is sent, and no name is looked up, without --update. What may be another each time is named in the test's "volatile".

Exit code: 0 all passed, 1 some failed, 2 the call is wrong or a file cannot be read, 130 it was stopped.

Examples:
  pack-auth test
  pack-auth test tests/GetTask.packauth.json --update
  pack-auth test --format junit > pack-auth.xml
`,
} as const satisfies VerbHelp;

/** Undefined where help was asked for and printed. Throws UsageError. */
export function readTestCall(args: readonly string[]): TestCall | undefined {
  const options = readOptions(TEST, args);
  if (options === undefined) return undefined;
  const { values, positionals } = options;
  const format = TEST_FORMATS.find((name) => name === (values.format ?? "pretty"));
  if (format === undefined) throw new UsageError(`--format takes ${TEST_FORMATS.slice(0, -1).join(", ")} or junit, not ${values.format}.`);
  if (values.account !== undefined && values.update !== true)
    throw new UsageError("Leave out --account: a test runs with a credential that is made up, unless --update records it again.");
  return {
    paths: positionals,
    format,
    update: values.update === true,
    isAgreed: values.yes === true,
    workspaceEsbuild: values["workspace-esbuild"] === true,
    ...defined({ account: values.account, node: values.node }),
  };
}
