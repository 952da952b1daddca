// Explains a rule of the check, or the diagnosis of a failure.
import { explain as operation } from "../../operations/sources/explain.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";

export const explain = agentTool({
  title: "Explain a rule or a failure",
  description: `${operation.about} Without an id it returns all ids.`,
  input: agentInput(operation),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call(input, call) {
    const { page, all = [] } = await runOperation(operation, input, call);
    return { page, ids: all.map(({ id }) => id) };
  },
});
