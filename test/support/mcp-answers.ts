// A simple MCP server over Streamable HTTP, for deliberately faulty servers and for tests that need no more. The servers of real libraries
// are in test/interop.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpTool } from "../../protocol/mcp.ts";
import type { Responder } from "./wire.ts";

export interface McpStub {
  readonly tools: readonly (Pick<McpTool, "name"> & Partial<McpTool>)[];
  /** Returns the result of a call; the arguments as text by default. */
  call?(name: string, toolArguments: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, unknown>>): unknown;
  readonly capabilities?: object;
  /** Responses by method that replace the usual ones. */
  readonly instead?: Readonly<Record<string, Responder>>;
  readonly pageSize?: number;
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown>; readonly cursor?: string };
}

export function mcpResponder({ tools, call, capabilities = { tools: {} }, instead = {}, pageSize = tools.length }: McpStub): Responder {
  const resultOf = ({ method, params = {} }: Message, headers: Readonly<Record<string, unknown>>): unknown => {
    if (method === "initialize") return { protocolVersion: "2025-06-18", capabilities, serverInfo: { name: "raw", version: "1" } };
    if (method === "tools/list") {
      const from = Number(params.cursor ?? 0);
      const page = tools.slice(from, from + pageSize).map((tool) => ({ inputSchema: { type: "object" }, ...tool }));
      return { tools: page, ...(from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {}) };
    }
    const { name = "", arguments: toolArguments = {} } = params;
    if (method === "tools/call")
      return call?.(name, toolArguments, headers) ?? { content: [{ type: "text", text: JSON.stringify(toolArguments) }] };
    return undefined;
  };
  return (request, response, raw) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse(request.body) as Message;
    const other = instead[message.method];
    if (other !== undefined) return other(request, response, raw);
    if (message.id === undefined) return void response.writeHead(202).end();
    const result = resultOf(message, request.headers);
    const unknown = { error: { code: -32601, message: "Method not found" } };
    const rpcResponse = { jsonrpc: "2.0", id: message.id, ...(result === undefined ? unknown : { result }) };
    response.setHeader("content-type", "application/json").end(JSON.stringify(rpcResponse));
  };
}

/** Does the same with a server on this machine, for clients in other processes. */
export async function serveMcp(respond: Responder): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (raw, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers } = raw;
    respond({ host: headers.host ?? "", method, path, headers, body: Buffer.concat(chunks).toString() }, response, raw);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
