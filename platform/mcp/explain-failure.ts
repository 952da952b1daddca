// Explains why a server's responses are not valid MCP: one message, with what to do next.

import type { McpServerDefinition } from "../../protocol/definition.ts";
import { LARGEST_RESPONSE } from "../bodies/response-body.ts";
import { type ErrorCode, PackAuthError } from "../errors.ts";
import { startsHttpSse } from "./end-of-events.ts";
import type { FailureReason } from "./messages.ts";
import type { McpOutcome, McpResponse } from "./speak.ts";

export type LastResponse = McpResponse & {
  readonly method: string;
  /** Whether the request had a session id. */
  readonly isOfSession: boolean;
};

/** The number of characters that are shown of a server's text. */
const LONGEST_TEXT = 300;

const ADDRESS = "Look up the server's address for Streamable HTTP, and write it as endpointUrl.";

const AUTHENTICATION =
  "Add setUserAuthentication to the pack, with the type that the server's documentation names. For OAuth that is often AuthenticationType.OAuth2 with useDynamicClientRegistration: true.";

const SESSION = "Look at the server's log. If the server runs as several processes, they must share its sessions.";

const REASONS: Readonly<Record<FailureReason, { readonly message: string; readonly hint: string }>> = {
  "invalid-result": {
    message: "answered with a result that MCP does not allow.",
    hint: "Correct in the server what it returns.",
  },
  "input-required": {
    message: "asks its user for something before it answers.",
    hint: "Let the tool take everything that it needs as arguments. The platform uses only tools.",
  },
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
export function wordsFor({ name }: McpServerDefinition, code: ErrorCode): string | undefined {
  if (code === "response-too-large")
    return `The MCP server ${name} answered with more than ${LARGEST_RESPONSE / 1_048_576} MB, which is not read. Its tools must answer with less.`;
  if (code === "response-invalid")
    return `The MCP server ${name} answered with JSON that nests too deeply to be read. Look at the server's log.`;
  return undefined;
}

export function explainFailure(
  { name }: McpServerDefinition,
  last: LastResponse | undefined,
  { message, code, reason }: McpOutcome & { type: "failed" },
  { isHttpSse, isAnonymous }: { readonly isHttpSse: boolean; readonly isAnonymous: boolean },
): PackAuthError {
  const createError = (what: string, hint?: string): PackAuthError =>
    new PackAuthError("mcp-failed", `The MCP server ${name} ${what}`, { hint });
  if (isHttpSse) return createError("speaks only HTTP+SSE, an older transport that the platform does not support.", ADDRESS);
  if (last === undefined) return createError(`could not be reached: ${message}`);
  const { status } = last;
  const type = (last.headers["content-type"] ?? "").split(";")[0]?.trim().slice(0, LONGEST_TEXT) ?? "";
  const isText = /json|^text\/plain/.test(type);
  const serverText = isText && last.body.trim() !== "" ? ` It said: ${last.body.trim().slice(0, LONGEST_TEXT)}` : "";
  if (reason !== undefined) return createError(`${REASONS[reason].message}${serverText}`, REASONS[reason].hint);
  if (isAnonymous && status === 401)
    return createError(`answered 401: it asks for credentials, and none were sent.${serverText}`, AUTHENTICATION);
  if (isAnonymous && status === 403)
    return createError(`answered 403: it forbids this to who sends no credentials.${serverText}`, AUTHENTICATION);
  // The hint for these comes from what the server says of the credential.
  if (status === 401) return createError(`answered 401: it does not accept the credentials.${serverText}`);
  if (status === 403) return createError(`answered 403: it does not accept the account.${serverText}`);
  if (status === 404 && last.isOfSession)
    return createError(`ended the session, and a new one as well: it answered 404.${serverText}`, SESSION);
  if (status === 404 || status === 405)
    return createError(`answered ${status}: there is no MCP server at this address.${serverText}`, ADDRESS);
  if (status === 429) return createError(`answered 429: too many requests.${serverText}`, "Wait a little, and try again.");
  if (status >= 500)
    return createError(`answered ${status}: the server has an error.${serverText}`, "Try again later, or look at the server's log.");
  if (code !== undefined)
    return createError(`refused: ${message.slice(0, LONGEST_TEXT)} (error ${code}).`, "Look up the error in the server's documentation.");
  if (status >= 300) return createError(`answered ${status}, which is not an answer of MCP.${serverText}`, ADDRESS);
  if (/html/i.test(type)) return createError("answered with a web page: there is no MCP server at this address.", ADDRESS);
  return createError(`does not speak MCP: it answered with ${type === "" ? "a body without a type" : type}.${serverText}`, ADDRESS);
}
