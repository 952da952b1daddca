// The cheap look before the pattern never changes what the pattern says.
import assert from "node:assert/strict";
import fc from "fast-check";
import { GIVES_CONTEXT, givesContext } from "../../server/analysis/gives-context.ts";

const RUNS = Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 500);
const PIECES = ["has", "Site", "ensure", "f", "(", ")", ",", " ", "\n", "context", "syncContext", "CTX", ".", "{", "_", "x".repeat(150)];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));
/** Such as may be one, with as much as may be between the bracket and the context. */
const call = fc
  .tuple(
    fc.constantFrom("hasSite", "check", "fetchAll", "ensure_", "function "),
    fc.nat(450),
    fc.constantFrom("context", "ctx", "myCtx"),
    text,
  )
  .map(([name, length, context, rest]) => `${name}(${"a".repeat(length)},${context}${rest})`);

describe("whether a text gives the context to what looks at things", () => {
  it("is told by a call that is named so", () => {
    assert.equal(givesContext("if (!hasSite(context)) return;"), true);
    assert.equal(givesContext(`ensureSite("${"x".repeat(500)}", syncContext)`), true);
    assert.equal(givesContext("execute: async function ([name], context) {"), false);
    assert.equal(givesContext("fetchAll(context, url)"), false);
  });

  it("is what the pattern alone says", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          call,
          fc.tuple(text, call, text).map((all) => all.join("")),
        ),
        (source) => {
          assert.equal(givesContext(source), GIVES_CONTEXT.test(source));
        },
      ),
      { numRuns: RUNS },
    );
  });
});
