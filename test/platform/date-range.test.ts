// Every live range of the toolkit, in the time zone of the run.
import assert from "node:assert/strict";
import { PrecannedDateRange } from "@codahq/packs-sdk";
import { isDateRange, resolveDates } from "../../platform/date-range.ts";

/** A Saturday, 09:30 in UTC. */
const NOW = Date.parse("2026-11-21T09:30:00Z");

describe("live ranges of dates", () => {
  it("go with the dates of a list, and leave everything else as it is", () => {
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
    it(`takes ${name} for ${first} to the end of ${last}`, () => assert.deepEqual(ends(name), [`${first}T00:00:00`, `${last}T23:59:59`]));

  it("are all of the toolkit's, and no others", () => {
    for (const name of Object.values(PrecannedDateRange)) assert.equal(ends(name).length, 2, name);
    assert.ok(!isDateRange("last_blue_moon"));
    assert.deepEqual(resolveDates({ $range: "last_blue_moon" }, "UTC", NOW), { $range: "last_blue_moon" });
  });
});
