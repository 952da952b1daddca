// `pack-auth run`: runs a pack's function as the platform would, with credentials of the environment or of a connected account.

import { defined } from "../../base/defined.ts";
import { readTarget } from "../../operations/run/target.ts";
import type { TargetInput } from "../../operations/run/target-request.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { failedReport, PackAuthError, reportOf, wholeMessage } from "../../platform/errors.ts";
import { keepRunFacts } from "../../platform/evidence/run-facts.ts";
import { recordRunOf } from "../../platform/evidence/run-record.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { timeLimitOf } from "../../platform/process/process-limits.ts";
import { inputOfTest, type SavedTest, targetName } from "../../platform/recordings/saved-test.ts";
import { refuseFailed } from "../../platform/recordings/test-file.ts";
import { definitionFor, runnableOf, withoutUser } from "../../platform/runs/authentication-in-force.ts";
import { failureMessage } from "../../platform/runs/failure-message.ts";
import { run as runInput } from "../../platform/runs/run.ts";
import { CALL_DEFAULTS } from "../../platform/runs/run-input.ts";
import { observe } from "../../platform/runs/run-observer.ts";
import { type RunWorld, worldOf } from "../../platform/runs/run-world.ts";
import { isOfMcp } from "../../protocol/mcp.ts";
import type { RunReport } from "../../protocol/run.ts";
import { findEntry } from "../pack-entry.ts";
import { hasColours, type Paint, painter } from "../terminal/colour.ts";
import { fail, whereLines } from "../terminal/failure.ts";
import { openFetch } from "../terminal/fetch.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { formatMessage, type Printed, printable } from "../terminal/printable.ts";
import { createRunProgress } from "../terminal/run-progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import { inSession, isWrongCommand, type VerbSession } from "../verb.ts";
import { type ChosenAccount, chooseAccount, fileAccountsHint } from "./choose-account.ts";
import { echoLines } from "./echo-lines.ts";
import { inWords } from "./environment-account.ts";
import { type RunCall, readRunCall } from "./run-options.ts";
import { jsonReport, notesText, resultText, rowsText } from "./run-report.ts";
import { openSandboxRun } from "./sandbox-run.ts";
import { type Ran, runToSave } from "./save-test.ts";

/** A call of `pack-auth run` with its pack. */
interface CliRun {
  readonly terminal: Terminal;
  readonly pack: Pack;
  readonly call: RunCall;
  readonly input: TargetInput;
  readonly signal: AbortSignal;
  readonly paint: Paint;
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readRunCall(args, terminal);
  if (call === undefined) return 0;
  const entry = findEntry(terminal, call.pack);
  return inSession(terminal, (session) => runEntry(session, entry, call));
}

async function runEntry({ terminal, signal, openPack }: VerbSession, entry: string, call: RunCall): Promise<number> {
  const paint = painter(hasColours(terminal.errorOutput, terminal.environment));
  const startedAt = Date.now();
  try {
    const pack = await openPack(entry, { node: call.node, "workspace-esbuild": call.workspaceEsbuild });
    const cliRun: CliRun = {
      terminal,
      pack,
      call,
      input: inputFor(terminal, call, pack),
      signal,
      paint,
    };
    const { report, save } = await (call.sandbox ? executeInSandbox(cliRun) : executeReal(cliRun));
    // Standard output contains only the result, for a file or another program.
    if (call.asJson) terminal.output.writeJson(jsonReport(report));
    else terminal.output.writeResult(resultText(report));
    if (!call.asJson)
      terminal.errorOutput.write(
        await formatNotes(terminal, report, paint, entry, await echoLines(terminal, report, pack.definition, entry, paint)),
      );
    try {
      await save?.(call.expectsFailure === true);
    } catch (error) {
      return await fail(terminal, error);
    }
    return exitCodeOf(report);
  } catch (error) {
    if (signal.aborted || !(error instanceof PackAuthError) || isWrongCommand(error)) throw error;
    return await reportFailure(terminal, error, call, paint, startedAt, entry);
  }
}

const formatNotes = async (
  terminal: Terminal,
  report: RunReport,
  paint: Paint,
  entry: string,
  echoes: readonly Printed[] = [],
): Promise<Printed> =>
  notesText(
    terminal,
    report,
    paint,
    report.outcome.status === "failed" ? await whereLines(terminal, report.outcome.error, entry) : [],
    echoes,
  );

