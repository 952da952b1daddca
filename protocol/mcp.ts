// The parts of an MCP server that people see: its tools, and the content that a tool returned. The platform, the panel and the command line
// share these types.
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

/** The server's own statements about a tool, which are not verified. */
interface McpAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A part of a tool's result. */
export type McpContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly mimeType: string /** As base64. */; readonly data: string }
  /** Any other content: a resource, or a link to one. */
  | { readonly type: "other"; readonly value: unknown };

/** Lists the tools of a server, or calls one of them. */
export type McpTarget =
  | { readonly kind: "mcpServer"; readonly name: string }
  | { readonly kind: "mcpTool"; readonly server: string; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

/** Returns whether the platform calls the tool without asking the user. */
export const isReadOnly = ({ annotations }: Pick<McpTool, "annotations">): boolean => annotations?.readOnlyHint === true;

export const isOfMcp = (target: { readonly kind: string }): target is McpTarget => target.kind === "mcpServer" || target.kind === "mcpTool";
