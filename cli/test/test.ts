// `pack-auth test`: runs saved tests again without a network; with --update it records them again, with --live it compares the API.
import type { TestResult, TestStatus } from "../../operations/tests/test-result.ts";
import { callOperation, type ShownCall, writeJson } from "../frame/operation-verb.ts";
import { verb } from "../frame/options.ts";
import { printable } from "../terminal/printable.ts";
import { writeReportFile } from "../terminal/report-file.ts";
import { checkoutRoot, writeJobSummary } from "../terminal/workflow.ts";
import { liveSarif } from "./live.ts";
import { checkTestValues, TEST, type TestSpecs, type TestValues } from "./test-options.ts";
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

export const test = verb(TEST, (options, terminal) => {
  const { live, update } = options.values;
  checkTestValues(options.values);
  const id = live ? "testLive" : update ? "testRecordAgain" : "testReplay";
  return callOperation<typeof id, TestSpecs>(id, TEST.usage, { part: writeResult, show: writeResults }, options, terminal);
});

/** People read the log of a workflow, too. */
const isForPeople = ({ format }: TestValues): boolean => format === "pretty" || format === "github";

function writeResult(result: TestResult, { terminal, values, paint }: ShownCall<TestSpecs>): void {
  if (isForPeople(values)) terminal.output.write(resultText(result, paint));
}

/** Returns the exit code. */
async function writeResults(results: readonly TestResult[], { terminal, values }: ShownCall<TestSpecs>): Promise<number> {
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
  if (format === "json") writeJson(terminal, testsJson(results, live === true));
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
