// Explains a rule of the check, or the diagnosis of a failure.
import { explain as operation } from "../../operations/sources/explain.ts";
import { outputTool } from "../operation-tool.ts";

export const explain = outputTool(operation, {
  title: "Explain a rule or a failure",
  note: `Without an id it returns all ids.`,
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  output: ({ page, all = [] }) => ({ page, ids: all.map(({ id }) => id) }),
});
