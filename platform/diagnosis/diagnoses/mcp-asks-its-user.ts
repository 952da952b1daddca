import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "mcp-asks-its-user",
  docs: `The MCP server asks its user for something before it answers. The platform uses only tools, so nobody can reply. Let the tool take everything that it needs as arguments.`,
  source: "MCP, Elicitation",
  examples: [
    {
      mcp: { reason: "input-required" },
      exchange: '200 {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}',
      says: "it asks its user for something before it answers",
    },
    { mcp: {}, exchange: "500", silent: true },
  ],
  fits: ({ mcp }) => mcp?.reason === "input-required",
  cause: {
    reason: "it asks its user for something before it answers",
    advice: "Let the tool take everything that it needs as arguments. The platform uses only tools.",
  },
});
