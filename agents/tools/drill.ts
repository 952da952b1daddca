// Runs a formula on ten bad days in the sandbox.
import { defined } from "../../base/defined.ts";
import { drill as operation } from "../../operations/drill/drill.ts";
import { shownPath } from "../../operations/inside.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { fromOutside, OUTSIDE_NOTE } from "../outside.ts";

export const drill = agentTool({
  title: "Run on bad days",
  description: `${operation.about} Needs an answer for the good day in sandbox.json. A day without a verdict does not apply. ${OUTSIDE_NOTE}`,
  input: agentInput(operation),
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: false,
  async call(input, call) {
    const { scenarios } = await runOperation(operation, input, call);
    const { folder } = call.session.host;
    return {
      days: scenarios.map(({ day, title, verdict, sees, remedy, location: place }) => ({
        day,
        title,
        sees: fromOutside(sees),
        ...defined({ verdict, remedy, location: place && { ...place, path: shownPath(folder, place.path) } }),
      })),
    };
  },
});
