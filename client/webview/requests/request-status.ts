// Describes the outcome of a request in one word. Pure.
import type { RequestTrace } from "../../../protocol/run.ts";

const FAILURES: Readonly<Record<NonNullable<RequestTrace["failure"]>, string>> = {
  blocked: "blocked",
  notSent: "not sent",
  failed: "failed",
};

/** `kind` selects the colour. Stored runs from before `failure` existed have only `failureReason`. */
export function statusOf({ failure, failureReason, status }: RequestTrace): {
  readonly text: string;
  readonly kind: "good" | "moved" | "bad";
} {
  const failureKind = failure ?? (failureReason === undefined ? undefined : "failed");
  if (failureKind !== undefined) return { text: FAILURES[failureKind], kind: "bad" };
  const kind = status === undefined || status >= 400 ? "bad" : status >= 300 ? "moved" : "good";
  return { text: status === undefined ? "–" : String(status), kind };
}

export const wentOut = ({ failure }: RequestTrace): boolean => failure === undefined || failure === "failed";
