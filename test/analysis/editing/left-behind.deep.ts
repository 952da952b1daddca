// What an edit leaves behind, and an analysis that is done with, goes with the next look through the young objects: were it kept until the
// whole heap is looked through, an author's hour of typing, or a check of thousands of files, would cost a hundred megabytes and long pauses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const leftBehind = (...args: readonly string[]): number =>
  Number(
    execFileSync(process.execPath, ["--import", "tsx", join(import.meta.dirname, "../../support/left-behind.ts"), ...args], {
      encoding: "utf8",
    }),
  );

describe("memory of the analysis", function () {
  this.timeout(60_000);

  it("facts from before an edit are released", () => {
    const left = leftBehind();
    // A look at the young objects in the midst of an edit keeps what that one found: some 1,700 bytes for each such look. How many there
    // are depends on the machine. The facts of the file are many times the bound.
    assert.ok(left < 16_384, `${left} bytes are left of each edit`);
  });

  it("an unreferenced analysis is released", () => {
    const left = leftBehind("analyses");
    assert.ok(left < 16_384, `${left} bytes are left of each analysis`);
  });
});
