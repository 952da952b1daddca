// Shows the parts of a pack: setters, formulas, tables, MCP servers, domains and scopes.
import { outline as operation } from "../../operations/sources/outline.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";

export const outline = agentTool({
  title: "Outline a pack",
  description: operation.about,
  input: agentInput(operation),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  call: (input, call) => runOperation(operation, input, call),
});
