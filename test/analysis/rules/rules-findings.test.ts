// What becomes of that which rules find: once for each place, and no more than anybody reads.
import assert from "node:assert/strict";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { analyse } from "../../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
`;

const findRules = (source: string): readonly string[] =>
  analyse({ "pack.ts": source })
    .diagnostics("pack.ts")
    .map(({ rule }) => rule);

const formula = (name: string, body: string): string =>
  `pack.addFormula({ name: "${name}", description: "${name}.", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => ${body} });\n`;

describe("the findings of rules", () => {
  it("every rule has a handler", () => {
    for (const { id, on } of RULES) assert.notDeepEqual(Object.keys(on), [], id);
  });

  it("a request in a shared function gets one finding, however many formulas call the function", () => {
    const shared = `const get = (context, path) => context.fetcher.fetch({ method: "GET", url: "https://elsewhere.example/" + path });\n`;
    const callers = ["One", "Two", "Three"].map((name) => formula(name, `get(context, "${name}")`)).join("");
    assert.equal(findRules(HEAD + shared + callers).filter((rule) => rule === "fetch-host-undeclared").length, 1);
  });

  it("a rule reports at most a thousand findings, and others still report theirs", () => {
    const uses = Array.from({ length: 1_100 }, (_, index) => `"X-${index}": \`{{other${index}-\${context.invocationToken}}}\`,\n`);
    const request = formula(
      "Many",
      `context.fetcher.fetch({ method: "GET", url: "https://elsewhere.example/", headers: {\n${uses.join("")} } })`,
    );
    const rules = findRules(HEAD + request);
    assert.equal(rules.filter((rule) => rule === "placeholder-undeclared").length, 1_000);
    assert.ok(rules.includes("fetch-host-undeclared"));
  });
});
