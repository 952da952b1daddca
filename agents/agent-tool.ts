// The form of a tool for agents. The MCP server and the editor offer the same table of them.
import type { z } from "zod";
import type { AgentSession } from "./agent-session.ts";

export interface ToolCall {
  readonly session: AgentSession;
  readonly signal: AbortSignal;
  /** Reports a step of a long call, in a few words. */
  progress(message: string): void;
}

/** A tool with the types of its input and output erased; see {@link agentTool}. */
export interface AgentTool {
  readonly title: string;
  /** What the tool does, what it needs and what it returns, for a language model. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Whether the tool executes code of the folder, which the person has to trust for it. */
  readonly runsCode: boolean;
  /** Whether the tool never changes a file, an account or data behind an API. */
  readonly isReadOnly: boolean;
  /** Whether the tool may contact other machines. */
  readonly isOpenWorld: boolean;
  /** Returns the output. Throws PackAuthError. */
  call(input: never, call: ToolCall): Promise<Record<string, unknown>>;
}

interface TypedTool<Input extends z.ZodObject, Output extends z.ZodObject> extends Omit<AgentTool, "call"> {
  readonly input: Input;
  readonly output: Output;
  call(input: z.output<Input>, call: ToolCall): Promise<z.input<Output>>;
}

/** Checks that a tool's function fits its schemas. */
export const agentTool = <Input extends z.ZodObject, Output extends z.ZodObject>(tool: TypedTool<Input, Output>): AgentTool =>
  tool as AgentTool;
