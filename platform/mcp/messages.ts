// Host ↔ the thread that speaks MCP. Long values cross as JSON, which the host parses in slices. Invariant: no credential crosses; the host
// puts it into the requests, and masks the answers.

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
  /** `tools`: a list of McpTool as JSON. */
  | { readonly type: "listed"; readonly offers: Offers; readonly tools: string; readonly leftOut: LeftOut }
  /** The thread goes on when it is told to call it; `problems` are those of the arguments. */
  | { readonly type: "found"; readonly offers: Offers; readonly tool: string; readonly problems: SchemaProblems }
  /** `names`: those that the server has, some of them. */
  | { readonly type: "missing"; readonly names: readonly string[] }
  /** `result`: a CallToolResult as JSON; `problems` are those of its structured content. */
  | { readonly type: "called"; readonly result: string; readonly asked: Offers["asked"]; readonly problems: SchemaProblems }
  /** What the server sent is no answer: its own error where it is one of MCP. */
  | { readonly type: "failed"; readonly message: string; readonly code?: number }
  /** The session is over, and the thread with it. */
  | { readonly type: "closed" };

/** What a server has beside tools, and what it asked its client for. */
export interface Offers {
  readonly tools: boolean;
  readonly others: readonly string[];
  readonly asked: readonly string[];
}

export interface LeftOut {
  /** Known to be there, and not listed. */
  readonly tools: number;
  /** There are pages that were not asked for. */
  readonly pages: boolean;
}

/** Where a value is not what its schema says. */
export interface SchemaProblems {
  readonly found: readonly { readonly path: readonly string[]; readonly message: string }[];
  /** Why the value was not checked. */
  readonly unchecked?: string;
}
