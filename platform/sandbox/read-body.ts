// Reads a request's body as text, up to a limit that protects the sandbox's memory.
import type { IncomingMessage } from "node:http";
import { readRequestBody } from "../bodies/request-body.ts";
import { PackAuthError } from "../errors.ts";

const LARGEST = 32 * 1024 * 1024;

/** Resolves to the body. Throws sandbox-failed for a body larger than 32 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const body = await readRequestBody(request, LARGEST);
  if (body === undefined) throw new PackAuthError("sandbox-failed", "The request's body is larger than the sandbox takes (32 MiB).");
  return body;
}
