// What became of a saved test.
import type { LiveRule } from "../../platform/recordings/compare-answers.ts";
import type { Difference } from "../../platform/recordings/differences.ts";
import type { NextStep } from "../../protocol/next-step.ts";

/** `unreadable` is a file that is no test. The last four are of a run with the real API. */
export type TestStatus = "passed" | "updated" | "failed" | "unreadable" | "unchanged" | "changed" | "notTried" | "inconclusive";

export interface TestProblem {
  readonly message: string;
  readonly differences: readonly Difference[];
  /** The change of an API, and the line of its request in the file. */
  readonly rule?: LiveRule;
  readonly line?: number;
}

/** Its problems are not yet in the host's words. */
export interface TestOutcome {
  readonly status: TestStatus;
  readonly problems: readonly (TestProblem & { readonly nextStep?: NextStep })[];
}

export interface TestResult {
  readonly status: TestStatus;
  readonly problems: readonly TestProblem[];
  /** Path of the file, relative to the world's folder, with forward slashes. */
  readonly path: string;
  /** Name of the target; empty if the file does not name one. */
  readonly name: string;
  /** Milliseconds. */
  readonly duration: number;
}
