// Finds the differences between two JSON values.
import { isRecord } from "../../base/is-record.ts";

export interface Difference {
  /** A JSON pointer (RFC 6901); empty for the whole value. */
  readonly at: string;
  /** Undefined if the value is absent. The same applies to `now`. */
  readonly recorded: unknown;
  readonly now: unknown;
}

/** Returns the pointer to a member. */
export const inside = (at: string, name: string): string => `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Yields the differences. The `ignored` places and everything below them are skipped. `at` is the place of both values. */
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
