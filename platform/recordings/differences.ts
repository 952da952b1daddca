// Where two values of JSON differ.
import { isRecord } from "../../protocol/is-record.ts";

export interface Difference {
  /** A JSON pointer (RFC 6901); empty for the whole. */
  readonly at: string;
  /** Undefined: it is not there. */
  readonly recorded?: unknown;
  readonly now?: unknown;
}

const MOST = 50;

/** The pointer to a member. */
export const inside = (at: string, name: string): string => `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** At most fifty; `ignored` places and all below them are left out. */
export function differences(recorded: unknown, now: unknown, ignored: readonly string[] = []): readonly Difference[] {
  const found: Difference[] = [];
  const look = (one: unknown, other: unknown, at: string): void => {
    if (found.length >= MOST || Object.is(one, other) || ignored.includes(at)) return;
    const isList = Array.isArray(one) && Array.isArray(other);
    if (!isList && !(isRecord(one) && isRecord(other) && !Array.isArray(one) && !Array.isArray(other))) {
      found.push({ at, recorded: one, now: other });
      return;
    }
    const names = isList
      ? [...Array(Math.max(one.length, other.length)).keys()].map(String)
      : [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const member = (value: unknown, name: string): unknown =>
      Object.hasOwn(value as object, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    for (const name of names) look(member(one, name), member(other, name), inside(at, name));
  };
  look(recorded, now, "");
  return found;
}