/** The options of inputs that are missing or wrong. */
const INPUT_OPTIONS: Readonly<Record<string, string>> = { parameters: "--params", updates: "--updates", row: "--row" };

function inputFor(terminal: Terminal, call: RunCall, { definition }: Pack): TargetInput {
  try {
    return readTarget(call, definition, { ...call, isSandbox: call.sandbox, note: noteOn(terminal) });
  } catch (error) {
    const option = error instanceof PackAuthError ? INPUT_OPTIONS[error.field ?? ""] : undefined;
    throw option === undefined ? error : new UsageError(`${wholeMessage(error as PackAuthError)} See ${option}.`);
  }
}

const noteOn =
  ({ errorOutput }: Terminal) =>
  (message: string): void =>
    errorOutput.write(formatMessage`${printable(message)}\n`);

function exitCodeOf(report: RunReport): number {
  if (report.outcome.status === "cancelled") return STOPPED;
  return failureMessage(report) === undefined ? 0 : 1;
}

/** Records a saved test again under the same conditions, in the sandbox or with an account. Throws UsageError and PackAuthError. */
export async function recordAgain(
  terminal: Terminal,
  pack: Pack,
  file: string,
  test: SavedTest,
  { account, isAgreed }: { readonly account?: string; readonly isAgreed: boolean },
  signal: AbortSignal,
): Promise<void> {
  const call: RunCall = {
    ...CALL_DEFAULTS,
    pack: pack.entry,
    target: targetName(test.target),
    words: [],
    sandbox: test.sandbox === true,
    asJson: false,
    saveTest: file,
    isAgreed,
    allowLoopback: test.allowLoopback === true,
    workspaceEsbuild: false,
    ...defined({ account }),
  };
  const cliRun: CliRun = { terminal, pack, call, input: { ...inputOfTest(test), isTwice: false }, signal, paint: painter(false) };
  const { report, save } = await (call.sandbox ? executeInSandbox(cliRun) : executeReal(cliRun));
  refuseFailed(report, test);
  await save?.(failureMessage(report) !== undefined);
}

async function executeInSandbox(cliRun: CliRun): Promise<Ran> {
  const { terminal, pack, call, input, signal } = cliRun;
  const sandbox = await openSandboxRun(terminal, pack, definitionFor(input.target, pack.definition), signal);
  try {
    const ran = await executeIn(sandbox.world, cliRun);
    const folder = userDataFolder(terminal.environment);
    // The sandbox shows nothing about the real API, but the formula was tried.
    if (folder !== undefined) await recordRunOf({ storageFolder: folder }, pack.entry, ran.report).catch(() => {});
    return { ...ran, report: hinted(ran.report, { missingVariables: [], variables: [] }, call, pack) };
  } finally {
    sandbox.stop();
  }
}

/** Stores what the run showed about the pack, if there is a storage folder. */
async function remember(terminal: Terminal, pack: Pack, report: RunReport, account: RunAccount | undefined): Promise<void> {
  const folder = userDataFolder(terminal.environment);
  if (folder !== undefined) await keepRunFacts({ storageFolder: folder, log: () => {} }, pack, report, account);
}

async function executeReal(cliRun: CliRun): Promise<Ran> {
  const { terminal, pack, call, input } = cliRun;
  const definition =
    call.account === undefined && needsNoAccount(input, pack) ? withoutUser(pack.definition) : definitionFor(input.target, pack.definition);
  const { account, missingVariables, variables } = await chooseAccount(terminal, pack, definition, call.account, cliRun.signal);
  const { fetch, behindProxy } = openFetch(terminal.environment);
  const ran = await executeIn(worldOf(pack, fetch, { behindProxy, ...defined({ account }) }), cliRun);
  const { report } = ran;
  await remember(terminal, pack, report, account);
  const { systemAuthentication } = pack.definition;
  if (account === undefined && systemAuthentication !== undefined && report.requests.length > 0 && missingVariables.length > 0)
    terminal.errorOutput.write(
      formatMessage`Set ${printable(inWords(missingVariables))} for the system authentication, or use pack-auth connect.\n`,
    );
  return { ...ran, report: hinted(report, { missingVariables, variables }, call, pack) };
}

/** Returns whether the run needs no user account, which it would not get on the platform either. */
const needsNoAccount = ({ target }: TargetInput, pack: Pack): boolean =>
  !isOfMcp(target) && target.kind !== "authentication" && runnableOf(pack, target).connectionRequirement === "none";

