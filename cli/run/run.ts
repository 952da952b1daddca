// `pack-auth run`: runs a pack's function as the platform would, with credentials of the environment or of a connected account.
import { relative } from "node:path";
import type { OutputOf } from "../../operations/operations.ts";
import type { EndedRun, RunPart } from "../../operations/run/run.ts";
import { failedReport, type PackAuthError, reportOf, wordedRun } from "../../platform/errors.ts";
import { failureMessage } from "../../platform/runs/failure-message.ts";
import type { RunReport } from "../../protocol/run.ts";
import { inWords } from "../frame/environment-account.ts";
import { fail, whereLines } from "../frame/failure.ts";
import type { PersonOptions } from "../frame/ground.ts";
import { callOperation, writeJson } from "../frame/operation-verb.ts";
import { verb } from "../frame/options.ts";
import { accountHint } from "../frame/run-ground.ts";
import { hasColours, type Paint, painter } from "../terminal/colour.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { nextStepText } from "../terminal/next-steps.ts";
import { formatMessage, type Printed, printable } from "../terminal/printable.ts";
import { createRunProgress } from "../terminal/run-progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { echoLines } from "./echo-lines.ts";
import { checkRunInput, RUN } from "./run-options.ts";
import { notesText, resultText, rowsText } from "./run-report.ts";

/** A call of `pack-auth run` as its user wrote it. */
interface RunCall {
  readonly terminal: Terminal;
  readonly paint: Paint;
  readonly asJson: boolean;
  readonly isQuiet: boolean;
  readonly pack: string;
  readonly target: string;
}

export const run = verb(RUN, async (options, terminal) => {
  // Without a target the error lists those of the pack.
  const [pack = ".", target = "", ...words] = options.positionals;
  const paint = painter(hasColours(terminal.errorOutput, terminal.environment));
  const isQuiet = (options.values as PersonOptions).quiet === true;
  const call: RunCall = { terminal, paint, asJson: options.values.json === true, isQuiet, pack, target };
  const progress = createRunProgress(paint, terminal.errorOutput);
  const startedAt = Date.now();
  const shell = {
    check: checkRunInput,
    part: (each: RunPart) => showPart(each, progress, call),
    show: (output: OutputOf<"run">) => showSaved(output, terminal),
    async showError(error: PackAuthError, _: unknown, entry: string | undefined) {
      await writeReport(call, failedReport({ kind: "formula", name: target }, startedAt, reportOf(error)), entry);
      return 1;
    },
  };
  try {
    return await callOperation("run", RUN.usage, shell, { ...options, positionals: [pack, target, ...words] }, terminal);
  } finally {
    progress.close();
  }
});

function showPart(part: RunPart, progress: ReturnType<typeof createRunProgress>, call: RunCall): void | Promise<void> {
  const { paint } = call;
  if (call.isQuiet && part.kind !== "ended") return;
  switch (part.kind) {
    case "sending":
      return progress.begin(part.request);
    case "sent":
      return progress.end(part.id);
    case "rows":
      return progress.rows(rowsText(part.count));
    case "console": {
      const { level, message } = part.entry;
      const colour = level === "error" ? "red" : level === "warn" ? "yellow" : "dim";
      return progress.print(formatMessage`${paint(colour, `${level}:`)} ${printable(message)}\n`);
    }
    case "again":
      return progress.print(
        formatMessage`The table returned ${rowsText(part.rows)} and its completion. Now the run reads what is new since then.\n`,
      );
    case "ended":
      progress.close();
      return writeEnded(part.run, call);
  }
}

async function writeEnded(run: EndedRun, call: RunCall): Promise<void> {
  const { terminal, asJson, paint } = call;
  const { report, definition, entry } = run;
  const { account, missingVariables } = run.choice;
  if (account === undefined && definition.systemAuthentication !== undefined && report.requests.length > 0 && missingVariables.length > 0)
    terminal.errorOutput.write(
      formatMessage`Set ${printable(inWords(missingVariables))} for the system authentication, or use pack-auth connect.\n`,
    );
  const echoes = asJson ? [] : await echoLines(terminal, run, paint);
  await writeReport(call, hinted(run, call), entry, echoes);
}

/** Standard output contains only the result, for a file or another program. */
async function writeReport(
  { terminal, paint, asJson, isQuiet }: RunCall,
  report: RunReport,
  entry: string | undefined,
  echoes: readonly Printed[] = [],
): Promise<void> {
  if (asJson) return writeJson(terminal, wordedRun(report, nextStepText));
  terminal.output.writeResult(resultText(report));
  if (isQuiet && report.outcome.status === "succeeded") return;
  const where = report.outcome.status === "failed" ? await whereLines(terminal, report.outcome.error, entry) : [];
  terminal.errorOutput.write(notesText(terminal, report, paint, where, echoes));
}

/** Says where the run was saved, or why it was not. Returns the exit code. */
async function showSaved({ report, file, notSaved }: OutputOf<"run">, terminal: Terminal): Promise<number> {
  if (notSaved !== undefined) return fail(terminal, notSaved);
  const failure = failureMessage(report);
  const expects = failure === undefined ? "" : ` It expects the failure: ${failure}`;
  if (file !== undefined)
    terminal.errorOutput.write(
      formatMessage`Saved as ${printable(relative(terminal.folder, file))}. Run it with pack-auth test.${printable(expects)}\n`,
    );
  if (report.outcome.status === "cancelled") return STOPPED;
  return failure === undefined ? 0 : 1;
}

/** Replaces hints by those of the command line, which name variables and options. Throws UsageError if an option is missing. */
function hinted({ report, entry, definition, choice }: EndedRun, { pack, target }: RunCall): RunReport {
  if (report.outcome.status !== "failed") return report;
  const { error } = report.outcome;
  const [name = ""] = target.split(":");
  const { nextStep, ...failure } = error;
  const withHint = (hint: string): RunReport => ({ ...report, outcome: { status: "failed", error: { ...failure, hint } } });
  if (error.code === "account-required") return withHint(accountHint(entry, choice.missingVariables));
  if (error.remedies?.some(({ kind }) => kind === "grantAccess") === true)
    return withHint(`Grant more access with pack-auth connect ${pack} --scopes-of ${name}, then run again.`);
  if (choice.variables.length > 0 && nextStep?.do === "replaceCredential")
    return withHint([error.hint, `To use another credential, set ${inWords(choice.variables)}.`].filter(Boolean).join(" "));
  if (report.field !== "dynamicUrl") return report;
  const lists = definition.syncTables.find((table) => table.name === name)?.functions?.includes("listDynamicUrls") === true;
  throw new UsageError(
    `${error.message} Name it with --dynamic-url.${lists ? ` pack-auth run ${pack} ${name}:listDynamicUrls lists the possible URLs.` : ""}`,
  );
}
