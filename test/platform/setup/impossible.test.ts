import assert from "node:assert/strict";
import { IMPOSSIBLE } from "../../../platform/setup/impossible.ts";
import { AUTH_TYPES } from "../../../spec/auth-types.ts";

describe("What the platform cannot do", () => {
  for (const [reason, row] of Object.entries(IMPOSSIBLE))
    it(`the row ${reason} has a reason, a way out and a source`, () => {
      assert.match(row.because, /\.$/);
      assert.match(row.wayOut, /\.$/);
      assert.match(row.source, /auth-spec|sdk-facts/);
    });

  it("each type that a way out names exists, and is for everybody", () => {
    for (const { wayOut } of Object.values(IMPOSSIBLE))
      for (const [name] of wayOut.matchAll(
        /\b(?:Custom\w*|Multi\w+|QueryParam\w+|HeaderBearer\w+|WebBasic|OAuth2\w*|AWS(?:AccessKey|AssumeRole))\b/g,
      ))
        assert.equal(AUTH_TYPES[name as keyof typeof AUTH_TYPES].isHidden, undefined, name);
  });
});
