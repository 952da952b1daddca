// Reads the URL of an MCP server: a request without a credential shows whether it has an authorization server (RFC 9728).
import { isRecord } from "../../../base/is-record.ts";
import { type Api, outcomeOfChallenges, outcomeOfOrigin, outcomeOfResource } from "../from-challenges.ts";
import { lookUpAddress, readText } from "../look-up.ts";
import { pascalCase } from "../proposal-parts.ts";
import type { EvidenceReader } from "../reader.ts";
import { unreadable } from "../unreadable.ts";

export const readMcpServer: EvidenceReader = async (text, context) => {
  const { url, remarks } = lookUpAddress(text);
  const response = await context.fetch(url.href, { ...INITIALIZE, signal: context.signal });
  const { host, hostname } = url;
  const domains = [{ domain: hostname, origin: "the host of the MCP server" }];
  const server = (name: string) => ({ name, endpointUrl: url.href, origin: "the address that you entered" });
  if (response.ok) {
    const body = await readText(response, url);
    const information = serverInformation(body);
    if (information === undefined)
      throw unreadable(
        `${host} answers, but not as an MCP server.`,
        "Check the path of the address: it is often /mcp. HTTP+SSE servers are not supported.",
      );
    const mcpServer = server(pascalCase(information) ?? nameOf(hostname));
    const typeOrigin = `${host} answers without a credential`;
    return { kind: "proposal", proposal: { scope: "user", type: "None", typeOrigin, fields: [], domains, mcpServer, remarks } };
  }
  void response.body?.cancel().catch(() => {});
  if (response.status !== 401 && response.status !== 403)
    throw unreadable(
      `${host} answers ${response.status} to the first request of MCP.`,
      "Check the path of the address: it is often /mcp. HTTP+SSE servers are not supported.",
    );
  const api: Api = { url, domains, mcpServer: server(nameOf(hostname)), remarks };
  return (
    (await outcomeOfResource(response.headers, api, context)) ??
    (await outcomeOfOrigin(api, context)) ??
    (await outcomeOfChallenges(response, api, context))
  );
};

/** The first request of a session (MCP, Lifecycle). */
const INITIALIZE: RequestInit = {
  method: "POST",
  headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "pack-auth", version: "1" } },
  }),
};

/** Returns the server's name from its response, which is JSON or one server-sent event; undefined if it is no response of MCP. */
function serverInformation(body: string): string | undefined {
  const data = /^data:(.*)$/m.exec(body)?.[1] ?? body;
  try {
    const message: unknown = JSON.parse(data);
    if (!isRecord(message) || message.jsonrpc !== "2.0") return undefined;
    const information = isRecord(message.result) ? message.result.serverInfo : undefined;
    return isRecord(information) && typeof information.name === "string" ? information.name : "";
  } catch {
    return undefined;
  }
}

/** Returns a name for the server: the word of its host that is most its own. */
const nameOf = (hostname: string): string =>
  pascalCase(
    hostname
      .split(".")
      .slice(0, -1)
      .findLast((label) => !/^(?:mcp|api|www|com?|\d+)$/i.test(label)) ?? "",
  ) ?? "Server";
