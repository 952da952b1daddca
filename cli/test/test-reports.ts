// What `pack-auth test` says of each test: for people, as JSON, and as JUnit's XML, which CI systems read.
import type { Difference } from "../../platform/recordings/differences.ts";
import { differenceLines } from "../../platform/recordings/problem-text.ts";
import type { Paint } from "../terminal/colour.ts";
import { junit } from "../terminal/junit.ts";
import { joined, type Printed, printable, told } from "../terminal/printable.ts";

export interface TestResult {
  /** Of the file, relative to the working directory, with slashes. */
  readonly path: string;
  /** What was run; empty where the file does not say. */
  readonly name: string;
  readonly status: "passed" | "failed" | "unreadable" | "updated";
  /** Milliseconds. */
  readonly duration: number;
  readonly problems: readonly { readonly message: string; readonly differences: readonly Difference[] }[];
}

const count = (results: readonly TestResult[], status: TestResult["status"]): number =>
  results.filter((result) => result.status === status).length;

export function resultText({ path, name, status, duration, problems }: TestResult, paint: Paint): Printed {
  const good = status === "passed" || status === "updated";
  const head = told`${paint(good ? "green" : "red", status)} ${printable(path)}${paint("dim", name === "" ? "" : ` (${name}, ${duration} ms)`)}\n`;
  const found = problems.flatMap(({ message, differences }) => [
    printable(`    ${message}`),
    ...differences.flatMap((each) => differenceLines(each).map((line) => paint(line.startsWith("-") ? "red" : "green", `      ${line}`))),
  ]);
  return joined([head, ...found.map((line) => told`${line}\n`)]);
}

export function summaryText(results: readonly TestResult[]): Printed {
  const parts = (["passed", "updated", "failed", "unreadable"] as const).flatMap((status) =>
    count(results, status) === 0 ? [] : [`${count(results, status)} ${status}`],
  );
  const hint =
    count(results, "failed") > 0 ? 'What changed on purpose is recorded again with --update, or named in the test\'s "volatile".\n' : "";
  return printable(`${hint}${parts.join(", ")}\n`);
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
    results.map(({ path, status, duration, problems }) => {
      const lines = problems.flatMap(({ message, differences }) => [message, ...differences.flatMap(differenceLines)]);
      return { name: path, duration, ...(status === "failed" || status === "unreadable" ? { failure: lines.join("\n") } : {}) };
    }),
  );
