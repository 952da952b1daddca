// Every example of every rule: exactly the marked spans are flagged, the fix makes `fixed`, and what is fixed or good is clean.
import assert from "node:assert/strict";
import { ts } from "ts-morph";
import type { Fact } from "../../../protocol/evidence.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { analyse, apply, type Files, split, unmark } from "../../support/analyse.ts";
import { factsOf } from "../../support/example-facts.ts";
import { closePacks } from "../../support/open-packs.ts";
import { removePackFiles } from "../../support/pack-file.ts";

const allOf = (about: string, files: Files, toolkit: boolean | "missing", facts: readonly Fact[] = []) => {
  const analysis = analyse(files, { toolkit, about });
  analysis.setEvidence(facts);
  return Object.keys(files).flatMap((file) => analysis.diagnostics(file));
};

for (const rule of RULES) {
  describe(`rule ${rule.id}`, () => {
    after(() => {
      closePacks();
      removePackFiles();
    });
    assert.ok(
      rule.examples.some((example) => example.bad) && rule.examples.some((example) => example.good),
      "a rule has a bad and a good example",
    );
    const all = (files: Files, toolkit: boolean | "missing", facts?: readonly Fact[]) => allOf(rule.id, files, toolkit, facts);
    for (const [index, example] of rule.examples.entries()) {
      const filled = (files: Files): Files =>
        Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.padEnd(example.filledTo ?? 0, "\n")]));
      const toolkit = example.toolkit === "missing" ? "missing" : example.toolkit === "installed";
      if (example.bad !== undefined) {
        const { files, marks } = unmark(split(example.bad));
        it(`example ${index + 1} is flagged`, async () => {
          const diagnostics = all(filled(files), toolkit, await factsOf(example, files));
          assert.deepEqual(
            diagnostics.map(({ rule: id, place }) => ({
              rule: id,
              file: place.file,
              text: files[place.file]?.slice(place.start, place.end),
            })),
            marks.map(({ file, start, end }) => ({ rule: rule.id, file, text: files[file]?.slice(start, end) })),
          );
          assert.deepEqual(
            diagnostics.map(({ place }) => [place.start, place.end]),
            marks.map(({ start, end }) => [start, end]),
          );
        });
        it(`every fix of example ${index + 1} parses and resolves the finding`, async () => {
          const facts = await factsOf(example, files);
          for (const diagnostic of all(filled(files), toolkit, facts)) {
            for (const fix of diagnostic.fixes ?? []) {
              const fixed = apply(files, fix);
              for (const [file, text] of Object.entries(fixed)) {
                const { parseDiagnostics } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest) as unknown as {
                  parseDiagnostics: readonly unknown[];
                };
                assert.deepEqual(parseDiagnostics, [], `${fix.title} leaves ${file} that does not parse:\n${text}`);
              }
              assert.ok(
                !all(fixed, toolkit, facts).some((left) => left.rule === diagnostic.rule && left.message === diagnostic.message),
                `${fix.title} leaves the finding`,
              );
            }
          }
        });
      }
      if (example.bad !== undefined && example.fixed !== undefined) {
        it(`the fix of example ${index + 1} equals the documented code, which has no findings`, async () => {
          let { files } = unmark(split(example.bad ?? ""));
          const facts = await factsOf(example, files);
          const first = all(files, toolkit, facts).find((diagnostic) => diagnostic.rule === rule.id)?.fixes?.[0];
          assert.ok(first, "there is a fix");
          files = apply(files, first);
          assert.deepEqual(files, split(example.fixed ?? ""));
          assert.deepEqual(all(files, toolkit), []);
        });
      }
      if (example.good !== undefined) {
        it(`example ${index + 1} gets no finding`, async () => {
          const files = filled(split(example.good ?? ""));
          assert.deepEqual(all(files, toolkit, await factsOf(example, files)), []);
        });
      }
    }
  });
}
