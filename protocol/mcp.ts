// What of an MCP server people are shown: its tools, and what one of them gave. Shared by the platform, the panel and the command line.
// Invariant: everything here went through the run's redactor before it is shown.

/** A tool as its server describes it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: McpAnnotations;
  /** JSON Schema, as the server sent it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** What a server says of a tool, which nobody has proven. */
interface McpAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A part of what a tool gave. */
export type McpContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly mimeType: string /** As base64. */; readonly data: string }
  /** Everything else: a resource, or a link to one. */
  | { readonly type: "other"; readonly value: unknown };

/** A server's tools listed, or one of them called. */
export type McpTarget =
  | { readonly kind: "mcpServer"; readonly name: string }
  | { readonly kind: "mcpTool"; readonly server: string; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

/** Whether the platform calls it without asking its user. */
export const isReadOnly = ({ annotations }: Pick<McpTool, "annotations">): boolean => annotations?.readOnlyHint === true;

export const isOfMcp = (target: { readonly kind: string }): target is McpTarget => target.kind === "mcpServer" || target.kind === "mcpTool";
