// Asks the host before a request is sent, for a run that no person started.
import type { AppliedCredential } from "../../protocol/run.ts";
import type { Redactor } from "../secrets/redact.ts";
import { meaningOf, type RequestMeaning } from "./request-meaning.ts";
import type { Carried } from "./send-once.ts";

/** A request as a person may see it. Masked. */
export interface PermitRequest extends RequestMeaning {
  readonly url: string;
  /** The host with its port, if it has one. */
  readonly host: string;
  /** Absent if the request has no body. */
  readonly body?: string;
  /** Where the request carries credentials; empty if it carries none. */
  readonly credentials: readonly AppliedCredential[];
  /** The headers as `name: value`. */
  readonly headers: readonly string[];
  /** Absent if the request belongs to no MCP session. */
  readonly mcp?: McpMessage;
}

/** What a message asks of an MCP server. */
export interface McpMessage {
  readonly server: string;
  /** Absent if the message opens, keeps or ends the session, or lists what the server offers. */
  readonly call?: McpCall;
}

export interface McpCall {
  readonly tool: string;
  /** The arguments as JSON. */
  readonly arguments: string;
  /** Whether the server marks the tool as read-only now. */
  readonly isReadOnly: boolean;
  /** The names of all tools that it marks so. */
  readonly readOnlyTools: readonly string[];
}

/** Characters of an override in a question. */
const LONGEST_OVERRIDE = 200;

/** Returns the method with what may replace it. It is one line: in a line of its own, an override could pass for another fact. */
export function methodText({ method, overrides }: RequestMeaning): string {
  const texts = overrides.map((override) => override.replaceAll(/\s+/g, " ").slice(0, LONGEST_OVERRIDE));
  return texts.length === 0 ? method : `${method} (${texts.join(", ")})`;
}

/** Resolves if the request may be sent. Throws PackAuthError otherwise. */
export type Permit = (request: PermitRequest, signal: AbortSignal) => Promise<void>;

/** Characters of a body that a person is shown. */
const SHOWN_BODY = 4_000;
/** Characters beyond which a body is described only: it is masked whole, so that no secret is cut in two. */
const LARGE_BODY = 200_000;

/** Returns the masked form of a request that is about to be sent. */
export function permitRequestOf({ request, applied }: Carried, redactor: Redactor): PermitRequest {
  const { url, body, headers } = request;
  const { method, overrides, isRead } = meaningOf(request);
  return {
    method,
    overrides: overrides.map((override) => redactor.redact(override)),
    isRead,
    url: redactor.redact(url),
    host: redactor.redact(new URL(url).host),
    credentials: applied,
    headers: Object.entries(headers).map(([name, value]) => redactor.redact(`${name}: ${value}`)),
    ...(body === undefined ? {} : { body: shownBody(body, redactor) }),
  };
}

function shownBody(body: string | Uint8Array, redactor: Redactor): string {
  if (typeof body !== "string") return `${body.length.toLocaleString("en")} bytes`;
  if (body.length > LARGE_BODY) return `${body.length.toLocaleString("en")} characters`;
  const masked = redactor.redact(body);
  return masked.length > SHOWN_BODY ? `${masked.slice(0, SHOWN_BODY)}… (${masked.length.toLocaleString("en")} characters)` : masked;
}
