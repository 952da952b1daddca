// Converts live date ranges, such as last_30_days (the SDK's PrecannedDateRange), to their two ends, as the platform passes them. Converts
// every date of a parameter to a moment in the time zone of the run.
import type { ParameterValue } from "../../protocol/run.ts";
import { ownTimezone, readDate } from "./read-date.ts";

const DAY = 86_400_000;

/** Whether a live range with this name exists. */
export const isDateRange = (name: unknown): name is string => typeof name === "string" && rangeOf(name, 0) !== undefined;

/**
 * Returns the parameter with each of its dates as a moment, and with `{ $range: name }` as an array of the first and the last moment. Other
 * values are returned unchanged. `now` is in milliseconds since the epoch.
 */
export function resolveDates(value: ParameterValue, timezone: string = ownTimezone, now: number = Date.now()): ParameterValue {
  if (Array.isArray(value)) return value.map((item) => resolveDates(item, timezone, now));
  const { $date, $range } = (value ?? {}) as { $date?: unknown; $range?: unknown };
  if (typeof $date === "string") return { $date: readDate($date, timezone) ?? $date };
  if (typeof $range !== "string") return value;
  // The current date in that time zone. The Canadian locale formats dates as ISO 8601 does.
  const today = Date.parse(new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(now));
  const bounds = rangeOf($range, today);
  if (bounds === undefined) return value;
  const [first, last] = bounds;
  return [{ $date: midnight(first, timezone) }, { $date: new Date(Date.parse(midnight(last + DAY, timezone)) - 1).toISOString() }];
}

const midnight = (day: number, timezone: string): string =>
  readDate(new Date(day).toISOString().slice(0, 10), timezone) ?? new Date(day).toISOString();

/** Returns the first and the last day of a range, both inclusive. Weeks begin on Sunday, which is the platform's default. */
function rangeOf(name: string, today: number): readonly [number, number] | undefined {
  const date = new Date(today);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const sunday = today - date.getUTCDay() * DAY;
  const day = (ofYear: number, ofMonth: number, ofDay: number): number => Date.UTC(ofYear, ofMonth, ofDay);
  const both = /^last_(\d{1,4})_and_next_(\d{1,4})_days$/.exec(name);
  if (both !== null) return [today - Number(both[1]) * DAY, today + Number(both[2]) * DAY];
  const some = /^(last|next)_(\d{1,4})_(days|months)$/.exec(name);
  if (some !== null) {
    const count = Number(some[2]);
    const far = some[1] === "last" ? -count : count;
    const lastOfMonth = day(year, month + far + 1, 0);
    const end = some[3] === "days" ? today + far * DAY : Math.min(day(year, month + far, date.getUTCDate()), lastOfMonth);
    return some[1] === "last" ? [end, today] : [today, end];
  }
  switch (name) {
    case "today":
      return [today, today];
    case "yesterday":
      return [today - DAY, today - DAY];
    case "tomorrow":
      return [today + DAY, today + DAY];
    case "this_week":
      return [sunday, sunday + 6 * DAY];
    case "last_week":
      return [sunday - 7 * DAY, sunday - DAY];
    case "next_week":
      return [sunday + 7 * DAY, sunday + 13 * DAY];
    case "this_month":
      return [day(year, month, 1), day(year, month + 1, 0)];
    case "last_month":
      return [day(year, month - 1, 1), day(year, month, 0)];
    case "next_month":
      return [day(year, month + 1, 1), day(year, month + 2, 0)];
    case "this_year":
      return [day(year, 0, 1), day(year, 11, 31)];
    case "last_year":
      return [day(year - 1, 0, 1), day(year - 1, 11, 31)];
    case "next_year":
      return [day(year + 1, 0, 1), day(year + 1, 11, 31)];
    case "year_to_date":
      return [day(year, 0, 1), today];
    case "everything":
      return [Date.parse("0001-01-01"), Date.parse("3999-12-31")];
    default:
      return undefined;
  }
}
