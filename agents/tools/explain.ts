// Explains a rule of the check, or the diagnosis of a failure.
import { z } from "zod";
import { closest } from "../../base/closest.ts";
import { DIAGNOSES } from "../../platform/diagnosis/order.ts";
import { diagnosisPage } from "../../platform/diagnosis/page.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { agentTool } from "../agent-tool.ts";

export const explain = agentTool({
  title: "Explain a rule or a failure",
  description:
    "Explains a rule that check reported, or a diagnosis that run, test or connect reported: what happened, why, and what to change, with examples. Without an id it lists all of them.",
  input: z.strictObject({ id: z.string().optional().describe("The name of a rule or of a diagnosis, such as oauth2-missing-token-url.") }),
  output: z.strictObject({
    page: z.string().optional().describe("Markdown."),
    ids: z.array(z.string()).describe("All rules and diagnoses, if no id was given."),
  }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ id }, { session: { host } }) {
    const rules = await host.sources.rules();
    const ids = [...rules, ...DIAGNOSES].map((each) => each.id);
    if (id === undefined) return { ids };
    const diagnosis = DIAGNOSES.find((candidate) => candidate.id === id);
    const page = rules.find((rule) => rule.id === id)?.page ?? (diagnosis === undefined ? undefined : diagnosisPage(diagnosis));
    if (page !== undefined) return { page, ids: [] };
    const near = closest(id, ids);
    throw new PackAuthError("tool-call-invalid", `There is no rule or diagnosis ${id}.`, {
      hint: near === undefined ? "Call explain without an id for all of them." : `Did you mean ${near}?`,
    });
  },
});
