// A field that the Packs SDK of a pack declares is right there, whatever the built-in model knows: of a configuration, of the objects in it,
// of MCP servers, of updateOptions. Where no SDK is installed, a field that the model does not know is a warning, and no fix deletes it.
import assert from "node:assert/strict";
import { z } from "zod";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { fromToolkit } from "../../support/analyse.ts";
import { fixesOf, flagged } from "../../support/flagged.ts";
import { readTable } from "../../support/json-cases.ts";

const declaration = z.strictObject({
  source: z.string(),
  /** The field that no SDK of today has. */
  field: z.string(),
  /** How a newer SDK declares it: a text of its declarations, and what stands there instead. */
  declares: z.tuple([z.enum(["types", "api", "api_types"]), z.string(), z.string()]),
});

const CASES = readTable("test/analysis/sources/cases/declared-fields.json", z.record(z.string(), declaration));

/** What is said of the field, with a toolkit whose declarations are changed. */
function findRulesWith({ source, field, declares: [file, from, to] }: z.infer<typeof declaration>): readonly string[] {
  const path = `/pack/node_modules/@codahq/packs-sdk/dist/${file}.d.ts`;
  const text = fromToolkit(path) ?? "";
  assert.ok(text.includes(from), from);
  const changedText = text.replace(from, to);
  const analysis = createAnalysis({
    readFile: (name) => (name === "/pack/pack.ts" ? source : name === path ? changedText : fromToolkit(name)),
  });
  analysis.addCandidates(["/pack/pack.ts"]);
  return analysis
    .diagnostics("/pack/pack.ts")
    .filter(({ place }) => source.slice(place.start, place.end) === field)
    .map(({ rule, severity }) => `${severity} ${rule}`);
}

describe("a field that the built-in model lacks", () => {
  for (const [name, declared] of Object.entries(CASES)) {
    it(`a field that the installed SDK declares is accepted: ${name}`, () => assert.deepEqual(findRulesWith(declared), []));
    it(`a field that the installed SDK lacks is an error: ${name}`, () =>
      assert.match(flagged(declared.source, { toolkit: true }).join("\n"), new RegExp(`^error [\\w-]+: ${declared.field}$`, "m")));
  }

  /** These the model knows: as fields of another type, or as no part of OAuth2. */
  const { "of the grant": _grant, "endpointKey of another type than OAuth2": _key, ...unknown } = CASES;
  for (const [name, { source, field }] of Object.entries(unknown))
    it(`an unknown field is a warning without a fix when no SDK is installed: ${name}`, () => {
      const findings = flagged(source).filter((line) => line.endsWith(`: ${field}`));
      assert.equal(findings.length, 1);
      assert.match(findings[0] ?? "", /^warning /);
      const rule = /^warning ([\w-]+)/.exec(findings[0] ?? "")?.[1] ?? "";
      assert.deepEqual(fixesOf(source, rule), {});
    });
});
