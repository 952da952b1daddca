// Masks values of any size. A large value is masked member by member in slices, so that the host's event loop is not blocked.

import { type Slices, startSlices } from "../slices.ts";
import { DEEPEST_VALUE, type Redactor } from "./redact.ts";
import { redactText } from "./redact-long.ts";

/** Members, at any depth, that are masked without a pause. */
const AT_ONCE = 2_000;

/** Characters of one text that are masked without a pause. */
const LONG = 64 * 1024;

const isLong = (value: unknown): boolean => typeof value === "string" && value.length > LONG;

/** Returns the same result as redactValue. It changes the value itself, so the caller must not use that any more. */
export async function redactLarge(value: unknown, redactor: Redactor): Promise<unknown> {
  return redactMembers(value, redactor, startSlices(), 0);
}

/** `depth` is the nesting level of the value. */
async function redactMembers(value: unknown, redactor: Redactor, slices: Slices, depth: number): Promise<unknown> {
  if (isLong(value)) return redactText(value as string, redactor);
  if (value === null || typeof value !== "object" || depth >= DEEPEST_VALUE || !isLarge(value)) return redactor.redactValue(value, depth);
  if (slices.isOver()) await slices.next();
  /** Most members are small and are masked synchronously. */
  const mask = (member: unknown): unknown =>
    isLong(member) || (member !== null && typeof member === "object" && isLarge(member))
      ? redactMembers(member, redactor, slices, depth + 1)
      : redactor.redactValue(member, depth + 1);
  // Members are masked in place, because copying very many members takes time.
  if (Array.isArray(value)) {
    const items = value as unknown[];
    for (let index = 0; index < items.length; index++) {
      const masked = mask(items[index]);
      items[index] = masked instanceof Promise ? await masked : masked;
      // Reading the clock costs more than masking most members.
      if (index % 16 === 0 && slices.isOver()) await slices.next();
    }
    return items;
  }
  const members = value as Record<string, unknown>;
  let isNameMasked = false;
  let count = 0;
  for (const name of Object.keys(members)) {
    isNameMasked ||= redactor.redact(name) !== name;
    const pendingMask = mask(members[name]);
    const masked = pendingMask instanceof Promise ? await pendingMask : pendingMask;
    // Object.defineProperty treats a key named __proto__ as an ordinary key; an assignment would not.
    if (masked !== members[name]) Object.defineProperty(members, name, { value: masked });
    if (count++ % 16 === 0 && slices.isOver()) await slices.next();
  }
  if (!isNameMasked) return members;
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [redactor.redact(name), member]));
}

/** Returns whether the value has more members, or longer texts, than are masked without a pause. */
export function isLarge(value: object): boolean {
  let left = AT_ONCE;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const item of Array.isArray(next) ? (next as readonly unknown[]) : Object.values(next)) {
      if (--left < 0 || isLong(item)) return true;
      if (item !== null && typeof item === "object") open.push(item);
    }
  }
  return false;
}
