// A request as a command that people can paste into a terminal. Its credentials are masked like everything in a trace: whoever
// pastes it puts a real one in place of the dots.
import type { RequestTrace } from "../../../protocol/run.ts";
import { header, TEXT } from "./har.ts";

/** POSIX shell; every argument in single quotes, so that nothing of it is ever expanded. */
export function toCurl(request: Pick<RequestTrace, "method" | "url" | "requestHeaders" | "requestBody">): string {
  const parts = ["curl"];
  if (request.method === "HEAD") parts.push("--head");
  else if (request.method !== "GET" || request.requestBody !== undefined) parts.push(`--request ${quote(request.method)}`);
  // No globbing: brackets and braces in a URL are meant as they stand.
  parts.push("--globoff", quote(request.url));
  // `Name;` is how curl sends a header without a value.
  for (const [name, value] of Object.entries(request.requestHeaders))
    parts.push(`--header ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
  if (request.requestBody !== undefined) {
    // curl itself would call it a form.
    if (header(request.requestHeaders, "content-type") === "") parts.push(`--header ${quote(`Content-Type: ${TEXT}`)}`);
    parts.push(`--data-raw ${quote(request.requestBody)}`);
  }
  return parts.join(" \\\n  ");
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
