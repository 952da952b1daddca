import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "mcp-result-invalid",
  docs: `The MCP server answered with a result that MCP does not allow. Correct in the server what it returns.`,
  source: "MCP, schema of the result",
  examples: [
    {
      mcp: { reason: "invalid-result" },
      exchange: http`
      200
      content-type: application/json

      {"jsonrpc":"2.0","id":1,"result":{"tools":3}}`,
      says: "a result that MCP does not allow",
    },
    { mcp: {}, exchange: "500", silent: true },
  ],
  fits: ({ mcp }) => mcp?.reason === "invalid-result",
  cause: { reason: "it answered with a result that MCP does not allow", advice: "Correct in the server what it returns." },
});
