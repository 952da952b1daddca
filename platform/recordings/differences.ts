// Where two values of JSON differ.
import { isRecord } from "../../base/is-record.ts";

export interface Difference {
  /** A JSON pointer (RFC 6901); empty for the whole. */
  readonly at: string;
  /** Undefined: it is not there. */
  readonly recorded?: unknown;
  readonly now?: unknown;
}

/** The pointer to a member. */
export const inside = (at: string, name: string): string => `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** One after the other; `ignored` places and all below them are left out. `at`: where both stand. */
export function* differences(
  recorded: unknown,
  now: unknown,
  ignored: ReadonlySet<string> = new Set(),
  at = "",
): Generator<Difference, void> {
  if (Object.is(recorded, now) || ignored.has(at)) return;
  const isList = Array.isArray(recorded) && Array.isArray(now);
  if (!isList && !(isRecord(recorded) && isRecord(now))) {
    yield { at, recorded, now };
    return;
  }
  const member = (value: object, name: string): unknown =>
    Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(now)]))
    yield* differences(member(recorded, name), member(now, name), ignored, inside(at, name));
}

export const isSame = (one: unknown, other: unknown): boolean => differences(one, other).next().done === true;
