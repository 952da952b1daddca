// The redactor for values of any size: a large one is masked member by member, in slices, so that the host's loop stays free.
import { DEEPEST_VALUE, type Redactor } from "./redact.ts";
import { type Slices, startSlices } from "./slices.ts";

/** Members, at any depth, that are masked at once. */
const AT_ONCE = 2_000;

/** What redactValue gives. */
export async function redactLarge<T>(value: T, redactor: Redactor): Promise<T> {
  return (await redactMembers(value, redactor, startSlices(), 0)) as T;
}

/** `depth` is how deep the value itself stands. */
async function redactMembers(value: unknown, redactor: Redactor, slices: Slices, depth: number): Promise<unknown> {
  if (value === null || typeof value !== "object" || depth >= DEEPEST_VALUE || !isLarge(value)) return redactor.redactValue(value, depth);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as readonly unknown[]) {
      items.push(await redactMembers(item, redactor, slices, depth + 1));
      if (slices.isOver()) await slices.next();
    }
    return items;
  }
  const members: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    members.push([redactor.redact(key), await redactMembers(item, redactor, slices, depth + 1)]);
    if (slices.isOver()) await slices.next();
  }
  // fromEntries defines members: a key named __proto__ stays a key.
  return Object.fromEntries(members);
}

/** Whether there are more members than are masked at once. */
export function isLarge(value: object): boolean {
  let left = AT_ONCE;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const item of Array.isArray(next) ? (next as readonly unknown[]) : Object.values(next)) {
      if (--left < 0) return true;
      if (item !== null && typeof item === "object") open.push(item);
    }
  }
  return false;
}
