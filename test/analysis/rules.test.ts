// Every example of every rule: exactly the marked spans are flagged, the fix makes `fixed`, and what is fixed or good is clean.
import assert from "node:assert/strict";
import { ts } from "ts-morph";
import { RULES } from "../../server/analysis/rules/index.ts";
import { analyse, apply, type Files, split, unmark } from "../support/analyse.ts";

const all = (files: Files, toolkit: boolean | "missing") => {
  const analysis = analyse(files, { toolkit });
  return Object.keys(files).flatMap((file) => analysis.diagnostics(file));
};

for (const rule of RULES) {
  describe(`rule ${rule.id}`, () => {
    assert.ok(
      rule.examples.some((example) => example.bad) && rule.examples.some((example) => example.good),
      "a rule has a bad and a good example",
    );
    for (const [index, example] of rule.examples.entries()) {
      const filled = (files: Files): Files =>
        Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.padEnd(example.filledTo ?? 0, "\n")]));
      const toolkit = example.toolkit === "missing" ? "missing" : example.toolkit === "installed";
      if (example.bad !== undefined) {
        const { files, marks } = unmark(split(example.bad));
        it(`flags example ${index + 1}`, () => {
          const found = all(filled(files), toolkit);
          assert.deepEqual(
            found.map(({ rule: id, place }) => ({ rule: id, file: place.file, text: files[place.file]?.slice(place.start, place.end) })),
            marks.map(({ file, start, end }) => ({ rule: rule.id, file, text: files[file]?.slice(start, end) })),
          );
          assert.deepEqual(
            found.map(({ place }) => [place.start, place.end]),
            marks.map(({ start, end }) => [start, end]),
          );
        });
        it(`every fix of example ${index + 1} parses and takes the finding away`, () => {
          for (const diagnostic of all(filled(files), toolkit)) {
            for (const fix of diagnostic.fixes ?? []) {
              const fixed = apply(files, fix);
              for (const [file, text] of Object.entries(fixed)) {
                const { parseDiagnostics } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest) as unknown as {
                  parseDiagnostics: readonly unknown[];
                };
                assert.deepEqual(parseDiagnostics, [], `${fix.title} leaves ${file} that does not parse:\n${text}`);
              }
              assert.ok(
                !all(fixed, toolkit).some((left) => left.rule === diagnostic.rule && left.message === diagnostic.message),
                `${fix.title} leaves the finding`,
              );
            }
          }
        });
      }
      if (example.bad !== undefined && example.fixed !== undefined) {
        it(`the fix of example ${index + 1} makes what it says, and that is clean`, () => {
          let { files } = unmark(split(example.bad ?? ""));
          const first = all(files, toolkit).find((diagnostic) => diagnostic.rule === rule.id)?.fixes?.[0];
          assert.ok(first, "there is a fix");
          files = apply(files, first);
          assert.deepEqual(files, split(example.fixed ?? ""));
          assert.deepEqual(all(files, toolkit), []);
        });
      }
      if (example.good !== undefined) {
        it(`is silent on example ${index + 1}`, () => {
          assert.deepEqual(all(filled(split(example.good ?? "")), toolkit), []);
        });
      }
    }
  });
}
