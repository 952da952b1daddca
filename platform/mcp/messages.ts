// Host ↔ the thread that speaks MCP. Long values cross as JSON, which the host parses in slices. Invariant: no credential crosses; the host
// puts it into the requests, and masks the answers.

import type { McpTool } from "../../protocol/mcp.ts";

/** What the thread is started for. */
export interface McpTask {
  readonly url: string;
  /** A tool to be called, by name; without one the tools are listed. */
  readonly tool?: string;
  /** Its arguments, as JSON. */
  readonly arguments?: string;
}

export type ToThread =
  | {
      readonly type: "answered";
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** Whether the tool that was found may be called; if not, the session is ended. */
  | { readonly type: "call"; readonly isAllowed: boolean };

export type FromThread =
  | {
      readonly type: "request";
      readonly id: number;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** `tools`: a list of McpTool as JSON; `invalidTools`: the first of those that MCP does not allow, of `invalidCount`. */
  | {
      readonly type: "listed";
      readonly offers: Offers;
      readonly tools: string;
      readonly invalidTools: readonly InvalidTool[];
      readonly invalidCount: number;
      readonly leftOut: LeftOut;
    }
  /** The thread goes on when it is told to call it; `problems` are those of the arguments. */
  | { readonly type: "found"; readonly offers: Offers; readonly tool: CallableTool; readonly problems: SchemaProblems }
  /** The tool that was to be called is one that MCP does not allow. */
  | { readonly type: "invalid"; readonly tool: InvalidTool }
  /** `names`: those that the server has, some of them. */
  | { readonly type: "missing"; readonly names: readonly string[] }
  /** `result`: a CallToolResult as JSON; `problems` are those of its structured content. */
  | { readonly type: "called"; readonly result: string; readonly problems: SchemaProblems }
  /** The tool was called, and its result is larger than the host reads. */
  | { readonly type: "too-large" }
  /** What the server sent is no answer: its own error where it is one of MCP. */
  | { readonly type: "failed"; readonly message: string; readonly code?: number; readonly reason?: FailureReason }
  /** The session is over, and the thread with it. */
  | { readonly type: "closed" };

/** `invalid-result`: it is not what MCP says of it. `input-required`: the server wants to ask its user first. */
export type FailureReason = "invalid-result" | "input-required";

/** What a server has beside tools. */
export interface Offers {
  readonly tools: boolean;
  readonly otherCapabilities: readonly string[];
}

/** What the host needs to know of a tool before it is called: never its schemas, which may be megabytes. */
export interface CallableTool extends Pick<McpTool, "name" | "title" | "annotations"> {
  /** Names of its arguments, some of them. */
  readonly argumentNames: readonly string[];
}

/** A tool that MCP does not allow. */
export interface InvalidTool {
  /** Empty where it has none. */
  readonly name: string;
  /** The path of what is wrong in it; empty where that is the whole. */
  readonly member: string;
  readonly problem: string;
}

/** What a server asks its client for, in a stream that it leaves open until it has a response. */
export interface ServerRequest {
  readonly id: string | number;
  readonly method: string;
}

export interface LeftOut {
  /** Known to be there, and not listed. */
  readonly tools: number;
  /** There are pages that were not asked for. */
  readonly pages: boolean;
}

/** Where a value is not what its schema says. */
export interface SchemaProblems {
  readonly mismatches: readonly { readonly path: readonly string[]; readonly message: string }[];
  /** Why the value was not checked. */
  readonly unchecked?: string;
}
