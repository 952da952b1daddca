// Reads the parts of a filter that a person types, and says what a filter lets through.

import type { LogSource } from "../public-api/public-api.ts";
import { typeText } from "./log-text.ts";
import type { LogFilter } from "./logs.ts";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns milliseconds since the epoch of a date, or of a time before `now` such as `30m`, `2h` or `7d`. Undefined for any other text. */
export function readSince(text: string, now: number): number | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text.trim()) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const date = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** Examples of what {@link readSince} reads. */
export const SINCE_FORMS = "2026-11-28, 2026-11-28T08:00Z, 30m, 2h or 7d";

/** Returns one part for each condition; none if the filter lets everything through. */
export const filterParts = ({ type, failuresOnly, formula, connection, text, since }: LogFilter): readonly string[] =>
  [
    failuresOnly === true ? "failures only" : undefined,
    type === undefined ? undefined : `type ${typeText(type)}`,
    formula === undefined ? undefined : `formula ${formula}`,
    connection === undefined ? undefined : `connection ${connection}`,
    text === undefined ? undefined : `text “${text}”`,
    since === undefined ? undefined : `since ${new Date(since).toISOString()}`,
  ].filter((part) => part !== undefined);

/** Returns whether the newest entries contain each sign-in of the pack, so that one that works follows one that failed. */
export const showsAllSignIns = ({ kind }: LogSource, { type, since: _, ...conditions }: LogFilter): boolean =>
  kind === "doc" && (type === undefined || type === "auth") && filterParts(conditions).length === 0;
