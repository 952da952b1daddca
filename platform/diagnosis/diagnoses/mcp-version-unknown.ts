import { quote } from "../../../base/quote.ts";
import { bodyText } from "../api-words.ts";
import { diagnosis } from "../diagnosis.ts";
import { LONGEST_EXCERPT } from "../facts.ts";

export default diagnosis({
  id: "mcp-version-unknown",
  docs: `The MCP server does not know the version of the protocol. Update the server: the platform offers the versions that its client knows.`,
  source: "MCP, Lifecycle, Version Negotiation",
  examples: [
    {
      mcp: { rpcError: { code: -32602, message: "Unsupported protocol version" } },
      exchange: '400 {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"Unsupported protocol version"}}',
      says: "it does not know the version of MCP",
    },
    { mcp: { rpcError: { code: -32602, message: "Invalid params" } }, exchange: "200", silent: true },
  ],
  when(failure) {
    const { mcp, exchange } = failure;
    if (mcp === undefined || ![200, 400].includes(exchange?.status ?? 0)) return undefined;
    const words = `: ${quote((mcp.rpcError?.message ?? bodyText(failure) ?? "").slice(0, LONGEST_EXCERPT))}`;
    if (!/protocol[ _-]?version/i.test(`${mcp.rpcError?.message ?? ""} ${exchange?.responseBody ?? ""}`)) return undefined;
    return {
      reason: `it does not know the version of MCP that was offered${words}`,
      advice: "Update the server, or look up in its documentation which versions it speaks.",
    };
  },
});
