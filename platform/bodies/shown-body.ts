// The body of a response as a report shows it: text, of which only the beginning may be there.
import { parse } from "jsonc-parser/lib/esm/main.js";
import type { RequestTrace } from "../../protocol/run.ts";

/** Characters that a report keeps of a body. */
export const SHOWN_BODY = 64 * 1024;

/** Whether a trace shows only the beginning of its answer, which may be short where masks stand in it. */
export const isCut = ({ size = 0 }: Pick<RequestTrace, "size">): boolean => size >= SHOWN_BODY;

/** Of JSON; of a beginning, what is whole in it. Undefined of anything else. */
export function readShown(body: string, isBeginning: boolean): unknown {
  try {
    return JSON.parse(body);
  } catch {
    if (!isBeginning || !/^\s*[[{]/.test(body)) return undefined;
    return withoutLast(parse(body) as unknown);
  }
}

/** The member that was cut is the last one, at every depth. */
function withoutLast(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 1 ? value.slice(0, -1) : value.map(withoutLast);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  const last = entries.at(-1);
  return last === undefined ? value : Object.fromEntries([...entries.slice(0, -1), [last[0], withoutLast(last[1])]]);
}
