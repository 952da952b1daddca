// Which calls are taken for a look at the context.
import assert from "node:assert/strict";
import { givesContext } from "../../server/analysis/syntax/endpoint-guards.ts";

describe("whether a text gives the context to what looks at things", () => {
  it("is told by a call that is named so", () => {
    assert.equal(givesContext("if (!hasSite(context)) return;"), true);
    assert.equal(givesContext("if (!this.doCheckSite(url, context)) return;"), true);
    assert.equal(givesContext(`ensureSite("${"x".repeat(500)}", syncContext)`), true);
    assert.equal(givesContext("execute: async function ([name], context) {"), false);
    assert.equal(givesContext("fetchAll(context, url)"), false);
    assert.equal(givesContext("thisHasSite(context)"), false);
  });
});
