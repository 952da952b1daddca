// The MCP server for agents. With its libraries it is larger than the other verbs, so it is a bundle of its own.
export { mcp } from "./mcp/mcp.ts";
