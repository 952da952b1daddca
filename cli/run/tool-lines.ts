// Formats the tools of an MCP server, and the content of a tool's result, for `pack-auth run`.
import { toolParameters } from "../../platform/mcp/tool-parameters.ts";
import type { ParameterDefinition } from "../../protocol/definition.ts";
import type { McpContent, McpTool } from "../../protocol/mcp.ts";
import { isReadOnly } from "../../protocol/mcp.ts";

/** Returns a line for each tool, followed by its description and its arguments. */
export const toolsText = (tools: readonly McpTool[]): string => tools.map(toolText).join("");

function toolText(tool: McpTool): string {
  const title = tool.title ?? tool.annotations?.title;
  const mark = isReadOnly(tool) ? "read-only" : tool.annotations?.destructiveHint === false ? "writes" : "may change data";
  const summary = tool.description?.trim().split("\n", 1)[0] ?? "";
  const parameters = toolParameters(tool).parameters.map(parameterText).join(", ");
  const lines = [`${tool.name}${title === undefined ? "" : ` \u2014 ${title}`} (${mark})`, summary, parameters];
  return lines.map((line, index) => (line === "" ? "" : `${index === 0 ? "" : "    "}${line}\n`)).join("");
}

function parameterText({ name, kind, shape, optional, choices }: ParameterDefinition): string {
  const one = choices === undefined ? kind : choices.join(" | ");
  return `${name}${optional ? "?" : ""}: ${shape === "scalar" ? one : `list of ${one}`}`;
}

/** Returns a line for each part of a tool's result that is not text. */
export const contentLines = (content: readonly McpContent[]): readonly string[] =>
  content.flatMap((part) => {
    if (part.type === "text") return [];
    if (part.type === "other") return [JSON.stringify(part.value)];
    return [`${part.type} ${part.mimeType}, ${Math.floor((part.data.length * 3) / 4)} bytes; use --json to see it`];
  });
