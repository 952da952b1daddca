// What is launched is read at each start, and is kept in memory as long as it runs: a byte for each character.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "../../server/analysis/rules/index.ts";
import { root } from "../support/packs.ts";

/** A character that is not of Latin-1. */
const WIDE = /[^\0-\xff]/;

describe("launched bundles", () => {
  for (const name of ["cli-main", "analysis", "other-verbs", "server-main"])
    it(`${name} has a byte for each character`, () => {
      assert.doesNotMatch(readFileSync(join(root, "dist", `${name}.cjs`), "utf8"), WIDE);
    });

  it("raw strings have characters of one byte alone", () => {
    for (const { id, examples } of RULES) assert.doesNotMatch(JSON.stringify(examples), WIDE, id);
  });
});
