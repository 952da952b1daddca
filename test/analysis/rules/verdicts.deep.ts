// What the analysis says of a pack's upload, beside what the Packs SDK's own validator says of it: for every example of every rule, and
// for every case.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { analyse, type Files, split, unmark } from "../../support/analyse.ts";
import { parseCases } from "../../support/case-file.ts";
import { problemsOf } from "../../support/judged.ts";

const CASES = join(import.meta.dirname, "../cases");

interface JudgedPack {
  readonly name: string;
  readonly files: Files;
  readonly toolkit: boolean | "missing";
}

const examples = RULES.flatMap((rule) =>
  rule.examples.flatMap((example, index): readonly JudgedPack[] => {
    if (example.bad === undefined || example.evidence !== undefined) return [];
    const toolkit = example.toolkit === "missing" ? "missing" : example.toolkit === "installed";
    return [{ name: `${rule.id}, example ${index + 1}`, files: unmark(split(example.bad)).files, toolkit }];
  }),
);
const cases = readdirSync(CASES, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.\w+$/.test(name))
  .flatMap((name) =>
    parseCases(readFileSync(join(CASES, name), "utf8")).map(
      ({ title, files, options }): JudgedPack => ({
        name: `${name}: ${title}`,
        files,
        toolkit: options.has("toolkit") || options.has("toolkit-only") || options.has("either"),
      }),
    ),
  );

/** Where the validator judges something else than the analysis: one branch of a condition, another file, or a pack that does not load here. */
const NOT_COMPARED = [
  /a branch that is not taken|one branch of a field|either of two configs|by a condition|in a timer/,
  /another file exports|an enum under another name|beside a package|unencrypted, in a template|a name behind a constant/,
  // One cause has two effects, of which the rule says one.
  /joined domains are offered/,
  /an old Packs SDK/,
];

describe("the verdict of an error, beside that of the SDK's validator", function () {
  this.timeout(120_000);
  for (const { name, files, toolkit } of [...examples, ...cases].filter((each) => !NOT_COMPARED.some((pattern) => pattern.test(each.name))))
    it(name, async () => {
      const analysis = analyse(files, { toolkit });
      const errors = Object.keys(files)
        .flatMap((file) => analysis.diagnostics(file))
        .filter(({ severity }) => severity === "error");
      // The validator sees no function of a step; the SDK's build refuses an old name.
      if (errors.every(({ rule }) => rule === "field-deprecated")) return;
      const isRejected = errors.some(({ verdict }) => verdict === "will-be-rejected");
      const problems = await problemsOf(files);
      assert.equal(
        isRejected,
        problems.length > 0,
        JSON.stringify({ errors: errors.map(({ rule, message }) => `${rule} ${message}`), problems }),
      );
    });
});
