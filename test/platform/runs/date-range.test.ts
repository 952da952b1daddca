// Every live range of the toolkit, in the time zone of the run.
import assert from "node:assert/strict";
import { PrecannedDateRange } from "@codahq/packs-sdk";
import fc from "fast-check";
import { isDateRange, resolveDates } from "../../../platform/runs/date-range.ts";

/** A Saturday, 09:30 in UTC. */
const NOW = Date.parse("2026-11-21T09:30:00Z");

describe("Live date ranges", () => {
  it("dates in a list are resolved, other values stay", () => {
    const value = [{ $date: "2026-12-01" }, null, "2026-12-01", 5, { a: 1 }];
    assert.deepEqual(resolveDates(value, "America/New_York", NOW), [{ $date: "2026-12-01T05:00:00.000Z" }, ...value.slice(1)]);
    assert.equal(resolveDates(undefined, "UTC", NOW), undefined);
  });

  const ends = (name: string): readonly string[] =>
    (resolveDates({ $range: name }, "Asia/Tokyo", NOW) as readonly { $date: string }[]).map(({ $date }) =>
      new Date(Date.parse($date) + 9 * 3_600_000).toISOString().slice(0, 19),
    );
  for (const [name, first, last] of [
    ["today", "2026-11-21", "2026-11-21"],
    ["last_30_days", "2026-10-22", "2026-11-21"],
    ["next_7_days", "2026-11-21", "2026-11-28"],
    ["last_7_and_next_7_days", "2026-11-14", "2026-11-28"],
    ["this_week", "2026-11-15", "2026-11-21"],
    ["last_month", "2026-10-01", "2026-10-31"],
    ["last_3_months", "2026-08-21", "2026-11-21"],
    ["year_to_date", "2026-01-01", "2026-11-21"],
  ] as const)
    it(`${name} spans ${first} to the end of ${last}`, () => assert.deepEqual(ends(name), [`${first}T00:00:00`, `${last}T23:59:59`]));

  it("the ranges are exactly the toolkit's", () => {
    for (const name of Object.values(PrecannedDateRange)) assert.equal(ends(name).length, 2, name);
    assert.ok(!isDateRange("last_blue_moon"));
    assert.deepEqual(resolveDates({ $range: "last_blue_moon" }, "UTC", NOW), { $range: "last_blue_moon" });
  });

  const rangeDates = (name: string, now: string): readonly string[] =>
    (resolveDates({ $range: name }, "UTC", Date.parse(`${now}T12:00Z`)) as readonly { $date: string }[]).map(({ $date }) =>
      $date.slice(0, 10),
    );
  for (const [name, now, first, last] of [
    ["last_1_months", "2026-03-31", "2026-02-28", "2026-03-31"],
    ["last_1_months", "2024-03-31", "2024-02-29", "2024-03-31"],
    ["last_3_months", "2026-05-31", "2026-02-28", "2026-05-31"],
    ["last_6_months", "2026-08-31", "2026-02-28", "2026-08-31"],
    ["last_12_months", "2024-02-29", "2023-02-28", "2024-02-29"],
    ["next_1_months", "2026-01-31", "2026-01-31", "2026-02-28"],
    ["next_3_months", "2026-08-31", "2026-08-31", "2026-11-30"],
    ["next_48_months", "2024-02-29", "2024-02-29", "2028-02-29"],
  ] as const)
    it(`${name} on ${now} ends at a short month's last day`, () => assert.deepEqual(rangeDates(name, now), [first, last]));

  it("ranges begin and end with a day of the run's zone, even at clock changes", () => {
    // In most of these clocks were changed at midnight; in Apia a whole day was left out.
    const zones = [
      "America/New_York",
      "America/Sao_Paulo",
      "America/Santiago",
      "America/Havana",
      "Africa/Cairo",
      "Asia/Amman",
      "Asia/Beirut",
    ];
    const before = process.env.TZ;
    try {
      fc.assert(
        fc.property(
          fc.constantFrom(...zones, "Atlantic/Azores", "Pacific/Apia", "Asia/Kathmandu"),
          fc.integer({ min: Date.parse("1990-01-01"), max: Date.parse("2060-01-01") }),
          fc.integer({ min: 0, max: 500 }),
          fc.constantFrom("days", "months"),
          (zone, now, count, unit) => {
            process.env.TZ = zone;
            const today = new Date(now);
            const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
            // An end is the beginning of the day after (`later` is 1), less a millisecond.
            const beginning = (far: number, later: number): string => {
              const lengthOfMonth = new Date(year, month + far + 1, 0, 12).getDate();
              const begin =
                unit === "days"
                  ? new Date(year, month, day + far + later)
                  : new Date(year, month + far, Math.min(day, lengthOfMonth) + later);
              return new Date(begin.getTime() - later).toISOString();
            };
            const resolved = (name: string) =>
              (resolveDates({ $range: name }, zone, now) as readonly { $date: string }[]).map(({ $date }) => $date);
            assert.deepEqual(resolved(`last_${count}_${unit}`), [beginning(-count, 0), beginning(0, 1)]);
            assert.deepEqual(resolved(`next_${count}_${unit}`), [beginning(0, 0), beginning(count, 1)]);
          },
        ),
        { numRuns: 1_000 },
      );
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  for (const [zone, day, moment] of [
    // Clocks go from 24:00 to 1:00 (west and east of Greenwich), and from 1:00 back to 0:00.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
    ["Asia/Amman", "2021-10-29", "2021-10-28T21:00:00.000Z"],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  ] as const)
    it(`${day} in ${zone} begins at its first moment`, () => {
      const now = Date.parse(`${day}T15:00Z`);
      assert.deepEqual((resolveDates({ $range: "today" }, zone, now) as readonly unknown[])[0], { $date: moment });
      assert.deepEqual((resolveDates({ $range: "yesterday" }, zone, now) as readonly unknown[])[1], {
        $date: new Date(Date.parse(moment) - 1).toISOString(),
      });
    });
});
