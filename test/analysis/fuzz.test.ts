// Ten thousand mutated inputs: nothing throws, nothing hangs, and what edits leave is what a fresh look would find. `npm run fuzz` goes on.
import assert from "node:assert/strict";
import { fuzzOnce } from "../fuzz/fuzz.ts";
import { fuzzSources } from "../fuzz/sources.ts";
import { fuzzWorkspace } from "../fuzz/workspace.ts";

const INPUTS = 10_000;
const STEPS = 5_000;

describe("fuzzed sources", function () {
  this.timeout(900_000);

  it(`${INPUTS} mutated inputs leave what a fresh analysis finds, none in over two seconds`, async () => {
    const sources = fuzzSources();
    assert.ok(sources.length > 50, `${sources.length} sources`);
    const seed = Number(process.env.PACK_AUTH_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
    let inputs = 0;
    for (let index = 0; inputs < INPUTS; index++) {
      const result = await fuzzOnce(sources, seed + index);
      inputs += result.inputs;
      assert.ok(result.slowest < 2_000, `seed ${seed + index} took ${result.slowest} ms`);
    }
  });

  it(`${STEPS} changes of workspaces, in editor and on disk, leave what a fresh analysis finds`, () => {
    const seed = Number(process.env.PACK_AUTH_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
    for (let steps = 0, index = 0; steps < STEPS; index++) steps += fuzzWorkspace(seed + index);
  });
});
