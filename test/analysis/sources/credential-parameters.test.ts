// A credential that a formula takes as a parameter, and passes on through very many calls.
import assert from "node:assert/strict";
import { flaggedBy, packOf } from "../../support/flagged.ts";

describe("a credential as a formula's parameter", () => {
  it("a credential behind many helper calls is found without trying every path", () => {
    const calls = "await tell(context, secret); ".repeat(1_000);
    const source =
      packOf(`async function tell(context, secret) { ${calls} return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: \`Bearer \${secret}\` } }); }
pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function ([key, id], context) { return tell(context, key); } });`);
    assert.deepEqual(flaggedBy("credential-as-parameter", source), ["information key"]);
  });
});
