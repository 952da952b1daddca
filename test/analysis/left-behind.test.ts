// What an edit leaves behind goes with the next look through the young objects: were it kept until the whole heap is looked through, an
// author's hour of typing would cost a hundred megabytes and long pauses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

describe("after an edit", () => {
  it("nothing is left of what was found before it", () => {
    const measure = join(import.meta.dirname, "../support/left-behind.ts");
    const left = Number(execFileSync(process.execPath, ["--import", "tsx", measure], { encoding: "utf8" }));
    assert.ok(left < 16_384, `${left} bytes are left of each edit`);
  }).timeout(60_000);
});
