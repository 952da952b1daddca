// What of an MCP server is different after upload, or is not taken there.
import { t } from "@vscode/l10n";
import { isReadOnly, type McpTool } from "../../protocol/mcp.ts";
import type { ParityNote } from "../../protocol/run.ts";
import type { LeftOut, Offers, SchemaProblems } from "./messages.ts";

const joined = (names: readonly string[]): string => names.join(t` and `);

export function* offerNotes({ tools, others, asked }: Offers): Iterable<ParityNote> {
  if (!tools)
    yield {
      message: t`The server offers no tools${others.length === 0 ? "" : t`, only ${joined(others)}`}: the platform uses only tools, so users can call nothing of it.`,
    };
  else if (others.length > 0) yield { message: t`The server offers ${joined(others)} too, but the platform uses only its tools.` };
  if (asked.length > 0)
    yield {
      message: t`The server asked for ${joined(asked)} and was refused. The platform refuses it too, because it uses only tools.`,
    };
}

export function* leftOutNotes({ tools, pages }: LeftOut): Iterable<ParityNote> {
  if (tools > 0 || pages)
    yield {
      message: t`The server has more tools than are listed here: ${tools > 0 ? `${tools}${pages ? t` and further pages` : ""}` : t`further pages`} were left out. Each can be called by its name.`,
    };
}

/** Of a tool of the sandbox nobody knows what its server will say. */
export function* callNotes(tool: McpTool, { unchecked }: SchemaProblems, isSandbox: boolean): Iterable<ParityNote> {
  if (!isReadOnly(tool) && !isSandbox)
    yield { message: t`The platform asks its user before each call of ${tool.name}: the server does not set readOnlyHint: true for it.` };
  if (unchecked !== undefined) yield { message: t`The arguments of ${tool.name} were not checked: ${unchecked}.` };
}
