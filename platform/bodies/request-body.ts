// Reads the body of a request that reached a server of ours.
import type { IncomingMessage } from "node:http";

/**
 * Returns the body as text; undefined if it has more bytes than `largest`. The rest is read and discarded: closing the connection while the
 * client sends would lose the response.
 */
export async function readRequestBody(request: IncomingMessage, largest: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largest) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > largest ? undefined : Buffer.concat(chunks).toString("utf8");
}
