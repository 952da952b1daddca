// An MCP server with one tool, which says who is signed in: for authorization servers that protect one.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** Answers a request whose token was looked at. */
export async function answerAs(name, request, response) {
  const server = new McpServer({ name: "interop", version: "1" });
  server.registerTool("who_am_i", { annotations: { readOnlyHint: true } }, async () => ({ content: [{ type: "text", text: name }] }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}
