// The options of `pack-auth preflight`.
import { UPLOAD_VERDICTS, type UploadVerdict } from "../../protocol/verdict.ts";
import type { VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";
import { UsageError } from "../usage-error.ts";

export const PREFLIGHT_FORMATS = ["pretty", "json", "sarif"] as const;
export type PreflightFormat = (typeof PREFLIGHT_FORMATS)[number];

/** The same that make `check` exit with 1, except for what an author may get approved. */
const DEFAULT_FAIL_ON: readonly UploadVerdict[] = ["will-be-rejected", "fails-when-run"];

/** Returns the verdicts that the option `--fail-on` names. Throws UsageError. */
export function failingVerdicts(value: string | undefined): readonly UploadVerdict[] {
  if (value === undefined) return DEFAULT_FAIL_ON;
  return value.split(",").map((name) => {
    const verdict = UPLOAD_VERDICTS.find((each) => each === name.trim());
    if (verdict === undefined)
      throw new UsageError(`--fail-on takes ${UPLOAD_VERDICTS.join(", ")}, separated by commas, not ${name || "nothing"}.`);
    return verdict;
  });
}

export const PREFLIGHT = {
  usage: "preflight <pack> [options]",
  about: `Says what will become of the pack on the platform, one line for each thing that decides it: what the upload's validator says, what
needs approval, what has to be entered there, and what was never tried. Nothing is sent, and no credential is needed.
<pack> is the file that builds the pack, or its folder.`,
  options: {
    format: { argument: PREFLIGHT_FORMATS.join("|"), help: "format of the report (default: pretty)" },
    "fail-on": {
      argument: "VERDICTS",
      help: `which verdicts make it exit with 1, separated by commas: ${UPLOAD_VERDICTS.join(", ")}\n(default: ${DEFAULT_FAIL_ON.join(",")})`,
    },
    ...ENTRY_OPTIONS,
  },
  more: `What was never tried on this machine, and accounts that cannot be read, do not change the exit code.

Exit code: 0 nothing has a verdict of --fail-on, 1 something has, 2 the command is wrong, 3 the pack could not be judged,
130 it was stopped.

Examples:
  pack-auth preflight .
  pack-auth preflight . --fail-on will-be-rejected,needs-approval,fails-when-run,not-judged
  pack-auth preflight pack.ts --format sarif > preflight.sarif
`,
} as const satisfies VerbHelp;
