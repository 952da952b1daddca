// Finds the end of the response in an event stream, because many servers leave the stream open after it. (Streamable HTTP, and WHATWG HTML
// 9.2.)

import type { ServerRequest } from "./messages.ts";

/** The number of characters up to which an event is parsed. Longer events are never notifications. */
const LARGEST_NOTIFICATION = 64 * 1024;

/**
 * Returns a function for the body of a response with this content type, or undefined if the type is not an event stream. The function gets
 * each part of the body, and returns true if the rest need not be read. `onRequest` gets requests of the server, which waits for a response
 * while the stream is open.
 */
export function endOfEvents(contentType: string, onRequest: (request: ServerRequest) => void): ((part: Uint8Array) => boolean) | undefined {
  if (!/^\s*text\/event-stream\b/i.test(contentType)) return undefined;
  const decoder = new TextDecoder();
  /** The event's complete lines without comments, and the current line. Text beyond the length of a notification is not kept. */
  let event: string[] = [];
  let eventLength = 0;
  let line = "";
  let lineLength = 0;
  /** Whether the previous part ended with CR, so that LF at the start of the next part belongs to it. */
  let afterReturn = false;

  /** Ends the line. Returns true if it ends an event after which nothing need be read. */
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

/** Whether an event is a response, or the beginning of HTTP+SSE. Notifications and requests of the server are not. */
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
    // The event is not JSON. The thread that reads it will report that.
    return true;
  }
}

const isEndpoint = (lines: readonly string[]): boolean => lines.some((line) => /^event: ?endpoint$/.test(line));

/** Whether a stream begins like HTTP+SSE, the transport before Streamable HTTP. */
export const startsHttpSse = (body: string): boolean => isEndpoint(body.split(/\r\n|\n|\r/).slice(0, 20));
