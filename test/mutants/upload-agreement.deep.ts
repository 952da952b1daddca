// The upload's verdict on the toolkit's samples, on checkouts of real packs in TESTS_CORPUS and on mutants, beside the toolkit's
// own validate command. For some of them the command itself runs as a program.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/packs.ts";
import { commandVerdict } from "../support/validator.ts";
import { sample } from "./judge.ts";
import { mutatedText } from "./mutant.ts";
import { agreement, copyPacks, packFolders, packsIn } from "./upload-agreement.ts";
import { uploadMutantsOf } from "./upload-mistakes.ts";

/** Each costs almost two seconds, because both build and load it. */
const MUTANTS = Number(process.env.TESTS_MUTANTS ?? 48);
/** Each starts the program, which builds a schema that takes seconds. */
const COMMANDS = MUTANTS / 12;
const SEED = 45;

describe("the upload's verdict on many packs and mutants", function () {
  this.timeout(3_600_000);
  const copy = copyPacks(packFolders());
  after(copy.remove);
  const bases = packsIn(copy.folder);
  const mutants = sample(bases.flatMap(uploadMutantsOf), MUTANTS, SEED);

  it("the verdict is that of the validate command, and messages stand at the member that was changed", async () => {
    // The samples are less various than their mutants.
    const result = await agreement(sample(bases, MUTANTS / 2, SEED), mutants);
    const { judged, equal, rejected, unloaded, messages, placed, disagreements, misplaced } = result;
    console.log(`    verdicts equal: ${equal} of ${judged} (${rejected} rejected, ${unloaded} of them not loaded)`);
    console.log(`    messages placed: ${placed} of ${messages}`);
    for (const line of misplaced) console.log(`    elsewhere: ${line}`);
    assert.deepEqual(disagreements, []);
    assert.equal(mutants.length, MUTANTS);
    // One mutant may have many messages elsewhere, which counts more in a small sample.
    assert.ok(placed >= messages * (MUTANTS < 400 ? 0.9 : 0.95), `${placed} of ${messages} messages`);
  });

  it("the command as a program gives the verdict of its functions", async () => {
    const program = join(root, "node_modules/@codahq/packs-sdk/dist/cli/index.js");
    const differing: string[] = [];
    for (const mutant of sample(mutants, COMMANDS, SEED)) {
      const { base, mistake } = mutant;
      writeFileSync(base.file, mutatedText(mutant));
      try {
        const byFunctions = await commandVerdict(base.entry);
        const isAccepted = await promisify(execFile)(process.execPath, [program, "validate", base.entry], {
          cwd: dirname(base.entry),
        }).then(
          () => true,
          () => false,
        );
        if (isAccepted !== byFunctions.isAccepted) differing.push(`${base.name}, ${mistake}`);
      } finally {
        writeFileSync(base.file, base.text);
      }
    }
    console.log(`    the program agrees in ${COMMANDS - differing.length} of ${COMMANDS}`);
    assert.deepEqual(differing, []);
  });
});
