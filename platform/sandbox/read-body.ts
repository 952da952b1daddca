// Reads a request's body as text, up to a limit that protects the sandbox's memory.
import type { IncomingMessage } from "node:http";
import { PackAuthError } from "../errors.ts";

const LARGEST = 32 * 1024 * 1024;

/** Resolves to the body. Throws sandbox-failed for a body larger than 32 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and discarded: closing the connection while the client sends would lose the response.
    if (size <= LARGEST) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > LARGEST) throw new PackAuthError("sandbox-failed", "The request's body is larger than the sandbox takes (32 MiB).");
  return Buffer.concat(chunks).toString("utf8");
}
