// An endpoint that no account has is an error where the code can come to run, and none in a function that nothing calls.
import assert from "node:assert/strict";
import { analyse, split } from "../../../support/analyse.ts";
import { readTable, texts } from "../../../support/json-cases.ts";

const SILENT = readTable("test/server/analysis/pack/cases/unreachable-code.json", texts);

const REACHABLE = readTable("test/server/analysis/pack/cases/reachable-code.json", texts);

function findRules(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ rule }) => rule));
}

describe("an endpoint that no account has", () => {
  for (const [name, source] of Object.entries(SILENT))
    it(`the endpoint is no error in a function that nothing calls: ${name}`, () => assert.deepEqual(findRules(source), []));
  for (const [name, source] of Object.entries(REACHABLE))
    it(`the endpoint is an error in a function that is called: ${name}`, () =>
      assert.deepEqual(findRules(source), ["endpoint-without-source"]));
});
