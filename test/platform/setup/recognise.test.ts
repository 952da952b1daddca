import assert from "node:assert/strict";
import { z } from "zod";
import { recogniseEvidence } from "../../../platform/setup/recognise.ts";
import { readTable } from "../../support/json-cases.ts";

const KINDS = readTable("setup/cases/kinds-of-evidence.json", z.array(z.tuple([z.string(), z.string().optional()])));

describe("Evidence", () => {
  for (const [text, kind] of [...KINDS, [`{"paths":{${'"/a":{},'.repeat(200_000)}"/b":{}},"swagger":"2.0"}`, "openapi"] as const])
    it(`the text ${JSON.stringify(text.slice(0, 60))} is recognised as ${kind ?? "nothing"}`, () => {
      assert.equal(recogniseEvidence(text), kind);
    });
});
