// Describes what the platform does differently with an MCP server, or does not support.
import { quoteName } from "../../base/quote.ts";
import { isReadOnly } from "../../protocol/mcp.ts";
import type { PlatformDifference } from "../../protocol/run.ts";
import type { CallableTool, InvalidTool, LeftOut, Offers, SchemaProblems, ServerRequest } from "./messages.ts";

/** The number of characters that are shown of a tool's name. */
const LONGEST_NAME = 100;

const joined = (names: readonly string[]): string => names.map(quoteName).join(" and ");

export function* offerNotes({ tools, otherCapabilities }: Offers): Iterable<PlatformDifference> {
  if (!tools)
    yield {
      message: `The server offers no tools${otherCapabilities.length === 0 ? "" : `, only ${joined(otherCapabilities)}`}: the platform uses only tools, so users can call nothing of it.`,
    };
  else if (otherCapabilities.length > 0)
    yield { message: `The server offers ${joined(otherCapabilities)} too, but the platform uses only its tools.` };
}

/** The number of characters that are shown of a method that a server requested. */
const LONGEST_METHOD = 100;

export const requestNote = ({ method }: ServerRequest): PlatformDifference => ({
  message: `The server asked for ${quoteName(method.slice(0, LONGEST_METHOD))} and was refused. The platform refuses it too, because it uses only tools.`,
});

/** Describes an invalid tool and the problem in it. */
export const invalidToolText = ({ name, member, problem }: InvalidTool): string =>
  `${name === "" ? "A tool without a name" : quoteName(name.slice(0, LONGEST_NAME))}: ${member === "" ? "" : `${quoteName(member)}: `}${problem}.`;

export function* invalidToolNotes(tools: readonly InvalidTool[], count: number): Iterable<PlatformDifference> {
  for (const tool of tools)
    yield { message: `One tool was left out, because MCP does not allow how the server describes it. ${invalidToolText(tool)}` };
  if (count > tools.length)
    yield { message: `${count - tools.length} further tools were left out, because MCP does not allow how the server describes them.` };
}

export function* leftOutNotes({ tools, pages }: LeftOut): Iterable<PlatformDifference> {
  if (tools > 0 || pages)
    yield {
      message: `The server has more tools than are listed here: ${tools > 0 ? `${tools}${pages ? " and further pages" : ""}` : "further pages"} were left out. Each can be called by its name.`,
    };
}

/**
 * Yields notes on the call of a tool. For a tool of the sandbox there is no note on readOnlyHint, since the real server's annotations are
 * unknown.
 */
export function* callNotes(tool: CallableTool, { unchecked }: SchemaProblems, isSandbox: boolean): Iterable<PlatformDifference> {
  if (!isReadOnly(tool) && !isSandbox)
    yield {
      message: `The platform asks its user before each call of ${quoteName(tool.name)}: the server does not set readOnlyHint: true for it.`,
    };
  if (unchecked !== undefined) yield { message: `The arguments of ${quoteName(tool.name)} were not checked: ${unchecked}.` };
}
