// Where a stream of events has said what was asked: many servers leave it open behind their answer. (Streamable HTTP, and WHATWG HTML 9.2.)

import type { ServerRequest } from "./messages.ts";

/** Characters of an event that are parsed to see what it is; nothing longer is a notification. */
const LARGEST_NOTIFICATION = 64 * 1024;

/**
 * For a response of this type, asked with each part of its body: true when the rest is not to be waited for. `onRequest`: a server that asks
 * its client for something waits for the response, with the stream open.
 */
export function endOfEvents(contentType: string, onRequest: (request: ServerRequest) => void): ((part: Uint8Array) => boolean) | undefined {
  if (!/^\s*text\/event-stream\b/i.test(contentType)) return undefined;
  const decoder = new TextDecoder();
  /** The event's lines without its comments, and the line that is not over. What is longer than a notification is not retained. */
  let event: string[] = [];
  let eventLength = 0;
  let line = "";
  let lineLength = 0;
  /** Whether the part before ended between CR and LF. */
  let afterReturn = false;

  /** Whether the line ends an event that is not to be waited behind. */
  function endLine(): boolean {
    const isEvent = lineLength === 0;
    if (!isEvent && !line.startsWith(":")) {
      if (eventLength <= LARGEST_NOTIFICATION) event.push(line);
      eventLength += lineLength;
    }
    line = "";
    lineLength = 0;
    if (!isEvent) return false;
    const isOver = eventLength > LARGEST_NOTIFICATION || isResponseEvent(event, onRequest);
    event = [];
    eventLength = 0;
    return isOver;
  }

  return (part) => {
    let text = decoder.decode(part, { stream: true });
    if (afterReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") afterReturn = text.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    for (const [index, piece] of lines.entries()) {
      if (lineLength <= LARGEST_NOTIFICATION) line += piece;
      lineLength += piece.length;
      if (index < lines.length - 1 && endLine()) return true;
    }
    return false;
  };
}

/** Whether an event is no notification and no request of the server; where HTTP+SSE begins, that it does. */
function isResponseEvent(lines: readonly string[], onRequest: (request: ServerRequest) => void): boolean {
  if (isEndpoint(lines)) return true;
  const data = lines.flatMap((line) => /^data:? ?(.*)$/s.exec(line)?.[1] ?? []).join("\n");
  if (data === "") return false;
  try {
    const message: unknown = JSON.parse(data);
    if (typeof message !== "object" || message === null) return false;
    if (!("method" in message)) return true;
    const { id, method } = message as Partial<ServerRequest>;
    if ((typeof id === "string" || typeof id === "number") && typeof method === "string") onRequest({ id, method });
    return false;
  } catch {
    // No MCP, which the reader will say.
    return true;
  }
}

const isEndpoint = (lines: readonly string[]): boolean => lines.some((line) => /^event: ?endpoint$/.test(line));

/** Whether a stream begins as that of HTTP+SSE does, the transport before Streamable HTTP. */
export const startsHttpSse = (body: string): boolean => isEndpoint(body.split(/\r\n|\n|\r/).slice(0, 20));
