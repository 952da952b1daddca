// The result of running a formula in bad conditions: expired tokens, refusals, broken responses.
import type { SourceLocation } from "./run.ts";

/** The slowest scenario comes first. */
export const DRILL_SCENARIOS = [
  "slow-answer",
  "expired-token",
  "refresh-revoked",
  "rotation-lost",
  "other-scheme",
  "missing-scope",
  "too-many-requests",
  "server-error",
  "cut-answer",
  "other-endpoint",
] as const;
export type Day = (typeof DRILL_SCENARIOS)[number];

/** How a scenario ends for the pack's user. */
export type Verdict =
  /** The formula succeeds in the end. */
  | "recovers"
  /** The platform asks the user to sign in again, or to grant more access. */
  | "asks to sign in"
  /** The pack explains the problem in its own words. */
  | "says why"
  /** The API's own error reaches the user, as in every pack that does not catch it. */
  | "passes the error on"
  | "useless error"
  | "wrong data in silence";

export interface DrilledDay {
  readonly day: Day;
  readonly title: string;
  /** Undefined if the scenario does not apply to the formula; `sees` then says why. */
  readonly verdict?: Verdict;
  /** The message or value that the pack's user would see. Masked. */
  readonly sees: string;
  /** How to improve a bad verdict. */
  readonly remedy?: string;
  readonly location?: SourceLocation;
  /** Milliseconds. */
  readonly duration?: number;
}

export interface DrillReport {
  readonly target: string;
  readonly scenarios: readonly DrilledDay[];
}

export const isBad = ({ verdict }: Pick<DrilledDay, "verdict">): boolean =>
  verdict === "useless error" || verdict === "wrong data in silence";
