// The judge of our regular expressions is judged itself.
import assert from "node:assert/strict";
import { judge } from "../../support/judged-patterns.ts";

describe("the check of regular expressions", function () {
  this.timeout(300_000);

  it("patterns that take more than linear time are found", async () => {
    for (const pattern of ["/\\s+$/", "/^(a+)+$/", "/^\\s+|\\s+$/g", "/\\/+$/", "/<[^>]*>/"])
      assert.match((await judge(pattern)) ?? "", /polynomial|exponential/);
    // One that looks behind is judged in one way or the other, by chance.
    for (const pattern of ["/^\\s+/", "/<[^<>]*>/"]) assert.equal(await judge(pattern), undefined);
  });
});
