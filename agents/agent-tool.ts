// The form of a tool for agents. The MCP server and the editor offer the same table of them.
import type { z } from "zod";
import type { AgentSession } from "./agent-session.ts";

export interface ToolCall {
  readonly session: AgentSession;
  readonly signal: AbortSignal;
  /** Reports a step of a long call, in a few words. */
  progress(message: string): void;
}

/** A tool with the type of its input erased; see {@link agentTool}. */
export interface AgentTool {
  readonly title: string;
  /** What the tool does, what it needs, and what to know of its output, for a language model. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether the tool executes code of the folder, which the person has to trust for it. */
  readonly runsCode: boolean;
  /** Whether the tool never changes a file, an account or data behind an API. */
  readonly isReadOnly: boolean;
  /** Whether the tool may contact other machines. */
  readonly isOpenWorld: boolean;
  /** Returns the output. Throws PackAuthError. */
  call(input: never, call: ToolCall): Promise<object>;
}

interface TypedTool<Input extends z.ZodObject> extends Omit<AgentTool, "call"> {
  readonly input: Input;
  call(input: z.output<Input>, call: ToolCall): Promise<object>;
}

/** Checks that a tool's function fits its input. */
export const agentTool = <Input extends z.ZodObject>(tool: TypedTool<Input>): AgentTool => tool as AgentTool;
