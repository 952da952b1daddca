import { MCP_ADDRESS } from "../advice.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { LONGEST_EXCERPT } from "../facts.ts";

export default diagnosis({
  id: "mcp-not-spoken",
  docs: `The server answered with something that is not MCP. Look up the server's address for Streamable HTTP, and write it as endpointUrl.`,
  source: "MCP, Transports, Streamable HTTP",
  examples: [
    {
      mcp: {},
      exchange: http`
      POST https://acme.example/api
      
      200
      content-type: text/plain

      hello`,
      says: "it does not speak MCP: it answered with text/plain",
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
    const { status = 0, responseHeaders } = exchange ?? {};
    if (mcp === undefined || status < 200 || status > 299) return undefined;
    const type = (responseHeaders?.["content-type"] ?? "").split(";")[0]?.trim().slice(0, LONGEST_EXCERPT) ?? "";
    return { reason: `it does not speak MCP: it answered with ${type === "" ? "a body without a type" : type}`, advice: MCP_ADDRESS };
  },
});
