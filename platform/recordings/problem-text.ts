// Describes the problems of a replay: what changed, with the recorded and the new value.
import type { Difference } from "./differences.ts";
import type { Problem } from "./replay.ts";

interface ProblemText {
  readonly message: string;
  readonly differences: readonly Difference[];
}

/** The number of differences that are shown for one problem. */
const MOST = 50;

export function problemText(problem: Problem): ProblemText {
  switch (problem.kind) {
    case "request": {
      const { sentRequest, nearest, carrierChanged } = problem;
      const differences = problem.differences.slice(0, MOST);
      const requestLine = `${sentRequest.method} ${sentRequest.url}`;
      if (nearest === undefined) return { message: `${requestLine} was not recorded: the test has no requests.`, differences };
      if (differences.length === 0) return { message: `${requestLine} was sent more often than it was recorded.`, differences };
      if (carrierChanged) return { message: `The credential is sent in another place, at ${requestLine}.`, differences };
      return { message: `${requestLine} was not recorded. The nearest is ${nearest.method} ${nearest.url}.`, differences };
    }
    case "missing":
      return { message: `${problem.request.method} ${problem.request.url} was recorded, but not sent.`, differences: [] };
    case "result":
      return { message: "The result is different.", differences: problem.differences.slice(0, MOST) };
    case "outcome": {
      const { recorded, now } = problem;
      const [one, other] = [recorded, now].map((outcome) => (outcome.status === "failed" ? outcome.error : outcome.value));
      const message =
        recorded.status === now.status ? "It failed with a different error." : now.status === "failed" ? "It failed." : "It did not fail.";
      return { message, differences: [{ at: "", recorded: one, now: other }] };
    }
    case "account":
      return { message: problem.message, differences: [] };
  }
}

/** The number of characters that are shown of a value. */
const LONGEST_VALUE = 300;

/** Returns a line with `- ` for the recorded value and a line with `+ ` for the new value, each with its place. */
export function differenceLines({ at, recorded, now }: Difference): readonly string[] {
  const line = (sign: string, value: unknown): readonly string[] => {
    if (value === undefined) return [];
    const text = JSON.stringify(value);
    return [`${sign} ${at === "" ? "" : `${at.slice(1)}: `}${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text}`];
  };
  return [...line("-", recorded), ...line("+", now)];
}
