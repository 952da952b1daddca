// Sources as they are while someone types: nothing throws, and what an edit leaves is what a fresh look would find.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { createAnalysis, type OffsetEdit } from "../../../server/analysis/analysis.ts";
import { completionsAt } from "../../../server/analysis/features/completions.ts";
import { hoverAt } from "../../../server/analysis/features/hover.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { analyse, split, unmark } from "../../support/analyse.ts";
import { readTable } from "../../support/json-cases.ts";
import { root } from "../../support/packs.ts";
import { processorTime } from "../../support/processor-time.ts";

const PATH = "/pack/pack.ts";

function sources(): readonly string[] {
  const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs");
  const real = readdirSync(samples, { recursive: true, encoding: "utf8" })
    .filter((name) => /auth|oauth|token|custom|endpoint/i.test(name) && name.endsWith(".ts"))
    .map((name) => readFileSync(join(samples, name), "utf8"));
  const examples = RULES.flatMap((rule) => rule.examples.flatMap((example) => example.bad ?? example.good ?? []));
  return [...examples.map((example) => Object.values(unmark(split(example)).files)[0] ?? ""), ...real].filter(
    (text) => text.length < 12_000,
  );
}

const alone = (text: string, path = PATH) => {
  const analysis = createAnalysis({ readFile: () => undefined });
  analysis.open(path, text);
  return analysis;
};

/** Pieces that turn a source into something else. */
const PIECES = readTable("test/analysis/limits/cases/pieces.json", z.array(z.string()));

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  text: fc.constantFrom(...PIECES),
});

const toOffsets = (text: string, { at, length, text: piece }: { at: number; length: number; text: string }): OffsetEdit => {
  const start = Math.floor(at * text.length);
  return { start, end: Math.min(text.length, start + length), text: piece };
};

