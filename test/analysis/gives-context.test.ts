// Which calls are taken for a look at the context.
import assert from "node:assert/strict";
import { GIVES_CONTEXT } from "../../server/analysis/syntax/endpoint-guards.ts";

describe("whether a text gives the context to what looks at things", () => {
  it("is told by a call that is named so", () => {
    assert.equal(GIVES_CONTEXT.test("if (!hasSite(context)) return;"), true);
    assert.equal(GIVES_CONTEXT.test("if (!this.doCheckSite(url, context)) return;"), true);
    assert.equal(GIVES_CONTEXT.test(`ensureSite("${"x".repeat(500)}", syncContext)`), true);
    assert.equal(GIVES_CONTEXT.test("execute: async function ([name], context) {"), false);
    assert.equal(GIVES_CONTEXT.test("fetchAll(context, url)"), false);
    assert.equal(GIVES_CONTEXT.test("thisHasSite(context)"), false);
  });
});
