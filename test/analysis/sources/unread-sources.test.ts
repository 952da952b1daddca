// Sources that cannot be looked at: that is said where a pack may stand in them, and nothing is held against the rest of the pack.
import assert from "node:assert/strict";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { MOST_CHARACTERS, MOST_TOKENS } from "../../../server/analysis/text/involved.ts";
import { analyse } from "../../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const LARGE = "\n".repeat(MOST_CHARACTERS);
const DEEP = `\nexport const x = ${"[".repeat(20_000)};`;
const PACK = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, networkDomain: "acme.example", params: [{ name: "key", description: "Key" }] });
pack.addNetworkDomain("acme.example");
pack.addFormula({ name: "F", description: "f", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.elsewhere.example/" })).body });
`;

const rulesIn = (files: Readonly<Record<string, string>>, path = "/pack/pack.ts"): readonly string[] =>
  analyse(files)
    .diagnostics(path)
    .map(({ rule }) => rule);

describe("sources that cannot be analysed", () => {
  for (const [name, filler] of Object.entries({ large: LARGE, deep: DEEP })) {
    it(`a source that is too ${name} may contain what the pack lacks`, () => {
      const helper = `import { pack } from "./pack";\npack.addNetworkDomain("elsewhere.example");\nexport const url = "{{key-x}}";\n`;
      const whole = rulesIn({ "/pack/pack.ts": `import "./helper";\n${PACK}`, "/pack/helper.ts": "export {};\n" });
      assert.deepEqual(whole, ["custom-param-unused", "fetch-host-undeclared"]);
      const files = { "/pack/pack.ts": `import "./helper";\n${PACK}`, "/pack/helper.ts": helper + filler };
      assert.deepEqual(rulesIn(files), []);
      assert.deepEqual(rulesIn(files, "/pack/helper.ts"), ["source-not-checked"]);
    });

    it(`a source that is too ${name} is not flagged without a pack`, () => {
      const files = { "/pack/pack.ts": `import { x } from "./data";\n${PACK}x;`, "/pack/data.ts": `export const y = 1;\n${filler}` };
      assert.deepEqual(rulesIn(files, "/pack/data.ts"), []);
    });
  }

  it("data that is too large adds nothing to a pack", () => {
    const files = { "/pack/pack.ts": `import data from "./data.json";\n${PACK}`, "/pack/data.json": `{"manifest":1}${LARGE}` };
    assert.deepEqual(rulesIn(files), ["custom-param-unused", "fetch-host-undeclared"]);
    assert.deepEqual(rulesIn(files, "/pack/data.json"), []);
  });

  it("a source may have so many tokens, and a quoted string counts as one", () => {
    const head = `${HEAD}pack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Nope });\n`;
    const rest = (tokens: number) => "a;\n".repeat(tokens / 2);
    const own = (text: string) => text.match(/"[^"\n]*"|[\w$\u0080-\uffff]+|[^\s\w$\u0080-\uffff]/g)?.length ?? 0;
    const full = rest(MOST_TOKENS - own(head) - (own(head) % 2));
    const last = MOST_TOKENS - own(head + full);
    assert.deepEqual(rulesIn({ "/pack/pack.ts": `${head}${full}${"a ".repeat(last)}` }), ["auth-type-unknown"]);
    assert.deepEqual(rulesIn({ "/pack/pack.ts": `${head}${full}${"a ".repeat(last)};` }), ["source-not-checked"]);
    const data = `const data = "${"QUJD".repeat(250_000)}";\nconst more = "${"é".repeat(500_000)}";\n`;
    assert.deepEqual(rulesIn({ "/pack/pack.ts": head + data }), ["auth-type-unknown"]);
    const texts = `const texts = [${`"It\\"s a text, and not code: a.b(c);", 'It "is" one, too.', `.repeat(5_000)}];\n`;
    assert.deepEqual(rulesIn({ "/pack/pack.ts": head + texts }), ["auth-type-unknown"]);
    const comments = `// It's code that counts.\n${"a.b; ".repeat(MOST_TOKENS / 4)}\n`;
    assert.deepEqual(rulesIn({ "/pack/pack.ts": head + comments }), ["source-not-checked"]);
  });

  it("a pack of many one-line formulas is checked", () => {
    const formula = (name: string): string =>
      `pack.addFormula({ name: "${name}", description: "Reads the thing that it is called after.", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/${name}" })).body });\n`;
    const formulas = Array.from({ length: 600 }, (_, index) => formula(`Thing${index}`)).join("");
    const setter = "pack.setUserAuthentication({ type: coda.AuthenticationType.Nope });\n";
    assert.deepEqual(rulesIn({ "/pack/pack.ts": `${HEAD}pack.addNetworkDomain("acme.example");\n${setter}${formulas}` }), [
      "auth-type-unknown",
    ]);
  });

  it("the settings switch the finding off, and leave the file out", () => {
    const files = { "/pack/pack.ts": HEAD + LARGE };
    assert.deepEqual(rulesIn(files), ["source-not-checked"]);
    assert.deepEqual(rulesIn({ ...files, "/pack/.packauthrc.json": '{ "rules": { "source-not-checked": "off" } }' }), []);
    assert.deepEqual(rulesIn({ ...files, "/pack/.packauthrc.json": '{ "ignore": ["pack.ts"] }' }), []);
  });

  it("an edit across the limit and back leads to the findings of a new source", () => {
    const path = "/pack/pack.ts";
    const fresh = (text: string) => {
      const analysis = createAnalysis({ readFile: () => undefined });
      analysis.open(path, text);
      return analysis;
    };
    const small = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Nope });\n`;
    const analysis = fresh(small);
    const before = analysis.diagnostics(path);
    assert.ok(before.some(({ rule }) => rule === "auth-type-unknown"));
    for (const filler of [LARGE, DEEP]) {
      analysis.change(path, [{ start: small.length, end: small.length, text: filler }]);
      assert.deepEqual(analysis.diagnostics(path), fresh(small + filler).diagnostics(path));
      assert.deepEqual(
        analysis.diagnostics(path).map(({ rule }) => rule),
        ["source-not-checked"],
      );
      const [diagnostic] = analysis.diagnostics(path);
      assert.ok(diagnostic !== undefined);
      assert.deepEqual(analysis.disableAll(diagnostic.place.file, [diagnostic]), [[]]);
      analysis.change(path, [{ start: small.length, end: small.length + filler.length, text: "" }]);
      assert.deepEqual(analysis.diagnostics(path), before);
    }
  });

  it("a chain that is read in a new source is read after an edit", () => {
    const path = "/pack/pack.js";
    // Before its code is optimized, an update of the tree goes too deep from about 900 calls, and a new parse from about 1,200.
    const text = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Nope });\nconst chain = a${".b()".repeat(1_000)};\n`;
    const analysis = createAnalysis({ readFile: () => undefined });
    analysis.open(path, text);
    const before = analysis.diagnostics(path);
    assert.ok(before.some(({ rule }) => rule === "auth-type-unknown"));
    const at = text.indexOf("chain");
    analysis.change(path, [{ start: at, end: at, text: "a" }]);
    assert.deepEqual(analysis.diagnostics(path), before);
  });
});
