// Reads the body of a response from a report, which may contain only the beginning of the text.
import { parse } from "jsonc-parser/lib/esm/main.js";
import type { RequestTrace } from "../../protocol/run.ts";

/** Characters of a body that a report contains. */
export const SHOWN_BODY = 64 * 1024;

/** Returns whether a trace contains only the beginning of its response. Masking can make that beginning shorter. */
export const isCut = ({ size = 0 }: Pick<RequestTrace, "size">): boolean => size >= SHOWN_BODY;

/** Returns the parsed JSON; of a beginning, only the complete members. Returns undefined for anything else. */
export function readShown(body: string, isBeginning: boolean): unknown {
  try {
    return JSON.parse(body);
  } catch {
    if (!isBeginning || !/^\s*[[{]/.test(body)) return undefined;
    try {
      return withoutLast(parse(body) as unknown);
    } catch {
      // The parser recurses, and a body may nest deeper than the stack allows.
      return undefined;
    }
  }
}

/** Removes the last member at every depth, because the cut went through it. */
function withoutLast(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 1 ? value.slice(0, -1) : value.map(withoutLast);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  const last = entries.at(-1);
  return last === undefined ? value : Object.fromEntries([...entries.slice(0, -1), [last[0], withoutLast(last[1])]]);
}
