// A request's body as text, up to a limit: nobody's mistake fills the sandbox's memory.
import type { IncomingMessage } from "node:http";
import { PackAuthError } from "../errors.ts";

const LARGEST = 32 * 1024 * 1024;

/** Throws sandbox-failed for a body over 32 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and thrown away: a connection that is closed on a sender takes the answer with it.
    if (size <= LARGEST) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > LARGEST) throw new PackAuthError("sandbox-failed", "The request's body is larger than the sandbox takes (32 MiB).");
  return Buffer.concat(chunks).toString("utf8");
}
