import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "request-unanswered",
  docs: `The run's time was over while the pack waited for an answer. Check whether the API can be reached, and try again.`,
  source: "the platform's time limit of a formula",
  examples: [
    {
      run: { errorName: "time-limit", unansweredRequest: "GET https://api.acme.example/me" },
      says: "GET https://api.acme.example/me has no answer yet",
    },
    { run: { errorName: "Error", unansweredRequest: "GET https://api.acme.example/me" }, silent: true },
  ],
  when({ run }) {
    if (run?.errorName !== "time-limit" || run.unansweredRequest === undefined) return undefined;
    return { reason: `${run.unansweredRequest} has no answer yet`, advice: "Check whether the API can be reached, and try again." };
  },
});
