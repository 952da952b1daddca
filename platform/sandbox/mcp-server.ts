// The sandbox's MCP server (Streamable HTTP), which lists and answers the tools of sandbox.json. It uses no library: a server with only
// tools fits in this file. The library would make the sandbox a third larger. test/interop tests it with the libraries' clients.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isRecord } from "../../base/is-record.ts";
import { sendJson } from "./api.ts";
import type { ApiRequest } from "./api-request.ts";
import type { SandboxTool } from "./stubs.ts";
import type { SandboxSwitches } from "./switches.ts";

/** The protocol version with a handshake and a session. */
const WITH_SESSION = "2025-11-25";
/** The protocol version without handshake and session: each request names its own version. */
const STATELESS = "2026-07-28";
const SERVER = { name: "pack-auth-sandbox", version: "1" };
const CAPABILITIES = { tools: {} };
const PAGE = 50;
/** The number of open sessions that are kept. Beyond it the oldest is removed. */
const MOST_SESSIONS = 100;

const ECHO: SandboxTool = {
  name: "echo",
  description: "Returns the arguments. Name the server's own tools in sandbox.json, under tools.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, additionalProperties: true },
  annotations: { readOnlyHint: true },
};

interface Message {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Why a request cannot be answered: HTTP status, JSON-RPC error code and message. */
type Problem = readonly [number, number, string];

export interface McpServer {
  /** Answers a request. `tools` is undefined if sandbox.json has no tools; the server then offers only an echo tool. */
  respond(request: ApiRequest, response: ServerResponse, tools: readonly SandboxTool[] | undefined, form: SandboxSwitches["mcp"]): void;
}

/** Returns the scopes of the tools that a request calls. */
export const scopesOfCalls = (body: string, tools: readonly SandboxTool[] = []): readonly string[] =>
  [messageOf(body)].flatMap((message) =>
    message?.method === "tools/call" ? (tools.find(({ name }) => name === message.params?.name)?.scope ?? []) : [],
  );

export function createMcpServer(): McpServer {
  const sessions = new Set<string>();

  function begin(): string {
    const [oldest] = sessions;
    if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    const id = randomUUID();
    sessions.add(id);
    return id;
  }

  function problemOf({ headers }: ApiRequest, { method }: Message): Problem | undefined {
    const version = headers["mcp-protocol-version"];
    if (version !== undefined && version !== STATELESS && version !== WITH_SESSION)
      return [400, -32600, `The protocol version ${version} is not known here.`];
    if (version === STATELESS || ["initialize", "server/discover"].includes(method)) return undefined;
    const session = headers["mcp-session-id"];
    if (session === undefined) return [400, -32600, "The header Mcp-Session-Id is missing."];
    return sessions.has(String(session)) ? undefined : [404, -32001, "The session has ended, or never existed."];
  }

  return {
    respond(request, response, tools = [ECHO], form) {
      const { method, headers, body } = request;
      if (method === "DELETE") return void response.writeHead(sessions.delete(String(headers["mcp-session-id"])) ? 200 : 404).end();
      if (method !== "POST") return void response.writeHead(405, { allow: "POST, DELETE" }).end();
      const message = messageOf(body);
      const problem: Problem | undefined =
        message === undefined ? [400, -32700, "The body is not a JSON-RPC message."] : problemOf(request, message);
      if (problem !== undefined) {
        const [status, code, text] = problem;
        return sendJson(response, status, { jsonrpc: "2.0", id: null, error: { code, message: text } });
      }
      if (message?.id === undefined) return void response.writeHead(202).end();
      const isStateless = headers["mcp-protocol-version"] === STATELESS;
      if (message.method === "initialize") response.setHeader("mcp-session-id", begin());
      const reply = resultOf(message, tools, isStateless);
      if (form === "json") return sendJson(response, 200, reply);
      response
        .writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
        .end(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
    },
  };
}

/** Returns the message of a body; undefined if the body is none. */
function messageOf(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isMessage = (candidate: unknown): candidate is Message => isRecord(candidate) && typeof candidate.method === "string";
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function resultOf({ id, method, params = {} }: Message, tools: readonly SandboxTool[], isStateless: boolean): object {
  const reply = (part: object): object => ({ jsonrpc: "2.0", id, ...part });
  const refuse = (code: number, message: string): object => reply({ error: { code, message } });
  const succeed = (result: object): object =>
    reply({
      result: isStateless ? { ...result, resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": SERVER } } : result,
    });
  // Clients must not cache the result, since sandbox.json is read for each request.
  const unkept = isStateless ? { ttlMs: 0, cacheScope: "private" } : {};
  switch (method) {
    case "server/discover":
      return isStateless
        ? succeed({ supportedVersions: [STATELESS], capabilities: CAPABILITIES, ...unkept })
        : refuse(-32601, "Method not found");
    case "initialize":
      return succeed({ protocolVersion: WITH_SESSION, capabilities: CAPABILITIES, serverInfo: SERVER });
    case "ping":
      return succeed({});
    case "tools/list": {
      const from = Number(params.cursor ?? 0);
      if (!Number.isInteger(from) || from < 0) return refuse(-32602, "The cursor is not from this server.");
      const page = tools.slice(from, from + PAGE).map(({ name, description, inputSchema = { type: "object" }, annotations }) => ({
        name,
        description,
        inputSchema,
        annotations,
      }));
      return succeed({ tools: page, ...(from + PAGE < tools.length ? { nextCursor: String(from + PAGE) } : {}), ...unkept });
    }
    case "tools/call": {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) return refuse(-32602, `The sandbox has no tool ${String(params.name).slice(0, 200)}.`);
      return succeed(asToolResult(tool === ECHO || !("answer" in tool) ? { arguments: params.arguments ?? {} } : tool.answer));
    }
    default:
      return refuse(-32601, "Method not found");
  }
}

/**
 * Converts an answer to a tool result. A whole result is unchanged, a string becomes text, and other values become text, objects also
 * structured content.
 */
function asToolResult(output: unknown): object {
  if (typeof output === "string") return { content: [{ type: "text", text: output }] };
  const content = [{ type: "text", text: JSON.stringify(output) }];
  if (!isRecord(output)) return { content };
  return Array.isArray(output.content) ? output : { content, structuredContent: output };
}
