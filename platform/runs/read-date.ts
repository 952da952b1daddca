// Converts dates as a person writes them to the moment that the platform passes to a pack. A date without a zone is in the document's time
// zone (the SDK's guide to time zones). A date without a time is midnight there.

/** The time zone of this machine. It is read once, because creating the formatter takes longer than a request. */
export const ownTimezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether a time zone with this name exists, such as Europe/Lisbon. */
export function isTimezone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)?$/i;
/** Matches dates as the platform shows them in English: 12/1/2026, 10:04 PM. */
const SLASHES = /^\d{1,2}\/\d{1,2}\/\d{4}(?:,?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?)?$/i;
const MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
/** Words that may occur beside the name of a month. The engine's own parser accepts any word. */
const DATE_WORDS = /\b(?:mon|tue|wed|thu|fri|sat|sun|tues|wednes|thurs|satur)(?:day)?\b|\b(?:[ap]m|z|utc|gmt|[ecmp][sd]t)\b/gi;
const ZONE = /(?<!\s)\s*(?:\b(?:z|utc|gmt|[ecmp][sd]t)|(?:gmt|utc)?[+-]\d{2}:?\d{2})$/i;

/** The number of characters of a date. The patterns take more than linear time for blanks. */
const LONGEST = 200;

/** Returns the date as ISO 8601 in UTC, or undefined if the text is not a date. */
export function readDate(text: string, timezone: string = ownTimezone): string | undefined {
  if (text.length > LONGEST) return undefined;
  const trimmed = text.trim();
  const iso = ISO.exec(trimmed);
  const moment = iso === null ? looseMoment(trimmed, timezone) : isoMoment(iso, timezone);
  return moment === undefined || Number.isNaN(new Date(moment).getTime()) ? undefined : new Date(moment).toISOString();
}

function isoMoment(match: RegExpExecArray, timezone: string): number | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "0", utc, sign, zoneHour, zoneMinute = "0"] = match;
  const parts = [year, month, day, hour, minute, second].map(Number) as [number, number, number, number, number, number];
  const wall = utcOf(parts, Math.floor(Number(`0.${fraction}`) * 1000));
  // Rejects dates that do not exist, such as 30 February or 25:00.
  const read = new Date(wall);
  const same = [
    read.getUTCFullYear(),
    read.getUTCMonth() + 1,
    read.getUTCDate(),
    read.getUTCHours(),
    read.getUTCMinutes(),
    read.getUTCSeconds(),
  ];
  if (same.some((part, index) => part !== parts[index])) return undefined;
  if (utc !== undefined) return wall;
  if (sign === undefined) return momentOf(wall, timezone);
  return wall - (sign === "-" ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
}

/**
 * Reads a date with the engine's own parser. That parser also accepts invalid dates, which are rejected here: a word before a number, 30
 * February.
 */
function looseMoment(text: string, timezone: string): number | undefined {
  const readable = text
    // Text in brackets is a comment, such as the long name of a zone.
    .replace(/(?<!\s)\s*\([^()]*\)$/, "")
    .replace(/(\d)(?:st|nd|rd|th)\b/i, "$1")
    .replace(/(\d)([ap]m)\b/i, "$1 $2");
  const isWritten =
    MONTH.test(readable) && /\b\d{4}\b/.test(readable) && !/[a-z]/i.test(readable.replace(MONTH, "").replace(DATE_WORDS, ""));
  if (!isWritten && !SLASHES.test(readable)) return undefined;
  const wall = Date.parse(`${readable.replace(ZONE, "")} UTC`);
  const numbers = readable.match(/\d+/g)?.map(Number) ?? [];
  const day = isWritten ? numbers.find((number) => number <= 31) : numbers[1];
  if (Number.isNaN(wall) || new Date(wall).getUTCDate() !== day) return undefined;
  return ZONE.test(readable) ? Date.parse(readable) : momentOf(wall, timezone);
}

const DAY = 86_400_000;

/**
 * Returns the moment at which clocks of the zone show what `wall` shows in UTC. If the clocks go back over this time, it is the first of
 * the two moments. If they go forward over it, the earlier offset applies (RFC 5545 3.3.5).
 */
function momentOf(wall: number, timezone: string): number {
  const before = offsetAt(wall - DAY, timezone);
  const after = offsetAt(wall + DAY, timezone);
  const isAfter = offsetAt(wall - before, timezone) !== before && offsetAt(wall - after, timezone) === after;
  return wall - (isAfter ? after : before);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Throws RangeError if the zone does not exist. */
function clockOf(timezone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  clocks.set(timezone, clock);
  return clock;
}

/** Returns the milliseconds by which the zone's clocks are ahead of UTC. */
function offsetAt(moment: number, timezone: string): number {
  const clockParts = new Map(
    clockOf(timezone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(clockParts.get(type));
  const year = clockParts.get("era") === "BC" ? 1 - number("year") : number("year");
  return (
    utcOf([year, number("month"), number("day"), number("hour"), number("minute"), number("second")]) - Math.floor(moment / 1000) * 1000
  );
}

/** Returns milliseconds since the epoch. Date.UTC is not used, because it maps the years 0 to 99 to 1900 to 1999. */
function utcOf(
  [year, month, day, hour, minute, second]: readonly [number, number, number, number, number, number],
  millisecond = 0,
): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second, millisecond);
}
