// Reads case files: the sources that a frame makes, the places of the findings, and each way to be malformed.
import assert from "node:assert/strict";
import { parseCases } from "../../support/case-file.ts";

const SET_UP = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const DOMAIN = 'pack.addNetworkDomain("acme.example");\n';
const sourceOf = (text: string): string | undefined => parseCases(text)[0]?.files["/pack/pack.ts"];

const MALFORMED: Readonly<Record<string, readonly [text: string, reason: RegExp]>> = {
  "an empty file": ["", /no case/],
  "a frame alone": ["@frame\nf(…);\n", /no case/],
  "text before the first case": ["f();\n=== a title\nf(); //~ nothing\n", /line 1: text before/],
  "an empty title": ["=== \nf(); //~ nothing\n", /title is empty/],
  "a title twice": ["=== a\nf(); //~ nothing\n=== a\ng(); //~ nothing\n", /line 3: .*two cases/],
  "a case without a source": ["=== a\n//~ nothing\n", /no source/],
  "a case without an annotation": ["=== a\nf();\n", /no annotation/],
  "a mark without a rule": ["=== a\n«f»(); //~ nothing\n", /1 places are marked, and 0/],
  "a rule without a mark": ["=== a\nf(); //~ error field-type\n", /0 places are marked, and 1/],
  "a rule beside nothing": ["=== a\n«f»(); //~ nothing, error field-type\n", /the only annotation/],
  "a rule without a severity": ["=== a\n«f»(); //~ field-type\n", /no severity and rule/],
  "a severity that does not exist": ["=== a\n«f»(); //~ fatal field-type\n", /no severity and rule/],
  "a rule that does not exist": ["=== a\n«f»(); //~ error field-tpe\n", /no rule field-tpe/],
  "a mark without an end": ["=== a\n«f(); //~ error field-type\n", /has no end/],
  "an end without a mark": ["=== a\nf»(); //~ error field-type\n", /ends no mark/],
  "an unknown option": ["@frame fast\n=== a\nf(); //~ nothing\n", /no option "fast"/],
  "a frame without a hole": ["@frame\nf();\n=== a\ng(); //~ nothing\n", /has no …/],
  "a frame with a mark": ["@frame\n«f»(…);\n=== a\n1 //~ nothing\n", /frame has no marks/],
  "more parts than holes": ["=== a\nf();\n…\ng(); //~ nothing\n", /more parts/],
  "an unknown section": ["=== a\nf(); //~ nothing\n--- fixed\nf();\n", /is no section/],
  "a mark in a section": ["=== a\n«f»(); //~ error field-type\n--- fix A\n«f»();\n", /has no marks/],
  "a message below a message": ["=== a\nf(); //~ nothing\n--- message A\nB\n", /is no section/],
};

describe("a case file", () => {
  for (const [name, [text, reason]] of Object.entries(MALFORMED))
    it(`a malformed file is refused: ${name}`, () => assert.throws(() => parseCases(text), reason));

  it("a source gets the beginning of a pack, and a domain unless it declares one", () => {
    assert.equal(sourceOf("=== a\nf(); //~ nothing\n"), `${SET_UP}${DOMAIN}f();\n`);
    assert.equal(sourceOf('=== a\npack.addNetworkDomain("b.example"); //~ nothing\n'), `${SET_UP}pack.addNetworkDomain("b.example");\n`);
    assert.equal(sourceOf("@frame bare\n=== a\nf(); //~ nothing\n"), "f();\n");
    assert.equal(sourceOf("=== a\nimport { newPack } from 'x'; //~ nothing\n"), "import { newPack } from 'x';\n");
  });

  it("the parts of a source fill the holes of its frame in order", () => {
    const frame = "@frame bare\nf(…);\n…\n";
    assert.equal(sourceOf(`${frame}=== a\n1 //~ nothing\n`), "f(1);\n");
    assert.equal(sourceOf(`${frame}=== a\n1\n…\ng(); //~ nothing\n`), "f(1);\ng();\n");
  });

  it("marks inside others and in other files are named in the order of their beginnings", () => {
    const text =
      "@frame bare upload\n=== a\n«f(«1»)»; //~ error field-type, warning url-invalid\n// @file: b.ts\n«g»(); //~ error field-empty, accepted\n";
    const [only] = parseCases(text);
    assert.deepEqual(only?.findings, [
      "pack.ts:1:1 error field-type: f(1)",
      "pack.ts:1:3 warning url-invalid: 1",
      "b.ts:1:1 error field-empty: g",
    ]);
    assert.deepEqual(only?.files, { "/pack/pack.ts": "f(1);\n", "/pack/b.ts": "g();\n" });
    assert.equal(only?.verdict, "accepted");
  });
});
