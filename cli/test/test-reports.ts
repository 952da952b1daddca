// Reports the results of `pack-auth test`: for people, as JSON, as JUnit XML for CI systems, and for GitHub.
import { resolve } from "node:path";
import type { Difference } from "../../platform/recordings/differences.ts";
import { differenceLines } from "../../platform/recordings/problem-text.ts";
import { plain } from "../../server/analysis/text/markdown.ts";
import { shortPath } from "../check/reports/report.ts";
import type { Paint } from "../terminal/colour.ts";
import { junit } from "../terminal/junit.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import { workflowCommand } from "../terminal/workflow.ts";

/** The statuses, in the order of the totals. */
const COLOURS = { passed: "green", updated: "green", failed: "red", unreadable: "red" } as const;
type Status = keyof typeof COLOURS;
const STATUSES = Object.keys(COLOURS) as Status[];

export interface TestResult {
  /** Path of the file, relative to the working directory, with forward slashes. */
  readonly path: string;
  /** Name of the target; empty if the file does not name one. */
  readonly name: string;
  readonly status: Status;
  /** Milliseconds. */
  readonly duration: number;
  readonly problems: readonly { readonly message: string; readonly differences: readonly Difference[] }[];
}

const count = (results: readonly TestResult[], status: Status): number => results.filter((result) => result.status === status).length;

export function resultText({ path, name, status, duration, problems }: TestResult, paint: Paint): Printed {
  const head = formatMessage`${paint(COLOURS[status], status)} ${printable(path)}${paint("dim", name === "" ? "" : ` (${name}, ${duration} ms)`)}\n`;
  const problemLines = problems.flatMap(({ message, differences }) => [
    printable(`    ${message}`),
    ...differences.flatMap((each) => differenceLines(each).map((line) => paint(line.startsWith("-") ? "red" : "green", `      ${line}`))),
  ]);
  return joined([head, ...problemLines.map((line) => formatMessage`${line}\n`)]);
}

const totals = (results: readonly TestResult[]): string =>
  STATUSES.flatMap((status) => (count(results, status) === 0 ? [] : [`${count(results, status)} ${status}`])).join(", ");

export function summaryText(results: readonly TestResult[]): Printed {
  const hint =
    count(results, "failed") > 0 ? 'What changed on purpose is recorded again with --update, or named in the test\'s "volatile".\n' : "";
  return printable(`${hint}${totals(results)}\n`);
}

const hasFailed = ({ status }: TestResult): boolean => status === "failed" || status === "unreadable";

const failureText = ({ problems }: TestResult): string =>
  problems.flatMap(({ message, differences }) => [message, ...differences.flatMap(differenceLines)]).join("\n");

/** Returns a workflow command for each failed test, which the runner turns into an annotation. `root` is the root of the checkout. */
export const testsAnnotations = (results: readonly TestResult[], root: string): string =>
  results
    .filter(hasFailed)
    .map(
      (result) =>
        `${workflowCommand("error", { file: shortPath(resolve(result.path), root), title: "pack-auth test" }, failureText(result))}\n`,
    )
    .join("");

/** Returns the failed tests as Markdown for the summary of the job. */
export function testsSummary(results: readonly TestResult[], root: string): string {
  const rows = results
    .filter(hasFailed)
    .map(
      (result) => `| ${plain(shortPath(resolve(result.path), root))} | ${plain(result.problems.map(({ message }) => message).join(" "))} |`,
    );
  const table = rows.length === 0 ? [] : ["", "| test | failure |", "| --- | --- |", ...rows];
  return `${[`### Pack Auth tests: ${totals(results)}`, ...table].join("\n")}\n\n`;
}

export const testsJson = (results: readonly TestResult[]): string =>
  `${JSON.stringify(
    {
      version: 1,
      tests: results,
      summary: {
        passed: count(results, "passed"),
        updated: count(results, "updated"),
        failed: count(results, "failed"),
        unreadable: count(results, "unreadable"),
      },
    },
    null,
    2,
  )}\n`;

export const testsXml = (results: readonly TestResult[]): string =>
  junit(
    "pack-auth test",
    results.map((result) => ({
      name: result.path,
      duration: result.duration,
      ...(hasFailed(result) ? { failure: failureText(result) } : {}),
    })),
  );
