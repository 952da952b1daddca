// The failure of an MCP server, with the facts that its diagnosis reads.
import type { McpFacts } from "../diagnosis/failure.ts";
import { PackAuthError } from "../errors.ts";

export class McpServerError extends PackAuthError {
  /** The HTTP method of the failed request. */
  readonly method: string;
  readonly facts: McpFacts;
  /** What the server said, as a sentence with a blank before it; empty if it said nothing readable. */
  readonly quotation: string;

  constructor({ method, status }: { readonly method: string; readonly status: number }, facts: McpFacts, quotation: string) {
    super("mcp-failed", `The MCP server ${facts.serverName} failed${status >= 400 ? ` (${status})` : ""}`);
    this.method = method;
    this.facts = facts;
    this.quotation = quotation;
  }
}
