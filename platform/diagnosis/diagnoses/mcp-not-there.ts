import { MCP_ADDRESS } from "../advice.ts";
import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "mcp-not-there",
  docs: `There is no MCP server at the address. Look up the server's address for Streamable HTTP, and write it as endpointUrl.`,
  source: "MCP, Transports, Streamable HTTP",
  examples: [
    {
      mcp: {},
      exchange: http`
      POST https://acme.example/

      404`,
      says: "there is no MCP server at this address",
    },
    {
      mcp: {},
      exchange: http`
      POST https://acme.example/

      200
      content-type: text/html

      <!doctype html>`,
      says: "there is no MCP server at this address",
    },
    {
      mcp: {},
      exchange: http`
      POST https://acme.example/mcp

      500`,
      silent: true,
    },
  ],
  when({ mcp, exchange }) {
    if (mcp === undefined || exchange?.status === undefined) return undefined;
    const { status, responseHeaders } = exchange;
    const isPage = /html/i.test(responseHeaders?.["content-type"] ?? "") && status < 400;
    const isRedirect = status >= 300 && status < 400;
    if (![404, 405, 410].includes(status) && !isPage && !isRedirect) return undefined;
    return { reason: `there is no MCP server at this address: it answered ${isPage ? "with a web page" : status}`, advice: MCP_ADDRESS };
  },
});
