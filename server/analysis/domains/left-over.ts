// What is left of a template in a URL or a domain: nothing replaces it.
import { UNKNOWN_PART } from "./url-value.ts";

/** What is meant to be replaced, in documentation and snippets. */
const LEFT_OVERS: readonly RegExp[] = [
  /<[^<>]+>/,
  /\{\{?[^{}]+\}\}?/,
  /\b(?:TODO|FIXME|CHANGEME)\b/,
  /\bYOUR_[A-Z_]+/,
  /(?<![a-z])your[-_]?(?:own[-_]?)?(?:account|app|client|company|domain|host|instance|name|org|organization|project|realm|region|server|shop|site|store|subdomain|team|tenant|workspace)(?![a-z])(?:[-_]?(?:domain|id|name))?/i,
  // As a word of its own: titles of pages have them in their middle.
  /(?<![a-z][-_]?)your[-_]?(?:repo(?:sitory)?|user(?:name)?)(?![-_]?[a-z])/i,
];

export function leftOverIn(text: string): string | undefined {
  for (const pattern of LEFT_OVERS) {
    const match = pattern.exec(text)?.[0];
    // What is put together may fill it in.
    if (match !== undefined && !match.includes(UNKNOWN_PART)) return match;
  }
  return undefined;
}
