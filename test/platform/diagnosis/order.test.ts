// Runs the examples of every diagnosis, and checks the table that orders them.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Diagnosis } from "../../../platform/diagnosis/diagnosis.ts";
import { explain } from "../../../platform/diagnosis/explain.ts";
import { DIAGNOSES } from "../../../platform/diagnosis/order.ts";
import { diagnosisPage } from "../../../platform/diagnosis/page.ts";
import { explanationText } from "../../../platform/diagnosis/words.ts";
import { EVIDENCE } from "../../../spec/evidence-codes.ts";
import { failureOfExample } from "../../support/diagnosis-example.ts";
import { root } from "../../support/packs.ts";

const folder = join(root, "platform/diagnosis/diagnoses");

describe("The table of diagnoses", () => {
  it("every file of a diagnosis has one place in the order, under its own name", () => {
    const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ""));
    assert.deepEqual(DIAGNOSES.map(({ id }) => id).sort(), files.sort());
  });

  it("every evidence code about a credential comes from an example of a diagnosis", async () => {
    const failures = await Promise.all(DIAGNOSES.flatMap(({ examples }: Diagnosis) => examples.map(failureOfExample)));
    const codes = new Set(failures.map((failure) => explain(failure)?.evidence?.code));
    for (const [code, about] of Object.entries(EVIDENCE)) if (about === "credential") assert.ok([...codes].includes(code as never), code);
  });

  for (const { id, docs, examples } of DIAGNOSES satisfies readonly Diagnosis[])
    it(`${id}: its docs say what to change, and an example shows what it does not explain`, () => {
      assert.ok(docs.split(". ").length >= 2, docs);
      assert.ok(id === "unexplained" || examples.some(({ silent }) => silent), "an example that another diagnosis explains");
      assert.ok(
        examples.some(({ says }) => says !== undefined),
        "an example that it explains",
      );
    });
});

describe("The examples of a diagnosis", () => {
  it("the pages show what differs between examples of the same exchange", () => {
    const shown = DIAGNOSES.flatMap((diagnosis) => [...diagnosisPage(diagnosis).matchAll(/^[A-Z][^\n]*:\n\n```.*?```|^```.*?```/gms)]).map(
      String,
    );
    assert.deepEqual(
      shown.filter((text, index) => shown.indexOf(text) !== index),
      [],
    );
  });

  for (const { id, examples } of DIAGNOSES satisfies readonly Diagnosis[])
    for (const [index, example] of examples.entries())
      it(`${id}, example ${index + 1}, is ${example.silent ? "explained by another diagnosis" : "explained"}`, async () => {
        const explanation = explain(await failureOfExample(example));
        if (example.silent) return assert.notEqual(explanation?.id, id);
        assert.equal(explanation?.id, id, JSON.stringify(explanation));
        // The reason begins the sentence, or follows “because”.
        const text = explanationText(explanation);
        assert.ok(text.toLowerCase().includes(example.says.toLowerCase()), text);
        if (example.field !== undefined) assert.equal(explanation.field, example.field);
        if (explanation.field !== undefined)
          assert.ok(explanation.reason.includes(explanation.field), "the first sentence names the field");
      });
});
