// Collects the facts of an MCP server's failure, for its diagnosis.

import { defined } from "../../base/defined.ts";
import { quote } from "../../base/quote.ts";
import type { McpServerDefinition } from "../../protocol/definition.ts";
import { LARGEST_RESPONSE } from "../bodies/response-body.ts";
import { type ErrorCode, PackAuthError } from "../errors.ts";
import { startsHttpSse } from "./end-of-events.ts";
import { McpServerError } from "./server-error.ts";
import type { McpOutcome, McpResponse } from "./speak.ts";

export type LastResponse = McpResponse & {
  readonly method: string;
  /** Whether the request had a session id. */
  readonly isOfSession: boolean;
};

/** Whether a server that refused a POST speaks HTTP+SSE, the transport before Streamable HTTP. One GET request finds out. */
export async function isHttpSseAlone({ status }: LastResponse, get: () => Promise<McpResponse>): Promise<boolean> {
  if (![400, 404, 405].includes(status)) return false;
  return get().then(
    ({ headers, body }) => /^\s*text\/event-stream\b/i.test(headers["content-type"] ?? "") && startsHttpSse(body),
    () => false,
  );
}

/** Returns the message for a response that was not read, or undefined if the general message applies. */
export function unreadResponse({ name }: McpServerDefinition, code: ErrorCode): string | undefined {
  if (code === "response-too-large")
    return `The MCP server ${name} answered with more than ${LARGEST_RESPONSE / 1_048_576} MB, which is not read. Its tools must answer with less.`;
  if (code === "response-invalid")
    return `The MCP server ${name} answered with JSON that nests too deeply to be read. Look at the server's log.`;
  return undefined;
}

/** The number of characters that are shown of a server's text. */
const LONGEST_TEXT = 300;

/** Returns the error of a server that did not answer as MCP demands. */
export function serverFailure(
  { name }: McpServerDefinition,
  last: LastResponse | undefined,
  { message, code, reason }: McpOutcome & { type: "failed" },
  { isHttpSse, isAnonymous }: { readonly isHttpSse: boolean; readonly isAnonymous: boolean },
): PackAuthError {
  if (last === undefined) return new PackAuthError("mcp-failed", `The MCP server ${name} could not be reached: ${message}`);
  const isText = /json|^text\/plain/.test(last.headers["content-type"] ?? "");
  const isQuoted = isText && code === undefined && last.body.trim() !== "";
  return new McpServerError(
    last,
    {
      serverName: name,
      isHttpSse,
      isAnonymous,
      isOfSession: last.isOfSession,
      ...defined({ reason, rpcError: code === undefined ? undefined : { code, message } }),
    },
    isQuoted ? ` It said: ${quote(last.body.trim().slice(0, LONGEST_TEXT))}` : "",
  );
}
