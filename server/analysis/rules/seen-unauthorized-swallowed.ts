import { bearer, observationRule } from "../rule.ts";

export default observationRule({
  id: "seen-unauthorized-swallowed",
  severity: "warning",
  docs: `A request was answered with 401 or 403, and the formula continued as if it had succeeded.

A run showed this. Only an error that leaves the formula lets the platform act. After a 401 it refreshes the token, or asks the user to sign in again. After a 403 it asks for more access. Rethrow the error.`,
  examples: [
    {
      bad: bearer`

        formula Read {
          «await context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/" }).catch(() => undefined);»
          return "";
        }`,
      evidence: { code: "unauthorized-swallowed", names: ["401"], line: 12 },
      good: [".catch(() => undefined)", ""],
    },
  ],
  reports: {
    *"unauthorized-swallowed"(_pack, line, [status = "401"]) {
      const missedAction = status === "403" ? "ask for more access" : "refresh the token";
      yield {
        place: line,
        message: `Rethrow the error. This request was answered with ${status} and the formula went on, so the platform cannot ${missedAction}.`,
      };
    },
  },
});
