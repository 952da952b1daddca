// Explains a rule of the check, or the diagnosis of a failure.
import { z } from "zod";
import { explain as operation } from "../../operations/sources/explain.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";

export const explain = agentTool({
  title: "Explain a rule or a failure",
  description: operation.about,
  input: agentInput(operation),
  output: z.strictObject({
    page: z.string().optional().describe("Markdown."),
    ids: z.array(z.string()).describe("All rules and diagnoses, if no id was given."),
  }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call(input, call) {
    const { page, all = [] } = await runOperation(operation, input, call);
    return { page, ids: all.map(({ id }) => id) };
  },
});
