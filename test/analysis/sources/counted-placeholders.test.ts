// The placeholders of a pack's model.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { packOf } from "../../support/flagged.ts";

describe("a placeholder inside a longer text", () => {
  it("the placeholder is counted once", () => {
    const source = packOf(
      'export const a = (c) => "x".concat(`{{key-${c.invocationToken}}}`, "y") + ["a", `{{key-${c.invocationToken}}}`].join("&");',
    );
    assert.equal(analyse({ "/pack/pack.ts": source }).packsOf("/pack/pack.ts")[0]?.placeholders.length, 2);
  });
});
