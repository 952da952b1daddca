// Compares the published pack's OAuth configuration with its source.
import { defined } from "../../base/defined.ts";
import { drift as operation } from "../../operations/publishing/drift.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { fromOutside, OUTSIDE_NOTE, sentences } from "../outside.ts";

export const drift = agentTool({
  title: "Compare with the published pack",
  description: `${operation.about} It uses the API token of the platform that the person stored, which you never get. A line without isSame cannot be compared, or need not be the same. ${OUTSIDE_NOTE}`,
  input: agentInput(operation),
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: true,
  async call(input, call) {
    const { differs = false, lines = [] } = (await runOperation(operation, input, call)) ?? {};
    return {
      differs,
      lines: lines.map(({ there, advice, ...line }) => ({
        ...line,
        there: fromOutside(there),
        ...defined({ advice: advice === undefined ? undefined : sentences(advice) }),
      })),
    };
  },
});
