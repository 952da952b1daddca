// Mutated inputs, thousands of them in the deep tests: nothing throws, nothing hangs, and what edits leave is what a fresh look in another
// process finds, fixes included. `npm run fuzz` goes on.
import assert from "node:assert/strict";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { partOf } from "../support/runs.ts";
import { describeAnalysis } from "./answer.ts";
import { assertAsFresh } from "./as-fresh.ts";
import { fuzzOnce } from "./fuzz.ts";
import { fuzzInputs } from "./seeds.ts";
import { fuzzSources } from "./sources.ts";
import { fuzzWorkspace } from "./workspace.ts";

const INPUTS = partOf(2_400);
const STEPS = partOf(600);
/** Fixes are compared, and made, at one of so many inputs; `npm run fuzz` compares them at all. */
const FIXES_AT = 20;

describe("fuzzed sources", function () {
  this.timeout(900_000);
  const seed = Number(process.env.TESTS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

  it(`${INPUTS} mutated inputs get a fresh analysis's findings, each within two seconds`, async () => {
    const sources = fuzzSources();
    assert.ok(sources.length > 50, `${sources.length} sources`);
    const slowest = await fuzzInputs(INPUTS, seed, (one) => fuzzOnce(sources, one, { fixesAt: FIXES_AT }));
    assert.deepEqual(
      slowest.flatMap((milliseconds, index) => (milliseconds < 2_000 ? [] : `seed ${seed + index} took ${milliseconds} ms`)),
      [],
    );
  });

  it(`${STEPS} workspace changes, in editor and on disk, get a fresh analysis's findings`, async () => {
    await fuzzInputs(STEPS, seed, (one) => fuzzWorkspace(one, { fixesAt: FIXES_AT }));
  });

  it("a different answer is detected, and reported with its story", async () => {
    const path = "/pack/pack.ts";
    const open = {
      [path]: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, headerName: "X" });\n`,
    };
    const analysis = createAnalysis({ readFile: () => undefined });
    analysis.open(path, open[path] ?? "");
    const description = describeAnalysis(analysis, [path], true);
    const differs = description.replace('"title":"Remove headerName"', '"title":"Remove"');
    assert.notEqual(differs, description);
    const question = { disk: {}, open, paths: [path], withFixes: true };
    await assertAsFresh([{ description, question, story: "nothing" }]);
    await assert.rejects(assertAsFresh([{ description: differs, question, story: "typed x" }]), { message: "typed x" });
  });
});
