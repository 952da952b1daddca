// Dates as people write them: of the document's zone where they name none, and never a guess.
import assert from "node:assert/strict";
import { isTimezone, readDate } from "../../../platform/runs/read-date.ts";

describe("Dates in common notations", () => {
  const read: readonly (readonly [text: string, inLosAngeles: string])[] = [
    // The example of the toolkit's own guide.
    ["11/12/1955, 10:04 PM", "1955-11-13T06:04:00.000Z"],
    ["2026-12-01", "2026-12-01T08:00:00.000Z"],
    ["2026-07-01", "2026-07-01T07:00:00.000Z"],
    ["2026-12-01T10:00", "2026-12-01T18:00:00.000Z"],
    [" 2026-12-01 10:00:30.5 ", "2026-12-01T18:00:30.500Z"],
    ["2026-12-01T10:00Z", "2026-12-01T10:00:00.000Z"],
    ["2026-12-01T10:00:00+02:00", "2026-12-01T08:00:00.000Z"],
    ["2026-12-01 10:00 -0330", "2026-12-01T13:30:00.000Z"],
    ["2026-12-01T10:00:00.123456z", "2026-12-01T10:00:00.123Z"],
    ["12/1/2026", "2026-12-01T08:00:00.000Z"],
    ["Dec 1, 2026", "2026-12-01T08:00:00.000Z"],
    ["December 1st, 2026 10:04pm", "2026-12-02T06:04:00.000Z"],
    ["1 December 2026 22:04", "2026-12-02T06:04:00.000Z"],
    ["Tue, 01 Dec 2026 10:00:00 GMT", "2026-12-01T10:00:00.000Z"],
    ["Tue Dec 01 2026 10:00:00 GMT+0100 (Central European Standard Time)", "2026-12-01T09:00:00.000Z"],
    // The clocks go forward over it (read with the offset from before, RFC 5545 3.3.5), and back over it (the first of the two).
    ["2026-03-08T02:30", "2026-03-08T10:30:00.000Z"],
    ["2026-11-01T01:30", "2026-11-01T08:30:00.000Z"],
    ["1899-12-30", "1899-12-30T08:00:00.000Z"],
    ["2000-02-29", "2000-02-29T08:00:00.000Z"],
  ];
  for (const [text, moment] of read) it(`${text} is read as a date`, () => assert.equal(readDate(text, "America/Los_Angeles"), moment));

  // The engine's own parser takes most of these, for another day or another century.
  const invalidDates = [
    "",
    "hello 1",
    "5",
    "2026",
    "10:04 PM",
    "2026-02-30",
    "2/30/2026",
    "Feb 30, 2026",
    "2026-13-01",
    "2026-12-01T25:00",
    "13/1/2026",
  ];
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
