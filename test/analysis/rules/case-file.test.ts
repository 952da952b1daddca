// Reads case files: the sources that a frame makes, the places of the findings, and each way to be malformed.
import assert from "node:assert/strict";
import { z } from "zod";
import { parseCases } from "../../support/case-file.ts";
import { pattern, readTable } from "../../support/json-cases.ts";

const SET_UP = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const DOMAIN = 'pack.addNetworkDomain("acme.example");\n';
const sourceOf = (text: string): string | undefined => parseCases(text)[0]?.files["/pack/pack.ts"];

const MALFORMED = readTable("test/analysis/rules/cases/malformed.json", z.record(z.string(), z.tuple([z.string(), pattern])));

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
