import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "mcp-session-ended",
  docs: `The MCP server ended the session, and a new one as well. If the server runs as several processes, they must share its sessions. Look at the server's log.`,
  source: "MCP, Transports, Session Management",
  examples: [
    { mcp: { isOfSession: true }, exchange: "404", says: "it ended the session, and a new one as well" },
    { mcp: {}, exchange: "404", silent: true },
  ],
  when(failure) {
    const { mcp, exchange } = failure;
    if (mcp === undefined) return undefined;
    const saysSession =
      /\bsession\b/i.test(`${mcp.rpcError?.message ?? ""} ${exchange?.responseBody ?? ""}`) &&
      [200, 400, 401, 404].includes(exchange?.status ?? 0) &&
      (mcp.rpcError !== undefined || mcp.isOfSession);
    if (!(exchange?.status === 404 && mcp.isOfSession) && !saysSession) return undefined;
    return {
      reason: mcp.isOfSession ? "it ended the session, and a new one as well" : "it does not accept the session",
      advice: "Look at the server's log. If the server runs as several processes, they must share its sessions.",
    };
  },
});
