// What a name stands for is asked once, and again only after an edit that may change it: edits in one statement that do, and what the
// findings in another one are then.
import assert from "node:assert/strict";
import { createAnalysis } from "../../../server/analysis/analysis.ts";

const PATH = "/pack/pack.ts";

const findingsOf = (text: string): readonly string[] => {
  const analysis = createAnalysis({ readFile: () => undefined });
  analysis.open(PATH, text);
  return textsOf(analysis.diagnostics(PATH));
};

const textsOf = (diagnostics: ReturnType<ReturnType<typeof createAnalysis>["diagnostics"]>): readonly string[] =>
  diagnostics.map(({ rule, place: { start, end }, message }) => `${rule} ${start}-${end} ${message}`);

const pack = (code: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
const config = { type: coda.AuthenticationType.HeaderBearerToken, tokenPrefx: "Token" };
pack.setUserAuthentication(config);
const makeOptions = () => options;
const options = { method: "GET", url: "https://other.example/items" };
pack.addFormula({
  name: "Items", description: "Items.", parameters: [], resultType: coda.ValueType.String,
  execute: async function (args, context) {
    const response = await context.fetcher.fetch(options);
    const local = makeOptions();
    ${code}
    return response.body;
  },
});
async function load(context: coda.ExecutionContext, url: string) {
  return context.fetcher.fetch({ method: "GET", url });
}
pack.addFormula({
  name: "Load", description: "Loads.", parameters: [], resultType: coda.ValueType.String,
  execute: async ([], context) => (await load(context, "https://third.example/items")).body,
});
`;

describe("values resolved before an edit", () => {
  for (const [what, before, after] of [
    ["a constant of the file is written to", `use("a");`, `config.tokenPrefix = "a"; options.url = "https://example.com";`],
    ["it is passed to a function", `use("a");`, `use(options); use(config);`],
    ["another name of it is written to", `const other = "a";`, `const other = options; other.url = "https://example.com/";`],
    ["the result of a helper is written to", `use(local.url);`, `local.url = "https://example.com/";`],
    ["a helper is called with another URL", `use("a");`, `await load(context, "https://fourth.example/");`],
    ["a name of its own hides it", `use("a");`, `{ const options = "a"; use(options); }`],
    ["it is put into a list that escapes", `const all = [];`, `const all = [options]; use(all);`],
    ["a URL is written into a helper's argument", `use("a");`, `local.url += "/x";`],
  ] as const)
    it(`the value is resolved again when ${what}, and when that is undone`, () => {
      const analysis = createAnalysis({ readFile: () => undefined });
      const [from, to] = [pack(before), pack(after)];
      const start = from.indexOf(before);
      analysis.open(PATH, from);
      const first = textsOf(analysis.diagnostics(PATH));
      assert.ok(first.length > 0);
      analysis.change(PATH, [{ start, end: start + before.length, text: after }]);
      assert.deepEqual(textsOf(analysis.diagnostics(PATH)), findingsOf(to));
      analysis.change(PATH, [{ start, end: start + after.length, text: before }]);
      assert.deepEqual(textsOf(analysis.diagnostics(PATH)), first);
    });
});
