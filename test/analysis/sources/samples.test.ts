// Real packs: no error on anything that the toolkit's own validator accepts.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { notRun } from "../../support/not-run.ts";
import { root } from "../../support/packs.ts";
import { uploadProblems } from "../../support/validator.ts";

function sourcesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter(
      (path) =>
        /\.tsx?$/.test(path) && !path.slice(folder.length).includes("node_modules") && !path.endsWith(".d.ts") && statSync(path).isFile(),
    );
}

/** Every error that we give, with what the validator says of the same pack where it accepts. */
async function falseErrors(folder: string): Promise<readonly string[]> {
  const files = sourcesUnder(folder);
  const analysis = createAnalysis({
    readFile: (path) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined),
  });
  analysis.addCandidates(files);
  const wrong: string[] = [];
  for (const file of files) {
    // Template slots of snippets are no source.
    if (/\$\{\d/.test(readFileSync(file, "utf8"))) continue;
    for (const diagnostic of analysis.diagnostics(file).filter((candidate) => candidate.severity === "error")) {
      const entry = analysis.packsOf(file)[0]?.entry ?? file;
      const problems = await uploadProblems(entry).catch((error: unknown) => [{ message: `does not load: ${String(error)}` }]);
      if (problems.length === 0) wrong.push(`${relative(folder, file)}: ${diagnostic.rule}: ${diagnostic.message}`);
    }
  }
  return wrong;
}

describe("real packs", function () {
  this.timeout(120_000);

  it("the toolkit's samples get no error that its validator does not report", async () => {
    const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples");
    assert.ok(sourcesUnder(samples).length > 150, "the samples are there");
    assert.deepEqual(await falseErrors(samples), []);
  });

  const corpora = (process.env.TESTS_CORPUS ?? "").split(":").filter(Boolean);
  if (corpora.length === 0) notRun("checkouts of real packs (name them in TESTS_CORPUS)");
  for (const corpus of corpora) {
    it(`${corpus.split("/").at(-1)} gets no error that the validator does not report`, async () => {
      assert.ok(sourcesUnder(corpus).length > 0, "there are sources");
      assert.deepEqual(await falseErrors(corpus), []);
    });
  }
});
