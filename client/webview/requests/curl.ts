// Converts a request to a command for a terminal. Credentials are masked as in every trace: the person who pastes the command fills them
// in.
import type { RequestTrace } from "../../../protocol/run.ts";
import { header, TEXT } from "./har.ts";

/** For a POSIX shell: every argument is in single quotes, so that nothing is expanded. */
export function toCurl(request: Pick<RequestTrace, "method" | "url" | "requestHeaders" | "requestBody">): string {
  const parts = ["curl"];
  if (request.method === "HEAD") parts.push("--head");
  else if (request.method !== "GET" || request.requestBody !== undefined) parts.push(`--request ${quote(request.method)}`);
  // Globbing is off, because brackets and braces in a URL are literal.
  parts.push("--globoff", quote(request.url));
  // curl sends a header without a value for `Name;`.
  for (const [name, value] of Object.entries(request.requestHeaders))
    parts.push(`--header ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
  if (request.requestBody !== undefined) {
    // curl would otherwise send the content type of a form.
    if (header(request.requestHeaders, "content-type") === "") parts.push(`--header ${quote(`Content-Type: ${TEXT}`)}`);
    parts.push(`--data-raw ${quote(request.requestBody)}`);
  }
  return parts.join(" \\\n  ");
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
