// Compares the published pack's OAuth configuration with its source.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { drift as operation } from "../../operations/publishing/drift.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { fromOutside, outsideText } from "../outside.ts";

export const drift = agentTool({
  title: "Compare with the published pack",
  description: `${operation.about} It uses the API token of the platform that the person stored, which you never get.`,
  input: agentInput(operation),
  output: z.strictObject({
    differs: z.boolean(),
    lines: z
      .array(
        z.strictObject({
          subject: z.string(),
          there: outsideText.describe("What the platform has."),
          here: z.string(),
          isSame: z.boolean().optional().describe("Absent if the two cannot be compared, or need not be the same."),
          advice: outsideText.optional().describe("It may quote the platform."),
        }),
      )
      .describe("Empty if the pack has no OAuth2 configuration."),
  }),
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
        ...defined({ advice: advice === undefined ? undefined : fromOutside(advice) }),
      })),
    };
  },
});
