import { quote } from "../../../base/quote.ts";
import { diagnosis } from "../diagnosis.ts";
import { LONGEST_EXCERPT } from "../facts.ts";

export default diagnosis({
  id: "mcp-error",
  docs: `The MCP server refused the call with an error of its own. Look the error up in the server's documentation.`,
  source: "JSON-RPC 2.0, section 5.1",
  examples: [
    {
      mcp: { rpcError: { code: -32602, message: "Invalid params" } },
      exchange: '200 {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params"}}',
      says: "“Invalid params” (error -32602)",
    },
    { mcp: {}, exchange: "500", silent: true },
  ],
  when({ mcp, exchange }) {
    const error = mcp?.rpcError;
    if (error === undefined || [401, 403, 429].includes(exchange?.status ?? 0) || (exchange?.status ?? 0) >= 500) return undefined;
    return {
      reason: `it refused: ${quote(error.message.slice(0, LONGEST_EXCERPT))} (error ${error.code})`,
      advice: "Look up the error in the server's documentation.",
    };
  },
});
