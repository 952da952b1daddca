// "Did you mean": which candidate is nearest, told as a table of all distances would tell it.
import assert from "node:assert/strict";
import fc from "fast-check";
import { closest } from "../../base/closest.ts";
import { RUNS } from "../support/runs.ts";

/** Optimal string alignment, by its definition. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : i)));
  const at = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const row = table[i] ?? [];
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.length, b.length);
}

/** The first of the nearest ones that are near enough; those that begin with the name come before all others. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  const lowerName = name.toLowerCase();
  const near = candidates
    .map((candidate) => ({ candidate, edits: distance(lowerName, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, edits }) =>
        (edits <= Math.max(2, Math.floor(Math.max(candidate.length, name.length) / 3)) &&
          edits <= Math.max(1, Math.ceil(name.length / 2) - 1)) ||
        (name.length >= 4 && candidate.toLowerCase().startsWith(lowerName)),
    );
  const begun = near.filter(({ candidate }) => name.length >= 4 && candidate.toLowerCase().startsWith(lowerName));
  if (begun.length > 0) return begun.find(({ edits }) => edits === Math.min(...begun.map((other) => other.edits)))?.candidate;
  return near.find(({ edits }) => edits === Math.min(...near.map((other) => other.edits)))?.candidate;
}

describe("the closest name", () => {
  it("the closest name allows missing, extra, other and swapped letters, any case, and prefixes", () => {
    const names = ["WebBasic", "Custom", "HeaderBearerToken", "CustomHeaderToken", "OAuth2", "None"];
    for (const [name, expected] of [
      ["WebBsaic", "WebBasic"],
      ["webbasics", "WebBasic"],
      ["Headerbearertokn", "HeaderBearerToken"],
      ["Header", "HeaderBearerToken"],
      ["OAuth", "OAuth2"],
      ["CustomH", "CustomHeaderToken"],
      ["Cust", "Custom"],
      ["Nobody knows", undefined],
      ["Nine", "None"],
      ["Non", "None"],
      ["Nu", undefined],
      ["We", undefined],
      ["Nail", undefined],
    ])
      assert.equal(closest(name ?? "", names), expected, name);
  });

  it("the closest name equals that of a full table of edit distances", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "D"), maxLength: 12 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 8 }), (name, candidates) => {
        assert.equal(closest(name, candidates), nearest(name, candidates));
      }),
      { numRuns: RUNS },
    );
  });
});
