// Messages between the host and the thread that speaks MCP. Long values are JSON strings, which the host parses in slices. Invariant: no
// credential crosses; the host puts it into the requests, and masks the responses.

import type { McpTool } from "../../protocol/mcp.ts";

/** The task of the thread. */
export interface McpTask {
  readonly url: string;
  /** The name of the tool to call. Without it the tools are listed. */
  readonly tool?: string;
  /** The tool's arguments as JSON. */
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
  /** Whether the tool may be called. If not, the session is ended. */
  | { readonly type: "call"; readonly isAllowed: boolean };

export type FromThread =
  | {
      readonly type: "request";
      readonly id: number;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** `tools` is an array of McpTool as JSON. `invalidTools` are the first of `invalidCount` tools that MCP does not allow. */
  | {
      readonly type: "listed";
      readonly offers: Offers;
      readonly tools: string;
      readonly invalidTools: readonly InvalidTool[];
      readonly invalidCount: number;
      readonly leftOut: LeftOut;
    }
  /** The thread waits for the message "call". `problems` are those of the arguments. */
  | {
      readonly type: "found";
      readonly offers: Offers;
      readonly tool: CallableTool;
      readonly problems: SchemaProblems;
      /** The names of the tools that the server marks as read-only, in order. */
      readonly readOnlyTools: readonly string[];
    }
  /** MCP does not allow the tool that was to be called. */
  | { readonly type: "invalid"; readonly tool: InvalidTool }
  /** `names` are some of the server's tools. */
  | { readonly type: "missing"; readonly names: readonly string[] }
  /** `result` is a CallToolResult as JSON. `problems` are those of its structured content. */
  | { readonly type: "called"; readonly result: string; readonly problems: SchemaProblems }
  /** The tool was called, but its result is larger than the host accepts. */
  | { readonly type: "too-large" }
  /** The server returned an error or an invalid response. `code` is that of a JSON-RPC error. */
  | { readonly type: "failed"; readonly message: string; readonly code?: number; readonly reason?: FailureReason }
  /** The session has ended, and the thread ends with it. */
  | { readonly type: "closed" };

/** `invalid-result`: MCP does not allow the result. `input-required`: the server wants to ask its user first. */
export type FailureReason = "invalid-result" | "input-required";

/** The capabilities that a server offers. */
export interface Offers {
  readonly tools: boolean;
  readonly otherCapabilities: readonly string[];
}

/** What the host needs to know of a tool before it is called. Its schemas are not included, since they may have several megabytes. */
export interface CallableTool extends Pick<McpTool, "name" | "title" | "annotations"> {
  /** The names of the tool's arguments; there may be more. */
  readonly argumentNames: readonly string[];
}

/** A tool that MCP does not allow. */
export interface InvalidTool {
  /** Empty if the tool has no name. */
  readonly name: string;
  /** The path of the wrong member; empty for the whole tool. */
  readonly member: string;
  readonly problem: string;
}

/** A request of the server to its client, sent in a stream that stays open until the response. */
export interface ServerRequest {
  readonly id: string | number;
  readonly method: string;
}

export interface LeftOut {
  /** The number of known tools that are not listed. */
  readonly tools: number;
  /** Whether there are pages that were not requested. */
  readonly pages: boolean;
}

/** The places at which a value does not conform to its schema. */
export interface SchemaProblems {
  readonly mismatches: readonly { readonly path: readonly string[]; readonly message: string }[];
  /** The reason why the value was not checked. */
  readonly unchecked?: string;
}
