// Shows the requests of the last run with their masked headers and bodies.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { printable } from "../../base/printable.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { agentTool } from "../agent-tool.ts";
import { nextStepText } from "../next-steps.ts";
import { fromOutside, OUTSIDE_NOTE, type OutsideText, sentences } from "../outside.ts";
import { requestRows } from "../request-rows.ts";

/** Requests with bodies in one output. */
const MOST_REQUESTS = 20;
const LONGEST_BODY = 8_000;

export const requests = agentTool({
  title: "Requests of the last run",
  description: `Shows the requests that the last run of this session sent, ${MOST_REQUESTS} at a time, with headers, bodies and responses. Credentials are masked. ${OUTSIDE_NOTE}`,
  input: z.strictObject({
    id: z.int().optional().describe("Shows one request only."),
    from: z.int().min(0).default(0).describe("The number of requests to pass over."),
  }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ id, from }, { session: { lastRun } }) {
    if (lastRun === undefined)
      throw new PackAuthError("tool-call-invalid", "Nothing was run in this session.", { hint: "Call run first." });
    const chosen = lastRun.requests.filter((request) => id === undefined || request.id === id);
    if (id !== undefined && chosen.length === 0)
      throw new PackAuthError("tool-call-invalid", `The last run has no request ${id}.`, { hint: "Call requests without an id." });
    return { requests: chosen.slice(from, from + MOST_REQUESTS).map(detailed), total: chosen.length };
  },
});

function detailed(trace: RequestTrace) {
  const { requestHeaders, requestBody, responseHeaders, responseBody, failureReason, hint, nextStep, warnings } = trace;
  const explanation = [failureReason, hint, ...warnings, nextStep && nextStepText(nextStep)].filter((text) => text !== undefined).join(" ");
  const [row] = requestRows([trace]) as [ReturnType<typeof requestRows>[number]];
  const cut = (text: string | undefined): OutsideText | undefined => (text === undefined ? undefined : fromOutside(text, LONGEST_BODY));
  return {
    ...row,
    requestHeaders: Object.fromEntries(Object.entries(requestHeaders).map(([name, value]) => [name, printable(value)])),
    ...defined({
      requestBody: requestBody && printable(requestBody.slice(0, LONGEST_BODY)),
      responseHeaders: cut(responseHeaders && JSON.stringify(responseHeaders)),
      responseBody: cut(responseBody),
      explanation: explanation === "" ? undefined : sentences(explanation),
    }),
  };
}
