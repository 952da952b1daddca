// `pack-auth test`: runs saved tests again without a network; with --update it records them again, with --live it compares the API.
import { relative } from "node:path";
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { problemText } from "../../platform/recordings/problem-text.ts";
import { replay } from "../../platform/recordings/replay.ts";
import { type SavedTest, TEST_ENDING, targetName } from "../../platform/recordings/saved-test.ts";
import { ownEntryOf, readTestFile } from "../../platform/recordings/test-file.ts";
import { changesData } from "../../protocol/definition.ts";
import { findFiles } from "../check/files.ts";
import { checkoutRoot } from "../check/reports/report.ts";
import { findEntry } from "../pack-entry.ts";
import { recordAgain } from "../run/run.ts";
import { hasColours, painter } from "../terminal/colour.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import { writeReportFile } from "../terminal/report-file.ts";
import { slashes } from "../terminal/short-path.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { writeJobSummary } from "../terminal/workflow.ts";
import { UsageError } from "../usage-error.ts";
import { inSession, type VerbSession } from "../verb.ts";
import { type LiveSession, liveOutcome, liveSarif, openNetwork } from "./live.ts";
import { readTestCall, type TestCall } from "./test-options.ts";
import {
  isNothingTried,
  NOTHING_TRIED,
  resultText,
  summaryText,
  type TestResult,
  testsAnnotations,
  testsJson,
  testsSummary,
  testsXml,
} from "./test-reports.ts";

type TestOutcome = Pick<TestResult, "status" | "problems">;

export async function test(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readTestCall(args, terminal);
  if (call === undefined) return 0;
  const isTest = (name: string): boolean => name.endsWith(TEST_ENDING);
  const files = findFiles(call.paths, terminal.folder, isTest, (message) =>
    terminal.errorOutput.write(formatMessage`pack-auth: ${printable(message)}\n`),
  );
  if (files.length === 0)
    throw new UsageError(`No file here ends in ${TEST_ENDING}. Save a run as a test: pack-auth run <pack> <formula> --save-test tests.`);
  const stranger = files.find((file) => !file.endsWith(TEST_ENDING));
  if (stranger !== undefined) throw new UsageError(`A test is a file that ends in ${TEST_ENDING}, which ${stranger} does not.`);
  return inSession(terminal, (session) => runTests(session, files, call));
}

async function runTests({ terminal, signal, openPack }: VerbSession, files: readonly string[], call: TestCall): Promise<number> {
  const paint = painter(hasColours(terminal.output, terminal.environment));
  const network = openNetwork(terminal);
  const packsByEntry = new Map<string, Promise<Pack>>();
  const openPackAt = async (path: string): Promise<Pack> => {
    const entry = findEntry(terminal, path);
    return getOrInsert(packsByEntry, entry, () => openPack(entry, { node: call.node, "workspace-esbuild": call.workspaceEsbuild }));
  };
  const results: TestResult[] = [];
  // People read the log of a workflow, too.
  const isForPeople = call.format === "pretty" || call.format === "github";
  for (const file of files) {
    const startedAt = Date.now();
    let savedTest: SavedTest | undefined;
    let outcome: TestOutcome;
    try {
      savedTest = readTestFile(file);
      outcome = await runOne(file, savedTest, { terminal, call, openPackAt, network, signal });
    } catch (error) {
      outcome = outcomeOfError(error, call);
    }
    if (signal.aborted) return STOPPED;
    const path = slashes(relative(terminal.folder, file));
    const result = {
      path,
      name: savedTest === undefined ? "" : targetName(savedTest.target),
      duration: Date.now() - startedAt,
      ...outcome,
    };
    results.push(result);
    if (isForPeople) terminal.output.write(resultText(result, paint));
  }
  if (isForPeople) terminal.output.write(summaryText(results));
  if (call.live && isNothingTried(results)) (isForPeople ? terminal.output : terminal.errorOutput).write(printable(NOTHING_TRIED));
  if (call.format === "github") {
    const root = checkoutRoot(terminal.folder, terminal.environment);
    terminal.output.writeData(testsAnnotations(results, terminal.folder, root));
    writeJobSummary(terminal, testsSummary(results, terminal.folder, root));
  }
  if (call.junitFile !== undefined) await writeReportFile(terminal, "--junit-file", call.junitFile, testsXml(results));
  if (call.format === "json") terminal.output.writeJson(testsJson(results, call.live));
  else if (call.format === "sarif")
    terminal.output.writeJson(liveSarif(results, terminal.folder, checkoutRoot(terminal.folder, terminal.environment)));
  else if (call.format === "junit") terminal.output.writeData(testsXml(results));
  const [, code] = EXIT_CODES.find(([status]) => results.some((result) => result.status === status)) ?? [];
  return code ?? 0;
}

/** The exit codes of the statuses other than success. The first that occurs counts. */
const EXIT_CODES: readonly (readonly [TestResult["status"], number])[] = [
  ["unreadable", 2],
  ["failed", 1],
  ["changed", 1],
  ["inconclusive", 3],
];

interface Session extends LiveSession {
  /** Opens the pack at a path. Each pack is built only once. */
  readonly openPackAt: (path: string) => Promise<Pack>;
}

async function runOne(file: string, savedTest: SavedTest, { terminal, call, openPackAt, network, signal }: Session): Promise<TestOutcome> {
  const pack = await openPackAt(ownEntryOf(file, savedTest, terminal.folder));
  if (call.live) return liveOutcome(file, pack, savedTest, { terminal, call, network, signal });
  if (!call.update) {
    const { problems } = await replay(pack, savedTest, { signal });
    return { status: problems.length === 0 ? "passed" : "failed", problems: problems.map(problemText) };
  }
  if (savedTest.sandbox !== true && changesData(pack.definition, savedTest.target))
    throw new PackAuthError("recording-refused", "It changes data of a real account, so it is not recorded again automatically.", {
      hint: "Run it once more with pack-auth run … --save-test.",
    });
  await recordAgain(terminal, pack, file, savedTest, { isAgreed: call.isAgreed, ...defined({ account: call.account }) }, signal);
  return { status: "updated", problems: [] };
}

/** Turns an error into a failed test, so that the other tests still run, even after a bug of Pack Auth. */
function outcomeOfError(error: unknown, { live }: TestCall): TestOutcome {
  const failedStatus = live ? "inconclusive" : "failed";
  if (!(error instanceof PackAuthError) && !(error instanceof UsageError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { status: failedStatus, problems: [{ message: `Please report this: it is a bug in pack-auth. ${stack}`, differences: [] }] };
  }
  const isUnreadable = error instanceof PackAuthError && error.code === "test-invalid";
  return { status: isUnreadable ? "unreadable" : failedStatus, problems: [{ message: wholeMessage(error), differences: [] }] };
}
