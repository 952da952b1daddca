// Other names of what a pack is set up with: what is written to one is written to the other, however many there are and whichever scopes
// declare them, and a minified bundle is no puzzle.
import assert from "node:assert/strict";
import { createAnalysis } from "../../../../../server/analysis/analysis.ts";

const FILE = "/pack/pack.ts";
const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const NAMES = [..."abcdefghij"];

/** What is found of a field that no type has. */
function findFieldRules(text: string): readonly string[] {
  const analysis = createAnalysis({ readFile: () => undefined });
  analysis.open(FILE, HEAD + text);
  return analysis
    .diagnostics(FILE)
    .flatMap(({ rule }) => (rule.startsWith("field-unknown") || rule.startsWith("auth-field") ? [rule] : []));
}

const settings = (name: string) =>
  `const ${name} = { type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key", tokenPrefx: "Token" };\n`;
const isReported = (text: string) => findFieldRules(text).length > 0;

describe("aliases of a configuration", () => {
  it("circular aliases in separate functions leave a constant of the same name unchanged", () => {
    const pairs = NAMES.flatMap((of) => NAMES.filter((name) => name !== of).map((name) => ({ of, name })));
    const bundle = pairs
      .map(({ of, name }, index) => `function f${index}(${of}) { const ${name} = ${of}; ${name}.v = 1; return ${name}; }\n`)
      .join("");
    for (const name of NAMES) assert.ok(isReported(`${settings(name)}${bundle}pack.setUserAuthentication(${name});\n`), name);
  });

  it("circular aliases in one scope share every write to any of them", () => {
    const circle = NAMES.map((name, index) => `let ${name} = ${NAMES[(index + 1) % NAMES.length]};\n`).join("");
    const text = (statement: string) => `${settings("all")}${circle}a = all;\n${statement}pack.setUserAuthentication(all);\n`;
    assert.ok(isReported(text("")));
    assert.ok(!isReported(text("delete a.tokenPrefx;\n")));
  });

  it("writes through chains, parts and wholes reach the configuration", () => {
    const chain = Array.from({ length: 60 }, (_, index) => `const n${index + 1} = n${index};\n`).join("");
    const text = (statement: string) => `${settings("n0")}${chain}${statement}pack.setUserAuthentication(n0);\n`;
    assert.ok(isReported(text("")));
    assert.ok(!isReported(text("delete n60.tokenPrefx;\n")));
    const nestedSource = `${settings("own")}const box = { part: { own } };\nconst { part } = box;\n`;
    assert.ok(isReported(`${nestedSource}pack.setUserAuthentication(own);\n`));
    assert.ok(!isReported(`${nestedSource}delete part.own.tokenPrefx;\npack.setUserAuthentication(own);\n`));
  });
});
