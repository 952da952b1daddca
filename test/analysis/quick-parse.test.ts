// The quick parser makes TypeScript's own tree, or none.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { ts } from "ts-morph";
import { parse } from "../../server/analysis/facts.ts";
import { quickParse } from "../../server/analysis/quick-parse.ts";
import { RULES } from "../../server/analysis/rules/index.ts";
import { applyEdit, MUTATIONS } from "../fuzz/mutations.ts";
import { createRandom } from "../fuzz/random.ts";
import { root } from "../support/packs.ts";
import { phrase } from "../support/phrases.ts";
import { RARE_SYNTAX } from "../support/rare-syntax.ts";
import { difference } from "../support/same-tree.ts";

const INPUTS = Number(process.env.PACK_AUTH_FUZZ_INPUTS ?? 6_000);

const PHRASES = 10 * Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 6_000);

/** Sources of folders, without what is installed in them. */
function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ts$/.test(name) && !/(?:^|\/)(?:node_modules|\.git)\//.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"));
}

const samples = sourcesOf(join(root, "node_modules/@codahq/packs-sdk/documentation/samples"));

/** Whether the source was read; throws where it was read otherwise than TypeScript reads it. */
function isReadAlike(text: string): boolean {
  const tree = quickParse(text);
  if (tree === undefined) return false;
  const expected = parse("pack.ts", text) as ts.SourceFile & { readonly parseDiagnostics: readonly unknown[] };
  assert.equal(difference(expected, tree), undefined, JSON.stringify(text));
  assert.equal(expected.parseDiagnostics.length, 0, `it has mistakes: ${JSON.stringify(text)}`);
  return true;
}

describe("the quick parser", () => {
  it("reads nearly all of the toolkit's samples, and each as TypeScript does", () => {
    const read = samples.filter(isReadAlike);
    assert.ok(read.length > samples.length * 0.98, `${read.length} of ${samples.length}`);
  });

  it("reads the examples of the rules as TypeScript does", () => {
    const texts = RULES.flatMap((rule) =>
      rule.examples.flatMap((example) => [example.bad, example.good, example.fixed].flatMap((text) => text ?? [])),
    );
    const plain = texts.map((text) => text.replaceAll(/[«»]/g, ""));
    assert.ok(plain.filter(isReadAlike).length > plain.length * 0.9);
  });

  it("reads what packs seldom hold as TypeScript does, or not at all", () => {
    for (const source of RARE_SYNTAX) for (const part of [source, ...source.split(/(?<=[;}])\s/)]) isReadAlike(part);
  });

  it("reads tokens in any order as TypeScript does, or not at all", function () {
    this.timeout(120_000);
    let read = 0;
    fc.assert(
      fc.property(phrase, (text) => {
        if (isReadAlike(text)) read++;
      }),
      { numRuns: PHRASES },
    );
    assert.ok(read > PHRASES * 0.05, `${read} of ${PHRASES} were read`);
  });

  it("reads our own sources as TypeScript does", function () {
    this.timeout(120_000);
    const own = ["server", "cli", "platform"].flatMap((room) => sourcesOf(join(root, room)));
    const read = own.filter(isReadAlike);
    assert.ok(read.length > own.length * 0.5, `${read.length} of ${own.length}`);
  });

  it("reads the named corpora as TypeScript does", function () {
    this.timeout(120_000);
    if (!process.env.PACK_AUTH_CORPUS) this.skip();
    for (const folder of process.env.PACK_AUTH_CORPUS.split(":").filter(Boolean)) sourcesOf(folder).forEach(isReadAlike);
  });

  it(`reads ${INPUTS} mutated sources as TypeScript does, or not at all`, function () {
    this.timeout(300_000);
    const seed = Number(process.env.PACK_AUTH_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const texts = [...samples, ...RARE_SYNTAX].filter((text) => text.length < 8_000);
    const random = createRandom(seed);
    let read = 0;
    for (let input = 0; input < INPUTS; input++) {
      let text = random.pick(texts);
      for (let edits = 1 + random.int(2); edits > 0; edits--) {
        const mutate = MUTATIONS[random.pick(Object.keys(MUTATIONS))];
        if (mutate !== undefined) text = applyEdit(text, mutate(text, random));
      }
      if (text.length < 20_000 && isReadAlike(text)) read++;
    }
    assert.ok(read > INPUTS / 20, `${read} of ${INPUTS}, seed ${seed}`);
  });
});
