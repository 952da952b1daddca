// What a formula makes of bad days: expired tokens, refusals, broken answers.
import type { SourceLocation } from "./run.ts";

/** The one that takes longest first. */
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

/** How a day goes for the pack's user. */
export type Verdict =
  /** All is well in the end. */
  | "recovers"
  /** The platform asks the user to sign in again, or for more access. */
  | "asks to sign in"
  /** The pack says in its own words what is wrong. */
  | "says why"
  /** The API's own error reaches the user, as it does in every pack that does not catch it. */
  | "passes the error on"
  | "useless error"
  | "wrong data in silence";

export interface DrilledDay {
  readonly day: Day;
  readonly title: string;
  /** Undefined where the day cannot come about; `sees` then says why. */
  readonly verdict?: Verdict;
  /** What the pack's user would see, or get. Masked. */
  readonly sees: string;
  /** What to do about a bad verdict. */
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
