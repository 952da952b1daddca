// What functions return has the places of the function that it was asked of: not those of another one with the same text, nor those that
// a draft of the file has.
import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Analysis, createAnalysis } from "../../../server/analysis/analysis.ts";
import { createDraft } from "../../../server/analysis/draft.ts";
import type { Diagnostic } from "../../../server/analysis/model/findings.ts";

const FILE = "/pack/pack.ts";
const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const HELPER = `() => ({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key", tokenPrefx: "Token" })`;

function analysisOf(text: string): Analysis {
  const analysis = createAnalysis({ readFile: () => undefined });
  analysis.open(FILE, text);
  return analysis;
}

const misspelt = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ message }) => message.includes("tokenPrefx"));

describe("return facts of functions", () => {
  it("return facts keep their positions while a draft of the file is fixed", () => {
    const text = `${HEAD}pack.addNetworkDomain("https://example.com/");\nconst settings = ${HELPER};\npack.setUserAuthentication(settings());\n`;
    const analysis = analysisOf(text);
    const [before] = misspelt(analysis.diagnostics(FILE));
    const draft = createDraft(analysis, FILE, () => {});
    const start = text.indexOf("https://");
    draft.apply([{ file: FILE, start, end: start + "https://".length, text: "" }]);
    assert.equal(misspelt(draft.analysis.diagnostics(FILE)).length, 1);
    const [after] = misspelt(analysis.diagnostics(FILE));
    for (const finding of [before, after]) {
      assert.equal(text.slice(finding?.place.start, finding?.place.end), "tokenPrefx");
      const fixed = finding?.fixes.map(({ edits }) => edits.map((edit) => text.slice(edit.start, edit.end)).join());
      assert.deepEqual(fixed, ["tokenPrefx", ', tokenPrefx: "Token"']);
    }
  });

  it("two functions with the same text keep their own return facts", () => {
    const text = `${HEAD}const mine = ${HELPER};\nconst ours = ${HELPER};\npack.setUserAuthentication(mine());\npack.setSystemAuthentication(ours());\n`;
    const places = misspelt(analysisOf(text).diagnostics(FILE)).map(({ place }) => place.start);
    assert.deepEqual(
      places,
      [...text.matchAll(/tokenPrefx/g)].map(({ index }) => index),
    );
  });

  it("two steps with the same options keep their own return facts", () => {
    const step = (name: string) =>
      `{ type: coda.PostSetupType.SetEndpoint, name: "${name}", description: "Site", getOptions: async function (context) { return [{ display: "A", value: "http://a.example.com" }]; } }`;
    const text = `${HEAD}pack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true, endpointDomain: "other.example", postSetup: [${step("one")}, ${step("two")}] });\n`;
    const diagnostics = analysisOf(text).diagnostics(FILE);
    const byRule = new Map<string, number[]>();
    for (const { rule, place } of diagnostics) {
      if (text.slice(place.start, place.end).includes("http://a.example.com")) byRule.set(rule, [...(byRule.get(rule) ?? []), place.start]);
    }
    assert.ok(byRule.size > 0, JSON.stringify(diagnostics));
    for (const [rule, starts] of byRule) assert.equal(starts.length, 2, rule);
  });

  it("return facts are released with their source", () => {
    const large = `${HEAD}/* ${"x".repeat(200_000)} */\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async function (context) { return "a"; } });\n`;
    const analysis = analysisOf(large);
    const at = large.indexOf(`"a"`) + 2;
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const measureHeap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    analysis.diagnostics(FILE);
    const before = measureHeap();
    for (let key = 0; key < 100; key++) {
      analysis.change(FILE, [{ start: at, end: at, text: "b" }]);
      analysis.diagnostics(FILE);
    }
    assert.ok(measureHeap() - before < 8_000_000, `${measureHeap() - before} bytes more`);
  });
});
