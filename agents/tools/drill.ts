// Runs a formula on ten bad days in the sandbox.
import { defined } from "../../base/defined.ts";
import { drill as operation } from "../../operations/drill/drill.ts";
import { outputTool, shownPlace } from "../operation-tool.ts";
import { fromOutside, OUTSIDE_NOTE } from "../outside.ts";

export const drill = outputTool(operation, {
  title: "Run on bad days",
  note: `Needs an answer for the good day in sandbox.json. A day without a verdict does not apply. ${OUTSIDE_NOTE}`,
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: false,
  output: ({ scenarios }, host) => ({
    days: scenarios.map(({ day, title, verdict, sees, remedy, location }) => ({
      day,
      title,
      sees: fromOutside(sees),
      ...defined({ verdict, remedy, location: shownPlace(host, location) }),
    })),
  }),
});
