// Which calls are taken for a look at the context.
import assert from "node:assert/strict";
import { GIVES_CONTEXT } from "../../../server/analysis/syntax/endpoint-guards.ts";

describe("detection of context checks in text", () => {
  it("a call that is named as a check of the context is detected", () => {
    assert.equal(GIVES_CONTEXT.test("if (!hasSite(context)) return;"), true);
    assert.equal(GIVES_CONTEXT.test("if (!this.doCheckSite(url, context)) return;"), true);
    assert.equal(GIVES_CONTEXT.test(`ensureSite("${"x".repeat(500)}", syncContext)`), true);
    assert.equal(GIVES_CONTEXT.test("execute: async function ([name], context) {"), false);
    assert.equal(GIVES_CONTEXT.test("fetchAll(context, url)"), false);
    assert.equal(GIVES_CONTEXT.test("thisHasSite(context)"), false);
  });
});
