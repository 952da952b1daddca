// Parts of a template that were left in a URL or domain, which nothing replaces.
import { UNKNOWN_PART } from "./url-value.ts";

/** Matches text in documentation and snippets that is meant to be replaced. */
const LEFT_OVERS: readonly RegExp[] = [
  /<[^<>]+>/,
  /\{\{?[^{}]+\}\}?/,
  /\b(?:TODO|FIXME|CHANGEME)\b/,
  /\bYOUR_[A-Z_]+/,
  /(?<![a-z])your[-_]?(?:own[-_]?)?(?:account|app|client|company|domain|host|instance|name|org|organization|project|realm|region|server|shop|site|store|subdomain|team|tenant|workspace)(?![a-z])(?:[-_]?(?:domain|id|name))?/i,
  // As a word of its own, since titles of pages contain it in the middle.
  /(?<![a-z][-_]?)your[-_]?(?:repo(?:sitory)?|user(?:name)?)(?![-_]?[a-z])/i,
];

export function leftOverIn(text: string): string | undefined {
  for (const pattern of LEFT_OVERS) {
    const match = pattern.exec(text)?.[0];
    // Code may fill in a computed part.
    if (match !== undefined && !match.includes(UNKNOWN_PART)) return match;
  }
  return undefined;
}
