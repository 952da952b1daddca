// `pack-auth preflight`: what will become of the pack on the platform. Nothing is sent, and no secret is read but the state of accounts.
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import { isJudged } from "../../protocol/preflight.ts";
import { UPLOAD_VERDICTS, type UploadVerdict } from "../../protocol/verdict.ts";
import { operationVerb, writeJson } from "../frame/operation-verb.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { checkoutRoot } from "../terminal/workflow.ts";
import { preflightJson, preflightSarif, preflightText } from "./preflight-reports.ts";

/** The same that make `check` exit with 1, except for what an author may get approved. */
const DEFAULT_FAIL_ON: readonly UploadVerdict[] = ["will-be-rejected", "fails-when-run"];

const help = {
  usage: "preflight <pack> [options]",
  options: {
    format: { argument: "pretty|json|sarif", choices: ["pretty", "json", "sarif"], help: "format of the report (default: pretty)" },
    "fail-on": {
      argument: "VERDICTS",
      help: `which verdicts make it exit with 1, separated by commas: ${UPLOAD_VERDICTS.join(", ")}\n(default: ${DEFAULT_FAIL_ON.join(",")})`,
    },
    ...ENTRY_OPTIONS,
  },
  more: `<pack> is the file that builds the pack, or its folder. What was never tried on this machine, and accounts that cannot be read, do not
change the exit code.

Exit code: 0 nothing has a verdict of --fail-on, 1 something has, 2 the command is wrong, 3 the pack could not be judged,
130 it was stopped.

Examples:
  pack-auth preflight .
  pack-auth preflight . --fail-on will-be-rejected,needs-approval,fails-when-run,not-judged
  pack-auth preflight pack.ts --format sarif > preflight.sarif
`,
} as const;

export const preflight = operationVerb("preflight", help, {
  check: (_input, values) => void failingVerdicts(values["fail-on"]),
  show(report, { terminal, values, paint }) {
    const { output, environment, folder } = terminal;
    if (values.format === "json") writeJson(terminal, preflightJson(report, folder));
    else if (values.format === "sarif") output.writeJson(preflightSarif(report, checkoutRoot(folder, environment), PRODUCT_VERSION));
    else output.write(preflightText(report, folder, paint));
    const failOn = failingVerdicts(values["fail-on"]);
    if (report.lines.some(({ verdict }) => failOn.some((each) => each === verdict))) return 1;
    return isJudged(report) ? 0 : 3;
  },
});

/** Returns the verdicts that the option `--fail-on` names. Throws UsageError. */
function failingVerdicts(value: string | undefined): readonly UploadVerdict[] {
  if (value === undefined) return DEFAULT_FAIL_ON;
  return value.split(",").map((name) => {
    const verdict = UPLOAD_VERDICTS.find((each) => each === name.trim());
    if (verdict === undefined)
      throw new UsageError(`--fail-on takes ${UPLOAD_VERDICTS.join(", ")}, separated by commas, not ${name || "nothing"}.`);
    return verdict;
  });
}
