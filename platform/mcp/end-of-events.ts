// Where a stream of events has said what was asked: many servers leave it open behind their answer. (Streamable HTTP, and WHATWG HTML 9.2.)

/** Characters of an event that are parsed to see what it is; nothing longer is a notification. */
const LARGEST_NOTIFICATION = 64 * 1024;

/** For a response of this type, asked with each part of its body: true when the rest is not to be waited for. */
export function endOfEvents(contentType: string): ((part: Uint8Array) => boolean) | undefined {
  if (!/^\s*text\/event-stream\b/i.test(contentType)) return undefined;
  const decoder = new TextDecoder();
  let event: string[] = [];
  let line: string[] = [];
  /** Whether the part before ended between CR and LF. */
  let afterReturn = false;
  return (part) => {
    let text = decoder.decode(part, { stream: true });
    if (afterReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") afterReturn = text.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    for (const [index, piece] of lines.entries()) {
      line.push(piece);
      if (index === lines.length - 1) break;
      const whole = line.join("");
      line = [];
      if (whole !== "") event.push(whole);
      else {
        if (isAnswer(event)) return true;
        event = [];
      }
    }
    return false;
  };
}

/** Whether an event is no notification and no request of the server; where HTTP+SSE begins, that it does. */
function isAnswer(lines: readonly string[]): boolean {
  if (isEndpoint(lines)) return true;
  const data = lines.flatMap((line) => /^data:? ?(.*)$/s.exec(line)?.[1] ?? []).join("\n");
  if (data === "") return false;
  if (data.length > LARGEST_NOTIFICATION) return true;
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === "object" && message !== null && !("method" in message);
  } catch {
    // No MCP, which the reader will say.
    return true;
  }
}

const isEndpoint = (lines: readonly string[]): boolean => lines.some((line) => /^event: ?endpoint$/.test(line));

/** Whether a stream begins as that of HTTP+SSE does, the transport before Streamable HTTP. */
export const startsHttpSse = (body: string): boolean => isEndpoint(body.split(/\r\n|\n|\r/).slice(0, 20));
