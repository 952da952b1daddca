// Converts a tool's result to what people see: the structured content, or else the text, and all content parts.
import { isRecord } from "../../base/is-record.ts";
import type { McpContent } from "../../protocol/mcp.ts";
import { PackAuthError } from "../errors.ts";

interface ToolResult {
  readonly value: unknown;
  readonly content: readonly McpContent[];
}

/** The number of characters that are shown of a tool's error. */
const LONGEST_ERROR = 4_000;

/** Throws tool-failed if the tool reports that it failed. */
export function toolResult(result: unknown, name: string): ToolResult {
  const { content: parts = [], structuredContent, isError } = isRecord(result) ? result : {};
  const content = Array.isArray(parts) ? parts.map(contentOf) : [];
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  if (isError === true)
    throw new PackAuthError("tool-failed", text === "" ? `${name} failed without a reason.` : text.slice(0, LONGEST_ERROR), {
      hint: "This is the tool's own message. On the platform the assistant reads it.",
    });
  return { value: structuredContent ?? (text === "" ? null : text), content };
}

function contentOf(part: unknown): McpContent {
  if (isRecord(part)) {
    const { type, text, data, mimeType } = part;
    if (type === "text" && typeof text === "string") return { type, text };
    if ((type === "image" || type === "audio") && typeof data === "string") return { type, data, mimeType: String(mimeType) };
  }
  return { type: "other", value: part };
}