async function executeIn(whole: RunWorld, { terminal, call, input, signal, paint }: CliRun): Promise<Ran> {
  const progress = createRunProgress(paint, terminal.errorOutput);
  const world: RunWorld = {
    ...whole,
    signal,
    allowLoopback: call.allowLoopback,
    ...defined({ timeLimit: call.timeLimit === undefined ? undefined : timeLimitOf(call.timeLimit) }),
    mayCall: async (tool) => {
      if (call.parameters !== undefined) return true;
      throw new PackAuthError("invalid-parameter", `${tool.name} may change data: its server does not set readOnlyHint: true for it.`, {
        hint: "Write its arguments with --params, even if it has none: --params '{}'.",
      });
    },
  };
  const observer = observe({
    onConsole: ({ level, message }) => {
      progress.print(
        formatMessage`${paint(level === "error" ? "red" : level === "warn" ? "yellow" : "dim", `${level}:`)} ${printable(message)}\n`,
      );
    },
    onSending: progress.begin,
    onSent: progress.end,
    onRows: (count) => progress.rows(rowsText(count)),
  });
  try {
    if (call.saveTest !== undefined)
      return await runToSave(terminal, input, { path: call.saveTest, isAgreed: call.isAgreed === true }, world, observer);
    const report = await runInput(input, world, observer);
    const completion = input.isTwice ? completionIn(report) : undefined;
    if (completion === undefined || input.target.kind !== "syncTable") return { report };
    progress.print(
      formatMessage`The table returned ${rowsText(rowCountOf(report))} and its completion. Now the run reads what is new since then.\n`,
    );
    return { report: await runInput({ ...input, target: { ...input.target, previousCompletion: completion } }, world, observer) };
  } finally {
    progress.close();
  }
}

/** Returns the completion of a table's first run, or undefined if that run failed. Throws UsageError if a run after it is impossible. */
function completionIn({ outcome, sync }: RunReport): unknown {
  if (outcome.status !== "succeeded") return undefined;
  const completion = sync?.completion;
  if ((completion as { incrementalContinuation?: unknown } | null | undefined)?.incrementalContinuation === undefined)
    throw new UsageError(
      sync?.limitReached === true
        ? "Raise --rows. The table was not read to its end, so it returned no completion."
        : "Return completion: { incrementalContinuation: … } with the last page. Without a completion there is no incremental sync.",
    );
  return completion;
}

const rowCountOf = ({ outcome }: RunReport): number => ("rows" in outcome ? (outcome.rows ?? 0) : 0);

/** Replaces hints by those of the command line, which name variables and options. Throws UsageError if an option is missing. */
function hinted(
  report: RunReport,
  { missingVariables, variables }: Omit<ChosenAccount, "account">,
  call: RunCall,
  { entry, definition: { syncTables } }: Pack,
): RunReport {
  if (report.outcome.status !== "failed") return report;
  const { error } = report.outcome;
  const withHint = (hint: string): RunReport => ({ ...report, outcome: { status: "failed", error: { ...error, hint } } });
  if (error.code === "account-required")
    return withHint(
      `Connect one with pack-auth connect, or set ${inWords(missingVariables)} in the environment; see pack-auth run --help.${fileAccountsHint(entry)}`,
    );
  if (error.remedies?.some(({ kind }) => kind === "grantAccess") === true)
    return withHint(
      `Grant more access with pack-auth connect ${call.pack} --scopes-of ${call.target.split(":")[0] ?? ""}, then run again.`,
    );
  if (variables.length > 0 && error.hint !== undefined)
    return withHint(error.hint.replace("Sign in again with a valid one", `Set ${inWords(variables)} to a valid one`));
  if (report.field !== "dynamicUrl") return report;
  const name = call.target.split(":")[0] ?? "";
  const lists = syncTables.find((table) => table.name === name)?.functions?.includes("listDynamicUrls") === true;
  throw new UsageError(
    `${error.message} Name it with --dynamic-url.${lists ? ` pack-auth run ${call.pack} ${name}:listDynamicUrls lists the possible URLs.` : ""}`,
  );
}

async function reportFailure(
  terminal: Terminal,
  error: PackAuthError,
  call: RunCall,
  paint: Paint,
  startedAt: number,
  entry: string,
): Promise<number> {
  const report = failedReport({ kind: "formula", name: call.target }, startedAt, reportOf(error));
  if (call.asJson) terminal.output.writeJson(jsonReport(report));
  else terminal.errorOutput.write(await formatNotes(terminal, report, paint, entry));
  return 1;
}
