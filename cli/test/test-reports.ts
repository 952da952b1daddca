// Reports the results of `pack-auth test`: for people, as JSON, as JUnit XML for CI systems, and for GitHub.
import { resolve } from "node:path";
import type { TestStatus as Status, TestResult } from "../../operations/tests/test-result.ts";
import { differenceLines } from "../../platform/recordings/problem-text.ts";
import { plain } from "../../server/analysis/text/markdown.ts";
import type { Paint } from "../terminal/colour.ts";
import { junit } from "../terminal/junit.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import { shortPath } from "../terminal/short-path.ts";
import { workflowCommand } from "../terminal/workflow.ts";

/** The statuses, in the order of the totals. */
const COLOURS: Readonly<Record<Status, "green" | "red" | "yellow" | "dim">> = {
  passed: "green",
  updated: "green",
  failed: "red",
  unreadable: "red",
  unchanged: "green",
  changed: "red",
  notTried: "dim",
  inconclusive: "yellow",
};
const STATUSES = Object.keys(COLOURS) as Status[];
const OFFLINE = ["passed", "updated", "failed", "unreadable"] as const satisfies readonly Status[];
const LIVE = ["unchanged", "changed", "notTried", "inconclusive", "unreadable"] as const satisfies readonly Status[];

const inWords = (status: Status): string => (status === "notTried" ? "not tried" : status);

const count = (results: readonly TestResult[], status: Status): number => results.filter((result) => result.status === status).length;

export function resultText({ path, name, status, duration, problems }: TestResult, paint: Paint): Printed {
  const head = formatMessage`${paint(COLOURS[status], inWords(status))} ${printable(path)}${paint("dim", name === "" ? "" : ` (${name}, ${duration} ms)`)}\n`;
  const problemLines = problems.flatMap(({ message, differences }) => [
    printable(`    ${message}`),
    ...differences.flatMap((each) => differenceLines(each).map((line) => paint(line.startsWith("-") ? "red" : "green", `      ${line}`))),
  ]);
  return joined([head, ...problemLines.map((line) => formatMessage`${line}\n`)]);
}

const totals = (results: readonly TestResult[]): string =>
  STATUSES.flatMap((status) => (count(results, status) === 0 ? [] : [`${count(results, status)} ${inWords(status)}`])).join(", ");

export function summaryText(results: readonly TestResult[]): Printed {
  const hint =
    count(results, "failed") > 0
      ? 'What changed on purpose is recorded again with --update, or named in the test\'s "volatile".\n'
      : count(results, "changed") > 0
        ? "Correct the pack, and record the tests again with --update.\n"
        : "";
  return printable(`${hint}${totals(results)}\n`);
}

/** What `--live` says if no test was sent. */
export const NOTHING_TRIED = "Nothing was tried, so nothing is known of the API.\n";

export const isNothingTried = (results: readonly TestResult[]): boolean => results.every(({ status }) => status === "notTried");

const hasFailed = ({ status }: TestResult): boolean => status === "failed" || status === "unreadable" || status === "changed";

const failureText = ({ problems }: TestResult): string =>
  problems.flatMap(({ message, differences }) => [message, ...differences.flatMap(differenceLines)]).join("\n");

/**
 * Returns a workflow command for each failed or inconclusive test, which the runner turns into an annotation. Paths of results begin at
 * `folder`; `root` is the root of the checkout.
 */
export const testsAnnotations = (results: readonly TestResult[], folder: string, root: string): string =>
  results
    .filter((result) => hasFailed(result) || result.status === "inconclusive")
    .map((result) => {
      const properties = { file: shortPath(resolve(folder, result.path), root), title: "pack-auth test" };
      return `${workflowCommand(hasFailed(result) ? "error" : "warning", properties, failureText(result))}\n`;
    })
    .join("");

/** Returns the failed tests as Markdown for the summary of the job. */
export function testsSummary(results: readonly TestResult[], folder: string, root: string): string {
  const rows = results
    .filter((result) => hasFailed(result) || result.status === "inconclusive")
    .map(
      (result) =>
        `| ${plain(shortPath(resolve(folder, result.path), root))} | ${plain(result.problems.map(({ message }) => message).join(" "))} |`,
    );
  const table = rows.length === 0 ? [] : ["", "| test | failure |", "| --- | --- |", ...rows];
  return `${[`### Pack Auth tests: ${totals(results)}`, ...table].join("\n")}\n\n`;
}

export const testsJson = (results: readonly TestResult[], isLive: boolean) => ({
  tests: results,
  summary: Object.fromEntries((isLive ? LIVE : OFFLINE).map((status) => [status, count(results, status)])),
});

export const testsXml = (results: readonly TestResult[]): string =>
  junit(
    "pack-auth test",
    results.map((result) => ({
      name: result.path,
      duration: result.duration,
      ...(hasFailed(result) ? { failure: failureText(result) } : {}),
      ...(result.status === "notTried" || result.status === "inconclusive"
        ? { skipped: `${inWords(result.status)}: ${failureText(result)}` }
        : {}),
    })),
  );
