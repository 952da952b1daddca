// Random configurations: what the toolkit's own upload validator rejects is an error here, and what it accepts is none. `npm run bench
// configurations` looks at twenty thousand.
import assert from "node:assert/strict";
import { createRandom } from "../fuzz/random.ts";
import { partOf } from "../support/runs.ts";
import { asToolkitHasIt, createQuickValidator, uploadProblemsOfSource } from "../support/validator.ts";
import { compareRandom, inJavaScript, inTypeScript } from "./random-agreement.ts";
import { randomPack } from "./random-configurations.ts";

const COUNT = partOf(2_000);
/** Others each day would find more, and fail on a day when nothing was changed. */
const SEED = 1_000_000;

describe("random configurations", function () {
  this.timeout(300_000);

  it(`${COUNT} configurations are rejected and accepted as by the upload validator`, () => {
    const { rejected, missed, ours } = compareRandom(COUNT, SEED);
    assert.ok(rejected > COUNT / 4 && rejected < (COUNT * 4) / 5, `${rejected} are rejected`);
    assert.deepEqual(missed, []);
    assert.deepEqual(ours, []);
  });

  it("configurations are judged alike with a schema of their own", async () => {
    const firstProblem = createQuickValidator();
    for (let seed = 0; seed < 30; seed++) {
      const generatedPack = randomPack(createRandom(seed));
      // The schema of no version in particular asks for less.
      if (generatedPack.body.includes("getOptionsFormula")) continue;
      const problems = await uploadProblemsOfSource(inTypeScript(generatedPack), asToolkitHasIt()).catch(() => [
        { message: "does not load" },
      ]);
      assert.equal(firstProblem(inJavaScript(generatedPack)) !== undefined, problems.length > 0, generatedPack.body);
    }
  });

  it("rejected, accepted and unloadable packs are distinguished", () => {
    const firstProblem = createQuickValidator();
    const setUp = (config: string): string =>
      inJavaScript({ body: `pack.addNetworkDomain("example.com");\npack.setUserAuthentication(${config});\n` });
    assert.equal(firstProblem(setUp('{ type: "WebBasic" }')), undefined);
    assert.match(firstProblem(setUp('{ type: "WebBasic", networkDomain: "example.org" }')) ?? "", /must match a previously declared/);
    assert.match(firstProblem(setUp("nothing")) ?? "", /^does not load: ReferenceError/);
  });
});
