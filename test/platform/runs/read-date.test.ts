// Dates as people write them: of the document's zone where they name none, and never a guess.
import assert from "node:assert/strict";
import { z } from "zod";
import { isTimezone, readDate } from "../../../platform/runs/read-date.ts";
import { readTable } from "../../support/json-cases.ts";

describe("Dates in common notations", () => {
  const read = readTable("runs/cases/dates.json", z.array(z.tuple([z.string(), z.string()])));
  for (const [text, moment] of read) it(`${text} is read as a date`, () => assert.equal(readDate(text, "America/Los_Angeles"), moment));

  // The engine's own parser takes most of these, for another day or another century.
  const invalidDates = readTable("runs/cases/invalid-dates.json", z.array(z.string()));
  for (const text of [
    ...invalidDates,
    "01.12.2026",
    "Maybe 2026",
    "May 2026",
    "at 1 May 2026",
    "tomorrow",
    "1764547200000",
    "2026-12-01T10:00 Lisbon",
  ])
    it(`${JSON.stringify(text)} is no date`, () => assert.equal(readDate(text, "America/Los_Angeles"), undefined));

  it("time zones are recognized", () => {
    assert.deepEqual(["Europe/Lisbon", "UTC", "Nowhere/Lost", ""].map(isTimezone), [true, true, false, false]);
  });
});
