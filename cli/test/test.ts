// `pack-auth test`: runs saved tests again without a network; with --update it records them again, with --live it compares the API.
import { relative } from "node:path";
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import type { TestOutcome, TestResult, TestStatus } from "../../operations/tests/test-result.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { type SavedTest, TEST_ENDING, targetName } from "../../platform/recordings/saved-test.ts";
import { ownEntryOf, readTestFile } from "../../platform/recordings/test-file.ts";
import { changesData } from "../../protocol/definition.ts";
import { findFiles } from "../check/files.ts";
import { checkoutRoot } from "../check/reports/report.ts";
import { operationVerb } from "../operation-verb.ts";
import { readOptions } from "../options.ts";
import { findEntry } from "../pack-entry.ts";
import { recordAgain } from "../run/run.ts";
import { hasColours, type Paint, painter } from "../terminal/colour.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import { writeReportFile } from "../terminal/report-file.ts";
import { slashes } from "../terminal/short-path.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { writeJobSummary } from "../terminal/workflow.ts";
import { UsageError } from "../usage-error.ts";
import { inSession, type VerbSession } from "../verb.ts";
import { type LiveSession, liveOutcome, liveSarif, openNetwork } from "./live.ts";
import { checkTestValues, TEST, type TestValues, testHelp } from "./test-options.ts";
import {
  isNothingTried,
  NOTHING_TRIED,
  resultText,
  summaryText,
  testsAnnotations,
  testsJson,
  testsSummary,
  testsXml,
} from "./test-reports.ts";

export async function test(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = readOptions(TEST, args, terminal);
  if (options === undefined) return 0;
  const { values, positionals } = options;
  checkTestValues(values);
  if (!values.update && !values.live) return replay(args, terminal);
  const isTest = (name: string): boolean => name.endsWith(TEST_ENDING);
  const files = findFiles(positionals, terminal.folder, isTest, (message) =>
    terminal.errorOutput.write(formatMessage`pack-auth: ${printable(message)}\n`),
  );
  if (files.length === 0)
    throw new UsageError(`No file here ends in ${TEST_ENDING}. Save a run as a test: pack-auth run <pack> <formula> --save-test tests.`);
  const stranger = files.find((file) => !file.endsWith(TEST_ENDING));
  if (stranger !== undefined) throw new UsageError(`A test is a file that ends in ${TEST_ENDING}, which ${stranger} does not.`);
  return inSession(terminal, (session) => runTests(session, files, values));
}

/** A call as its results are shown. */
interface TestCall {
  readonly terminal: Terminal;
  readonly values: TestValues;
  readonly paint: Paint;
}

const replay = operationVerb("testReplay", testHelp, { part: writeResult, show: writeResults });

/** People read the log of a workflow, too. */
const isForPeople = ({ format }: TestValues): boolean => format === "pretty" || format === "github";

function writeResult(result: TestResult, { terminal, values, paint }: TestCall): void {
  if (isForPeople(values)) terminal.output.write(resultText(result, paint));
}

/** Returns the exit code. */
async function writeResults(results: readonly TestResult[], { terminal, values }: TestCall): Promise<number> {
  const { output, errorOutput, folder, environment } = terminal;
  const { format, live, "junit-file": junitFile } = values;
  if (isForPeople(values)) output.write(summaryText(results));
  if (live && isNothingTried(results)) (isForPeople(values) ? output : errorOutput).write(printable(NOTHING_TRIED));
  if (format === "github") {
    const root = checkoutRoot(folder, environment);
    output.writeData(testsAnnotations(results, folder, root));
    writeJobSummary(terminal, testsSummary(results, folder, root));
  }
  if (junitFile !== undefined) await writeReportFile(terminal, "--junit-file", junitFile, testsXml(results));
  if (format === "json") output.writeJson(testsJson(results, live === true));
  else if (format === "sarif") output.writeJson(liveSarif(results, folder, checkoutRoot(folder, environment)));
  else if (format === "junit") output.writeData(testsXml(results));
  const [, code] = EXIT_CODES.find(([status]) => results.some((result) => result.status === status)) ?? [];
  return code ?? 0;
}

/** The exit codes of the statuses other than success. The first that occurs counts. */
const EXIT_CODES: readonly (readonly [TestStatus, number])[] = [
  ["unreadable", 2],
  ["failed", 1],
  ["changed", 1],
  ["inconclusive", 3],
];

async function runTests({ terminal, signal, openPack }: VerbSession, files: readonly string[], values: TestValues): Promise<number> {
  const paint = painter(hasColours(terminal.output, terminal.environment));
  const network = openNetwork(terminal);
  const packsByEntry = new Map<string, Promise<Pack>>();
  const openPackAt = async (path: string): Promise<Pack> => {
    const entry = findEntry(terminal, path);
    return getOrInsert(packsByEntry, entry, () => openPack(entry, values));
  };
  const results: TestResult[] = [];
  for (const file of files) {
    const startedAt = Date.now();
    let savedTest: SavedTest | undefined;
    let outcome: TestOutcome;
    try {
      savedTest = readTestFile(file);
      outcome = await runOne(file, savedTest, { terminal, values, openPackAt, network, signal });
    } catch (error) {
      outcome = outcomeOfError(error, values);
    }
    if (signal.aborted) return STOPPED;
    const path = slashes(relative(terminal.folder, file));
    const name = savedTest === undefined ? "" : targetName(savedTest.target);
    const result = { path, name, duration: Date.now() - startedAt, ...outcome };
    results.push(result);
    writeResult(result, { terminal, values, paint });
  }
  return writeResults(results, { terminal, values, paint });
}

interface Session extends LiveSession {
  /** Opens the pack at a path. Each pack is built only once. */
  readonly openPackAt: (path: string) => Promise<Pack>;
}

async function runOne(
  file: string,
  savedTest: SavedTest,
  { terminal, values, openPackAt, network, signal }: Session,
): Promise<TestOutcome> {
  const pack = await openPackAt(ownEntryOf(file, savedTest, terminal.folder));
  if (values.live) return liveOutcome(file, pack, savedTest, { terminal, values, network, signal });
  if (savedTest.sandbox !== true && changesData(pack.definition, savedTest.target))
    throw new PackAuthError("recording-refused", "It changes data of a real account, so it is not recorded again automatically.", {
      hint: "Run it once more with pack-auth run … --save-test.",
    });
  await recordAgain(terminal, pack, file, savedTest, { isAgreed: values.yes === true, ...defined({ account: values.account }) }, signal);
  return { status: "updated", problems: [] };
}

/** Turns an error into a failed test, so that the other tests still run, even after a bug of Pack Auth. */
function outcomeOfError(error: unknown, { live }: TestValues): TestOutcome {
  const failedStatus = live ? "inconclusive" : "failed";
  if (!(error instanceof PackAuthError) && !(error instanceof UsageError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { status: failedStatus, problems: [{ message: `Please report this: it is a bug in pack-auth. ${stack}`, differences: [] }] };
  }
  const isUnreadable = error instanceof PackAuthError && error.code === "test-invalid";
  return { status: isUnreadable ? "unreadable" : failedStatus, problems: [{ message: wholeMessage(error), differences: [] }] };
}
