import { describeObservation } from "../configuration/observation.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "seen-unauthorized-swallowed",
  severity: "warning",
  source: "a sign-in or a run",
  docs: `A request was answered with 401 or 403, and the formula continued as if it had succeeded.

A run showed this. Only an error that leaves the formula lets the platform act. After a 401 it refreshes the token, or asks the user to sign in again. After a 403 it asks for more access. Rethrow the error.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.HeaderBearerToken,
        });
        pack.addFormula({
          name: "Read",
          description: "Reads.",
          parameters: [],
          resultType: coda.ValueType.String,
          execute: async function ([], context) {
            «await context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/" }).catch(() => undefined);»
            return "";
          },
        });
      `,
      evidence: { code: "unauthorized-swallowed", names: ["401"], line: 12 },
    },
    {
      good: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.HeaderBearerToken,
        });
        pack.addFormula({
          name: "Read",
          description: "Reads.",
          parameters: [],
          resultType: coda.ValueType.String,
          execute: async function ([], context) {
            await context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/" });
            return "";
          },
        });
      `,
    },
  ],
  on: {
    *observation(_pack, { fact, line }) {
      if (fact.code !== "unauthorized-swallowed" || line === undefined) return;
      const missedAction = fact.names[0] === "403" ? "ask for more access" : "refresh the token";
      yield {
        place: line,
        message: `Rethrow the error. This request was answered with ${fact.names[0] ?? "401"} and the formula went on, so the platform cannot ${missedAction}.${describeObservation(fact)}`,
      };
    },
  },
});
