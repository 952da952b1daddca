// What `pack-auth test` says of each test: for people, as JSON, and as JUnit's XML, which CI systems read.
import type { Difference } from "../../platform/recordings/differences.ts";
import { differenceLines } from "../../platform/recordings/problem-text.ts";
import type { Paint } from "../terminal/colour.ts";
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

export function testsXml(results: readonly TestResult[]): string {
  const seconds = (time: number): string => (time / 1000).toFixed(3);
  const total = results.reduce((sum, { duration }) => sum + duration, 0);
  const cases = results.map(({ path, name, status, duration, problems }) => {
    const head = `<testcase classname="${xml(path)}" name="${xml(name || path)}" file="${xml(path)}" time="${seconds(duration)}"`;
    if (status !== "failed" && status !== "unreadable") return `    ${head}/>\n`;
    const kind = status === "failed" ? "failure" : "error";
    const lines = problems.flatMap(({ message, differences }) => [message, ...differences.flatMap(differenceLines)]);
    return `    ${head}>\n      <${kind} message="${xml(problems[0]?.message ?? status)}">${xml(lines.join("\n"))}</${kind}>\n    </testcase>\n`;
  });
  const counts = `tests="${results.length}" failures="${count(results, "failed")}" errors="${count(results, "unreadable")}" time="${seconds(total)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="pack-auth test" ${counts}>\n${cases.join("")}  </testsuite>\n</testsuites>\n`;
}

/** What XML 1.0 cannot hold, section 2.2, is left out. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
