// Calls a tool with arguments from outside. Every failure becomes a result that says what to do.
import { z } from "zod";
import { closest } from "../base/closest.ts";
import { PackAuthError } from "../platform/errors.ts";
import type { ToolCall } from "./agent-tool.ts";
import { AGENT_TOOLS, type AgentToolName } from "./agent-tools.ts";
import { CallUnderWay, underWay } from "./call-under-way.ts";
import { type Failure, failureOfError } from "./failure.ts";

export type ToolResult = { readonly output: Record<string, unknown> } | { readonly failure: Failure };

/** Never throws, except for a bug. After an abort the result has no reader. */
export async function callTool(name: string, input: unknown, call: ToolCall): Promise<ToolResult> {
  const { host } = call.session;
  try {
    const tool = Object.hasOwn(AGENT_TOOLS, name) ? AGENT_TOOLS[name as AgentToolName] : undefined;
    if (tool === undefined) throw unknownTool(name);
    const parsed = tool.input.safeParse(input ?? {});
    if (!parsed.success) throw invalidInput(name, parsed.error, Object.keys(tool.input.shape));
    const howToTrust = tool.runsCode ? host.howToTrust() : undefined;
    if (howToTrust !== undefined)
      throw new PackAuthError("workspace-untrusted", `${name} runs code of the folder, which the person does not trust yet.`, {
        hint: howToTrust,
      });
    const key = JSON.stringify([name, input]);
    const { callsUnderWay, consent } = call.session;
    const underWayCall =
      callsUnderWay.get(key) ?? new CallUnderWay((each) => tool.call(parsed.data as never, { session: call.session, ...each }));
    callsUnderWay.delete(key);
    const output = await underWayCall.next(call, host.patience);
    if (output !== undefined) return { output: output as Record<string, unknown> };
    callsUnderWay.set(key, underWayCall);
    throw underWay(consent.isAsking);
  } catch (error) {
    return { failure: await failureOfError(error, host) };
  }
}

function unknownTool(name: string): PackAuthError {
  const names = Object.keys(AGENT_TOOLS);
  const near = closest(name, names);
  return new PackAuthError("tool-call-invalid", `There is no tool ${name}.`, {
    hint: near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}

function invalidInput(tool: string, { issues }: z.ZodError, names: readonly string[]): PackAuthError {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const near = closest(key, names);
    return new PackAuthError("tool-call-invalid", `${tool} has no argument ${key}.`, {
      hint: near === undefined ? `It has: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`,
      field: key,
    });
  }
  const path = issue === undefined ? "" : z.core.toDotPath(issue.path);
  return new PackAuthError("tool-call-invalid", `The argument ${path} of ${tool} is not valid: ${issue?.message ?? ""}.`, {
    hint: "Call it again with arguments that match its schema.",
    field: path,
  });
}
