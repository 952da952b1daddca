// The upload's verdict in the pack's process is that of the toolkit's own validate command, and its messages stand at their lines. A small
// sample of upload-agreement.deep.ts.
import assert from "node:assert/strict";
import { join } from "node:path";
import { root } from "../support/packs.ts";
import { sample } from "./judge.ts";
import { agreement, copyPacks, packsIn } from "./upload-agreement.ts";
import { uploadMutantsOf } from "./upload-mistakes.ts";

describe("the upload's verdict on packs and mutants", function () {
  this.timeout(240_000);
  const packs = copyPacks([join(root, "examples")]);
  after(packs.remove);

  it("the verdict is that of the validate command, and messages stand at the member that was changed", async () => {
    const bases = packsIn(packs.folder);
    const mutants = sample(bases.flatMap(uploadMutantsOf), 24, 45);
    const { judged, equal, rejected, messages, placed, disagreements, misplaced } = await agreement(bases, mutants);
    assert.deepEqual(disagreements, []);
    assert.equal(equal, judged);
    assert.ok(rejected > 8 && rejected < judged - 8, `${rejected} of ${judged} are rejected`);
    assert.ok(messages > 5 && placed >= messages * 0.95, misplaced.join("\n"));
  });
});
