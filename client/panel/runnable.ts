// Resolves what a panel runs: its formula, table or MCP server in the current pack, and the action of a click.

import { defined } from "../../base/defined.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { type ToolParameters, toolArguments, toolParameters } from "../../platform/mcp/tool-parameters.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { McpTarget, McpTool } from "../../protocol/mcp.ts";
import type { FromPanel, Runnable, RunnableArgument, ToolForm } from "../../protocol/panel.ts";
import type { ParameterValue, RunReport, RunTarget } from "../../protocol/run.ts";

/** The display name of each kind of target. */
export const KINDS: Readonly<Record<RunnableArgument["kind"], string>> = {
  formula: "formula",
  syncTable: "sync table",
  mcpServer: "MCP server",
};

/** Returns undefined if the pack no longer has the target. `tools`: the tools from the last list of an MCP server. */
export function findRunnable({ definition }: Pack, { kind, name }: RunnableArgument, tools: readonly McpTool[] = []): Runnable | undefined {
  switch (kind) {
    case "formula": {
      const formula = definition.formulas.find((each) => each.name === name);
      return formula === undefined ? undefined : { kind, definition: formula };
    }
    case "syncTable": {
      const table = definition.syncTables.find((each) => each.name === name);
      return table === undefined ? undefined : { kind, definition: table };
    }
    case "mcpServer": {
      const server = definition.mcpServers?.find((each) => each.name === name);
      if (server === undefined) return undefined;
      // The system's account is used if the pack has system authentication.
      const connectionRequirement = definition.systemAuthentication === undefined ? "required" : "none";
      const form = { name, description: server.endpointUrl, parameters: [], varargParameters: [], connectionRequirement } as const;
      return { kind, definition: form, tools: tools.map(toolForm) };
    }
  }
}

/** Returns the same, and throws unknown-formula if the pack no longer has the target. */
export function requireRunnable(pack: Pack, target: RunnableArgument, tools?: readonly McpTool[]): Runnable {
  const runnable = findRunnable(pack, target, tools);
  if (runnable !== undefined) return runnable;
  throw new PackAuthError("unknown-formula", `The pack has no ${KINDS[target.kind]} ${target.name} any more.`, {
    hint: "Close this panel, and run it under its new name.",
  });
}

export const toolForm = (tool: McpTool): ToolForm => ({
  name: tool.name,
  ...defined({ title: tool.title, description: tool.description, annotations: tool.annotations }),
  parameters: toolParameters(tool).parameters,
});

/** `shownReport`: the report in view, which an edit of a row and "what is new" continue. */
export function targetOf(
  { kind, name }: RunnableArgument & { kind: "formula" | "syncTable" },
  { dynamicUrl, update, sinceShown }: Pick<FromPanel & { type: "run" | "debug" }, "dynamicUrl" | "update" | "sinceShown">,
  shownReport: RunReport | undefined,
): RunTarget {
  if (kind === "formula") return { kind, name };
  const url = defined({ dynamicUrl });
  if (update === undefined) {
    const completion = sinceShown === true ? shownReport?.sync?.completion : undefined;
    return { kind, name, ...url, ...defined({ previousCompletion: completion }) };
  }
  // A dynamic table's schema came with its rows.
  return {
    kind: "update",
    name,
    ...url,
    ...(dynamicUrl === undefined || shownReport === undefined ? {} : { schema: shownReport.schema }),
    updates: [update],
  };
}

/** Returns the target for a tool of an MCP server with the values of its fields; without a tool, the target that lists them. */
export function mcpTargetOf(server: string, tool: McpTool | undefined, values: readonly ParameterValue[]): McpTarget {
  if (tool === undefined) return { kind: "mcpServer", name: server };
  const parameters: ToolParameters = toolParameters(tool);
  return { kind: "mcpTool", server, name: tool.name, arguments: toolArguments(parameters, values) };
}
