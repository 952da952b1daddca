// The tools of an MCP server, and what one of them gave, as `pack-auth run` prints them.
import { toolParameters } from "../../platform/mcp/tool-parameters.ts";
import type { ParameterDefinition } from "../../protocol/definition.ts";
import type { McpContent, McpTool } from "../../protocol/mcp.ts";
import { isReadOnly } from "../../protocol/mcp.ts";

/** Each tool on a line, what it says of itself and its arguments on two more. */
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

/** What is no text of a tool's answer. */
export const contentLines = (content: readonly McpContent[]): readonly string[] =>
  content.flatMap((part) => {
    if (part.type === "text") return [];
    if (part.type === "other") return [JSON.stringify(part.value)];
    return [`${part.type} ${part.mimeType}, ${Math.floor((part.data.length * 3) / 4)} bytes; use --json to see it`];
  });
