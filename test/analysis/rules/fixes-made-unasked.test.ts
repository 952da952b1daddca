// A field of another type: its fix is not the first of the pack, so no case file has it.
import assert from "node:assert/strict";
import { fixedUnasked, fixesOf, packOf } from "../../support/flagged.ts";
import { problemsOf } from "../../support/judged.ts";

const user = (type: string, field: string): string =>
  packOf(`pack.setUserAuthentication({ type: coda.AuthenticationType.${type}, ${field}: [{ name: "a", description: "A" }] });`);

describe("a field of another type", () => {
  for (const [type, wrong, right] of [
    ["MultiQueryParamToken", "headers", "params"],
    ["MultiHeaderToken", "params", "headers"],
  ] as const)
    it(`the fix is offered, and never made unasked: ${wrong} for ${right}`, async () => {
      const source = user(type, wrong);
      assert.equal(fixedUnasked(source), source);
      const [offered = ""] = Object.values(fixesOf(source, "field-not-for-type"));
      assert.equal(offered, user(type, right));
      assert.deepEqual(await problemsOf({ "/pack/pack.ts": offered }), []);
    });
});
