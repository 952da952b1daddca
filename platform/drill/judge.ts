// What a run on a bad day means for the pack's user: by its outcome, what was answered, and what the good day gave.

import { isDeepStrictEqual } from "node:util";
import type { Day, Verdict } from "../../protocol/drill.ts";
import type { ErrorReport, RunReport, SourceLocation } from "../../protocol/run.ts";

interface Judged {
  readonly verdict: Verdict;
  readonly sees: string;
  readonly remedy?: string;
  readonly location?: SourceLocation;
}

/** Characters of a result or a message that are shown. */
const LONGEST = 300;

/** Days on which a sign-in is what helps. */
const OF_CREDENTIAL: ReadonlySet<Day> = new Set(["expired-token", "refresh-revoked", "rotation-lost", "other-scheme"]);

/** `good`: the result of the good day, `rename`: makes what a bad day gave comparable with it. */
export function judge(
  day: Day,
  report: Pick<RunReport, "outcome" | "requests" | "warnings">,
  good: unknown,
  rename = (text: string) => text,
): Judged {
  const { outcome } = report;
  if (outcome.status === "cancelled") return { verdict: "useless error", sees: "The run was stopped." };
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
  // A pack that does not catch it is as most packs are, and its user sees that the API failed.
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

/** There is an error to rethrow only where the API, or the way to it, failed. */
function wrongDataRemedy(day: Day, { requests }: Pick<RunReport, "requests">): string {
  if (requests.some(({ status = 0, failureReason }) => status >= 400 || failureReason !== undefined))
    return "Rethrow the error. The user cannot tell this result from a correct one.";
  if (day === "cut-answer") return CHECK_RESPONSE;
  return "Return the same result for the same answers. They were those of the good day.";
}

/** Of a template of which a part was not there, nothing is learnt. */
const hasHole = (message: string): boolean => message.trim() === "" || /\bundefined\b|\[object Object\]/.test(message);

/** Of the error that the pack let through. */
const statusOf = ({ code }: ErrorReport, requests: RunReport["requests"]): number | undefined =>
  code === "StatusCodeError" ? requests.findLast(({ status = 0 }) => status >= 400)?.status : undefined;

const at = (location: SourceLocation | undefined): Pick<Judged, "location"> => (location === undefined ? {} : { location });

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
