// Judges what a run on a bad day means for the pack's user: from its outcome, the responses and the good day's result.

import { isDeepStrictEqual } from "node:util";
import type { Day, Verdict } from "../../protocol/drill.ts";
import type { ErrorReport, RunReport, SourceLocation } from "../../protocol/run.ts";

interface Judged {
  readonly verdict: Verdict;
  readonly sees: string;
  readonly remedy?: string;
  readonly location?: SourceLocation;
}

/** The number of characters that are shown of a result or a message. */
const LONGEST = 300;

/** Days on which signing in again helps. */
const OF_CREDENTIAL: ReadonlySet<Day> = new Set(["expired-token", "refresh-revoked", "rotation-lost", "other-scheme"]);

/** Returns the verdict. `good` is the good day's result. `rename` makes the bad day's result comparable with it. */
export function judge(
  day: Day,
  report: Pick<RunReport, "outcome" | "requests" | "warnings">,
  good: unknown,
  rename = (text: string) => text,
): Judged {
  const { outcome } = report;
  if (outcome.status === "cancelled") return { verdict: "useless error", sees: "The run did not end in time." };
  if (outcome.status === "failed") return judgeError(day, outcome.error, report);
  const actualValue = JSON.parse(rename(JSON.stringify(outcome.value ?? null))) as unknown;
  if (isDeepStrictEqual(actualValue, JSON.parse(JSON.stringify(good ?? null))))
    return { verdict: "recovers", sees: "The same as on a good day." };
  return {
    verdict: "wrong data in silence",
    sees: short(JSON.stringify(actualValue)),
    remedy: wrongDataRemedy(day, report),
    ...at(report.requests.findLast(({ calledFrom }) => calledFrom !== undefined)?.calledFrom),
  };
}

function judgeError(day: Day, error: ErrorReport, { requests }: Pick<RunReport, "requests">): Judged {
  const place = at(error.stack?.find(({ location }) => location !== undefined)?.location ?? requests.at(-1)?.calledFrom);
  const sees = short(error.message);
  const status = statusOf(error, requests);
  if (day === "missing-scope" && (error.code === "MissingScopesError" || status === 403))
    return { verdict: "asks to sign in", sees: "The platform asks for more access." };
  if (status === 401) return { verdict: "asks to sign in", sees: "The platform asks to sign in again." };
  if (OF_CREDENTIAL.has(day))
    return {
      verdict: "useless error",
      sees,
      remedy: "Rethrow a 401 unchanged. The platform refreshes the token, or asks to sign in again, only after that.",
      ...place,
    };
  if (day === "missing-scope")
    return {
      verdict: "useless error",
      sees,
      remedy: "Rethrow a 403 unchanged, or throw a MissingScopesError. The platform asks for more access only after that.",
      ...place,
    };
  // Most packs do not catch this error. Their users see that the API failed.
  if (day === "server-error" && status !== undefined && status >= 500) return { verdict: "passes the error on", sees };
  if (day === "too-many-requests" && status === 429) return { verdict: "recovers", sees: "The platform waits, then tries again." };
  if (error.userVisible === true && hasHole(error.message))
    return {
      verdict: "useless error",
      sees,
      remedy: "Check the answer before you put a part of it into the message. That part was missing.",
      ...place,
    };
  if (error.userVisible === true) return { verdict: "says why", sees };
  if (day === "cut-answer") return { verdict: "useless error", sees, remedy: CHECK_RESPONSE, ...place };
  return { verdict: "useless error", sees, remedy: "Throw a UserVisibleError that says what happened and what to do.", ...place };
}

const CHECK_RESPONSE =
  "Check that response.body has the fields that the pack reads: what cannot be parsed is a string. Throw a UserVisibleError if they are missing.";

/** Returns the remedy for a wrong result. There is an error to rethrow only if the API or the connection failed. */
function wrongDataRemedy(day: Day, { requests }: Pick<RunReport, "requests">): string {
  if (requests.some(({ status = 0, failureReason }) => status >= 400 || failureReason !== undefined))
    return "Rethrow the error. The user cannot tell this result from a correct one.";
  if (day === "cut-answer") return CHECK_RESPONSE;
  return "Return the same result for the same answers. They were those of the good day.";
}

/** Whether a message is a template with a missing part, which tells the user nothing. */
const hasHole = (message: string): boolean => message.trim() === "" || /\bundefined\b|\[object Object\]/.test(message);

/** Returns the status of the StatusCodeError that the pack did not catch. */
const statusOf = ({ code }: ErrorReport, requests: RunReport["requests"]): number | undefined =>
  code === "StatusCodeError" ? requests.findLast(({ status = 0 }) => status >= 400)?.status : undefined;

const at = (location: SourceLocation | undefined): Pick<Judged, "location"> => (location === undefined ? {} : { location });

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
