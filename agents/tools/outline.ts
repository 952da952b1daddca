// Shows the parts of a pack: setters, formulas, tables, MCP servers, domains and scopes.
import { outline as operation } from "../../operations/sources/outline.ts";
import { outputTool } from "../operation-tool.ts";

export const outline = outputTool(operation, {
  title: "Outline a pack",
  note: "",
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  output: (outlined) => outlined,
});
