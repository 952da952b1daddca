// Reads and checks the options of `pack-auth check`.
import { defined } from "../../base/defined.ts";
import type { Severity } from "../../server/analysis/model/findings.ts";
import { readOptions, type VerbHelp } from "../frame/options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";

export const FORMATS = ["pretty", "json", "sarif", "github"] as const;

/** The values of `--level`, the mildest first. */
const LEVEL_NAMES = ["note", "warning", "error"] as const;
export const LEVELS: Readonly<Record<(typeof LEVEL_NAMES)[number], readonly Severity[]>> = {
  note: ["error", "warning", "information"],
  warning: ["error", "warning"],
  error: ["error"],
};

export interface CheckOptions {
  readonly paths: readonly string[];
  readonly format: (typeof FORMATS)[number];
  readonly fix: boolean;
  readonly maxWarnings: number;
  /** Milder findings are counted, but not reported. */
  readonly level: keyof typeof LEVELS;
  /** The path that the source from standard input is checked as. */
  readonly stdin?: string;
  /** Also reports what this person's sign-ins and runs showed. */
  readonly evidence: boolean;
  /** Path of a SARIF file, written in addition to the report in {@link format}. */
  readonly sarifFile?: string;
}

export const CHECK = {
  usage: "check [paths…] [options]",
  about: `Flags mistakes in the authentication of packs. Paths are files, folders or globs. The default is the current folder.
It skips node_modules, hidden folders, files that git ignores, and files in "ignore" of a .packauthrc.json.`,
  options: {
    format: { argument: FORMATS.join("|"), choices: FORMATS, help: "format of the report (default: pretty)" },
    "sarif-file": { argument: "PATH", help: "also write the report as SARIF to this file" },
    fix: { help: 'make the same fixes as "Fix all" in the editor, and report what is left' },
    "max-warnings": { argument: "N", help: "fail if there are more warnings (default: unlimited)" },
    level: {
      argument: LEVEL_NAMES.join("|"),
      choices: LEVEL_NAMES,
      help: "report only findings of this level and above (default: note); all are counted",
    },
    stdin: {
      help: "check standard input as the file --stdin-filepath; with --fix the fixed source goes to\nstandard output, and the report to standard error",
    },
    "stdin-filepath": { argument: "PATH", help: "the path to use for standard input" },
    evidence: { help: "also report what pack-auth connect and pack-auth run showed" },
  },
  more: `Exit code: 0 no error, 1 errors (or too many warnings), 2 the command is wrong, or something cannot be checked.

Examples:
  pack-auth check
  pack-auth check packs "shared/**/*.ts" --max-warnings 0
  pack-auth check --fix
  pack-auth check --sarif-file pack-auth.sarif
  cat pack.ts | pack-auth check --stdin --stdin-filepath pack.ts
`,
} as const satisfies VerbHelp;

/** Returns undefined if help was requested, which is then printed. Throws UsageError. */
export function readCheckOptions(args: readonly string[], terminal: Terminal): CheckOptions | undefined {
  const options = readOptions(CHECK, args, terminal);
  if (options === undefined) return undefined;
  const { values, positionals } = options;
  const limit = values["max-warnings"];
  if (limit !== undefined && !/^\d+$/.test(limit)) throw new UsageError(`--max-warnings must be 0 or more, not ${limit || "nothing"}.`);
  const stdin = values["stdin-filepath"];
  if (values.stdin && stdin === undefined)
    throw new UsageError("Add --stdin-filepath PATH. The path decides which pack and which settings --stdin uses.");
  if (stdin !== undefined && positionals.length > 0)
    throw new UsageError(`Remove ${positionals.join(" ")}. With --stdin-filepath only standard input is checked.`);
  if (stdin === "") throw new UsageError("--stdin-filepath needs the path of a file.");
  if (values["sarif-file"] === "") throw new UsageError("--sarif-file needs the path of a file.");
  return {
    paths: positionals,
    format: values.format,
    level: values.level,
    fix: values.fix === true,
    evidence: values.evidence === true,
    maxWarnings: limit === undefined ? Number.POSITIVE_INFINITY : Number(limit),
    ...defined({ stdin, sarifFile: values["sarif-file"] }),
  };
}