describe("robustness", function () {
  for (const [what, declarations] of Object.entries({
    "of its own condition": "const v = v ? pack : 1;",
    "of its own fallback": 'const v = v || "a";',
    "of its own fallback to nothing": 'const v = v || "";',
    "of each other's condition": 'const w = v ? "a" : "b";\nconst v = w ? "c" : "d";',
    "of a function that calls itself in its condition": 'function g(a) { return g(a) ? "x" : "y"; }\nconst v = g(1);',
    "of twenty conditions in a circle": `${Array.from({ length: 20 }, (_, index) => `const a${index} = a${(index + 1) % 20} ? a${(index + 2) % 20} : a${(index + 3) % 20};`).join("\n")}\nconst v = a0;`,
  }))
    it(`a value that depends on itself by way ${what} gets no findings`, () => {
      const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n${declarations}\npack.addNetworkDomain(v);\npack.setUserAuthentication({ type: v, tokenPrefix: v });\n`;
      // Nothing is known of it, so nothing is wrong with it.
      assert.deepEqual(
        alone(source)
          .diagnostics(PATH)
          .filter(({ severity }) => severity !== "information"),
        [],
      );
    });

  this.timeout(60_000);
  const all = sources();

  it("the test has real sources", () => assert.ok(all.length > 50, `${all.length}`));

  it("edits lead to the findings of a fresh analysis", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("ts", "tsx", "js", "mts"),
        (source, edits, extension) => {
          const path = `/pack/pack.${extension}`;
          const analysis = alone(source, path);
          let text = source;
          for (const raw of edits) {
            const change = toOffsets(text, raw);
            text = text.slice(0, change.start) + change.text + text.slice(change.end);
            analysis.change(path, [change]);
            assert.equal(analysis.text(path), text);
            assert.deepEqual(analysis.diagnostics(path), alone(text, path).diagnostics(path));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("a source that ends anywhere is analysed without a failure", () => {
    for (const source of all.slice(0, 60)) {
      for (let end = 0; end < source.length; end += Math.max(1, Math.floor(source.length / 40))) {
        const analysis = alone(source.slice(0, end));
        analysis.diagnostics(PATH);
        for (const offset of [0, end >> 1, end]) {
          completionsAt(analysis.packsOf(PATH), PATH, offset);
          hoverAt(analysis.packsOf(PATH), PATH, offset);
        }
      }
    }
  });

  it("every finding and every edit lies inside its file", () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.array(edit, { minLength: 1, maxLength: 3 }), (source, edits) => {
        let text = source;
        for (const raw of edits) {
          const { start, end, text: piece } = toOffsets(text, raw);
          text = text.slice(0, start) + piece + text.slice(end);
        }
        const within = ({ start, end }: { start: number; end: number }) => 0 <= start && start <= end && end <= text.length;
        for (const finding of alone(text).diagnostics(PATH)) {
          assert.ok(within(finding.place), JSON.stringify(finding.place));
          for (const fix of finding.fixes ?? []) for (const change of fix.edits) assert.ok(within(change), JSON.stringify(change));
        }
      }),
      { numRuns: 400 },
    );
  });

  it("the fix of an object that ends with the file stays inside the file", () => {
    const text = `${HEAD}pack.setUserAuthentication({`;
    const edits = alone(text)
      .diagnostics(PATH)
      .flatMap((finding) => finding.fixes.flatMap((fix) => fix.edits));
    assert.ok(edits.length > 0);
    assert.deepEqual([...new Set(edits.flatMap(({ start, end }) => [start, end]))], [text.length]);
  });

  const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
  const BROKEN: Readonly<Record<string, string>> = {
    "a name defined by itself": `${HEAD}const a = b; const b = a; const o = { ...o };\npack.setUserAuthentication({ type: a, ...o });\npack.addNetworkDomain(a + b);\n`,
    "a list that holds itself, and one whose items it holds": `${HEAD}const a = ["x.example", a];\nfor (const b of [b]) pack.addNetworkDomain(a, b);\npack.setUserAuthentication({ type: a, scopes: a, params: a, networkDomain: a });\n`,
    "strings that double each other": `${HEAD}${Array.from({ length: 60 }, (_, i) => `const t${i + 1} = t${i} + t${i};`).join("\n")}\nconst t0 = "x";\npack.addNetworkDomain(t60);\npack.setUserAuthentication({ type: t60 });\n`,
    "objects that are spread into each other": `${HEAD}${Array.from({ length: 40 }, (_, i) => `const o${i + 1} = { ...o${i}, ...o${i}, a${i}: 1 };`).join("\n")}\nconst o0 = { type: 1 };\npack.setUserAuthentication(o40);\n`,
    "brackets as deep as they go": `${HEAD}pack.setUserAuthentication(${"[".repeat(20_000)}`,
    "objects in each other, with a mistake in each": `${HEAD}const a = \`\${${"{a".repeat(20_000)}}\`;\n`,
    "a sum of thousands": `${HEAD}const sum = ${Array.from({ length: 5_000 }, () => '"x"').join(" + ")};\npack.addNetworkDomain(sum);\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    "an object with __proto__ and constructor": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.constructor, __proto__: { type: 1 }, constructor: 1, toString: 2, hasOwnProperty: "" });\n`,
    "a type named like a property of every object": `${HEAD}pack.setUserAuthentication({ type: "constructor" });\npack.setSystemAuthentication({ type: "__proto__" });\n`,
    "parameters without names, as in types of JSDoc": `${HEAD}type async function (context) {}\nlet x: [{*: function (string): void }];\npack.setUserAuthentication({});\n`,
    "bytes that are no text": `${HEAD}\u0000\ufffd\ud800pack.setUserAuthentication({ \ud800: 1 });`,
  };
  for (const [name, source] of Object.entries(BROKEN)) {
    it(`the analysis ends in time: ${name}`, () => {
      const startTime = processorTime();
      const analysis = alone(source);
      analysis.diagnostics(PATH);
      analysis.change(PATH, [{ start: source.length, end: source.length, text: "\n" }]);
      analysis.diagnostics(PATH);
      assert.ok(processorTime() - startTime < 4_000, "it takes more than linear time");
    });
  }

  it("files that import each other, themselves and missing files get no findings", () => {
    const files: Record<string, string> = {
      "/pack/pack.ts": `import { x } from "./a";\nimport "./pack";\nimport "./missing";\n${HEAD}pack.setUserAuthentication({ type: x });\n`,
      "/pack/a.ts": `export * from "./b";\nexport { y as x } from "./b";\n`,
      "/pack/b.ts": `export * from "./a";\nexport { x as y } from "./a";\n`,
    };
    const analysis = analyse(files);
    assert.deepEqual(
      Object.keys(files).flatMap((path) => analysis.diagnostics(path).map(({ rule }) => rule)),
      [],
    );
  });

  it("files that re-export each other in circles cause no failure", () => {
    const all = ["/pack/a.ts", "/pack/b.ts", "/pack/c.ts"];
    const files: Record<string, string> = {
      "/pack/pack.ts": `import { x, y, newPack as build } from "./a";\nimport * as all from "./a";\n${HEAD}y.push(1);\nbuild();\npack.setUserAuthentication({ type: x, ...all.z });\npack.addNetworkDomain(y);\n`,
      "/pack/a.ts": `export * from "./b";\nexport * from "./c";\n`,
      "/pack/b.ts": `export * from "./a";\nexport * from "./c";\n`,
      "/pack/c.ts": `export * from "./b";\nexport * from "./a";\nexport const y = ["x.example"];\n`,
    };
    const analysis = analyse(files);
    for (const path of all) assert.deepEqual(analysis.diagnostics(path), []);
    assert.deepEqual(
      analysis.packsOf("/pack/pack.ts").map(({ domains }) => domains.declared.map(({ value }) => value)),
      [["x.example"]],
    );
  });

  it("an edit beyond the end applies at the end", () => {
    const analysis = alone("let a;");
    analysis.change(PATH, [{ start: 100, end: 200, text: "\nlet b;" }]);
    assert.equal(analysis.text(PATH), "let a;\nlet b;");
  });

  it("an edit that begins a regular expression in the middle of a line leads to the findings of a fresh analysis", () => {
    const setter =
      'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params_: [{ name: "api key", description: "Key" }] });';
    const rest = "$rt const url = (context, name) => `https://acme.example/?k={{${name}-${context.invocationToken}}}`;\n";
    const source = `${HEAD}pack.addNetworkDomain("acme.example");\n${setter}${rest}`;
    const at = source.indexOf("] });");
    const analysis = alone(source);
    analysis.diagnostics(PATH);
    analysis.change(PATH, [{ start: at, end: at + 1, text: "*/" }]);
    const diagnostics = analysis.diagnostics(PATH);
    assert.deepEqual(diagnostics, alone(analysis.text(PATH) ?? "").diagnostics(PATH));
  });
});
