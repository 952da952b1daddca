import { MCP_ADDRESS } from "../advice.ts";
import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "mcp-over-http-sse",
  docs: `The MCP server speaks only HTTP+SSE, an older transport that the platform does not support. Look up the server's address for Streamable HTTP, and write it as endpointUrl.`,
  source: "MCP 2025-03-26, Transports, Backwards Compatibility",
  examples: [
    {
      mcp: { isHttpSse: true },
      exchange: http`
      POST https://mcp.acme.example/sse

      405`,
      says: "it speaks only HTTP+SSE",
    },
    { mcp: {}, exchange: "500", silent: true },
  ],
  fits: ({ mcp }) => mcp?.isHttpSse === true,
  cause: { reason: "it speaks only HTTP+SSE, an older transport that the platform does not support", advice: MCP_ADDRESS },
});
