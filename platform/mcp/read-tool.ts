// Validates each listed tool on its own. An invalid tool is reported with its wrong member, and the other tools stay usable.
import { specTypeSchemas, type Tool } from "@modelcontextprotocol/client";
import { isRecord } from "../../base/is-record.ts";
import type { InvalidTool } from "./messages.ts";

/** The largest number of characters of a member's path and of a problem. */
const LONGEST_TEXT = 200;

/** Returns the tool, or why it is invalid. */
export function readTool(value: unknown): { readonly tool: Tool } | { readonly invalid: InvalidTool } {
  const result = specTypeSchemas.Tool["~standard"].validate(value);
  if (result.issues === undefined) {
    const tool = result.value;
    if (tool.execution?.taskSupport !== "required") return { tool };
    return {
      invalid: { name: tool.name, member: "execution.taskSupport", problem: `Invalid input: "required" allows calls as a task only` },
    };
  }
  const [issue] = result.issues;
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  return {
    invalid: {
      name: isRecord(value) && typeof value.name === "string" ? value.name : "",
      member: path.join(".").slice(0, LONGEST_TEXT),
      problem: (issue?.message ?? "").slice(0, LONGEST_TEXT),
    },
  };
}
