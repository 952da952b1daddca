// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// Custom params and their placeholders, whichever file they stand in: all of them are found, renamed together, or not at all.
import assert from "node:assert/strict";
import { paramAt } from "../../../server/analysis/configuration/param-occurrences.ts";
import { nameProblem, renameEdits, renameObstacle } from "../../../server/analysis/features/rename-param.ts";
import { analyse, apply, split, unmark } from "../../support/analyse.ts";
import { readTable, texts } from "../../support/json-cases.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const custom = (params: string): string => `pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: ${params} });\n`;
const files = (pack: string, requests: string): string =>
  `// @file: pack.ts\nimport * as requests from "./requests";\n${HEAD}requests;\n${pack}// @file: requests.ts\n${requests}`;

/** The param at the first mark, and what the marks say there should be. */
function find(marked: string) {
  const { files: plain, marks } = unmark(split(marked));
  const analysis = analyse(plain);
  const [first] = marks;
  assert.ok(first);
  const param = paramAt(analysis.packsOf, first.file, first.start);
  const places = (list: readonly { file: string; start: number }[]) => list.map(({ file, start }) => `${file}:${start}`).sort();
  return { plain, analysis, param, occurrences: places(param?.all ?? []), marked: places(marks) };
}

const lineOf = ({ start }: { start: number }): number => start;

describe("a param's occurrences", () => {
  const SHAPES = readTable("test/analysis/sources/cases/params.json", texts);
  for (const [name, source] of Object.entries(SHAPES)) {
    it(`a param is found and renamed ${name}`, () => {
      const { occurrences, marked, param, plain, analysis } = find(source);
      assert.deepEqual(occurrences, marked);
      assert.ok(param);
      assert.equal(renameObstacle(param, lineOf), undefined);
      const renamed = apply(plain, { title: "", edits: renameEdits(param, "apiKey") });
      const after = analyse(renamed);
      for (const file of Object.keys(renamed))
        assert.deepEqual(
          after.diagnostics(file).map(({ message }) => message),
          analysis.diagnostics(file).map(({ message }) => message.replaceAll(/\bkey\b/g, "apiKey")),
        );
      assert.ok(Object.values(renamed).join("").includes("apiKey"));
    });
  }

  it("a query parameter's name has no occurrences", () => {
    const multi = files(custom(`[{ name: "«key»", description: "Key" }]`).replace(".Custom,", ".MultiQueryParamToken,"), "export {};\n");
    assert.equal(find(multi).param, undefined);
  });

  it("a cursor on something else finds no param", () => {
    const { plain, analysis } = find(SHAPES["in two setters"] ?? "");
    assert.equal(paramAt(analysis.packsOf, "/pack/pack.ts", plain["/pack/pack.ts"]?.indexOf("description") ?? 0), undefined);
    assert.equal(paramAt(analysis.packsOf, "/pack/nowhere.ts", 0), undefined);
  });
});

describe("refused renames of a param", () => {
  const obstacle = (source: string): string => {
    const { param } = find(source);
    return (param && renameObstacle(param, () => 7)) ?? "";
  };

  it("a placeholder with a computed name prevents the renaming", () => {
    const computed = files(
      custom(`[{ name: "«key»", description: "Key" }]`),
      "export const url = (context, name) => `{{${name}-${context.invocationToken}}}`;\n",
    );
    assert.equal(
      obstacle(computed),
      "The placeholder in requests.ts, line 7, has a computed name, which may be this one. Renaming key could leave it behind: write the name out there first.",
    );
  });

  it("a name that is put together prevents the renaming", () => {
    const split = files(
      custom(`[{ name: "«key»", description: "Key" }]`),
      'const K = "k";\nexport const url = (context) => `{{${K}ey-${context.invocationToken}}}`;\n',
    );
    assert.match(obstacle(split), /is put together from several strings/);
    const escaped = files(
      custom(`[{ name: "k\\u0065y", description: "Key" }]`),
      "export const url = (context) => `{{«key»-${context.invocationToken}}}`;\n",
    );
    assert.match(obstacle(escaped), /The param in pack\.ts.*is not one plain string/);
  });

  it("an undeclared param prevents the renaming", () => {
    const undeclared = files(
      custom(`[{ name: "key", description: "Key" }]`),
      "export const url = (context) => `{{«kez»-${context.invocationToken}}}`;\n",
    );
    assert.match(obstacle(undeclared), /declares a param kez/);
  });

  it("a name that exists, is blank, or breaks the surrounding strings is refused", () => {
    const { param, analysis } = find(
      files(custom(`[{ name: "«key»", description: "Key" }, { name: "user", description: "User" }]`), "export {};\n"),
    );
    assert.ok(param);
    const packs = analysis.packsOf("/pack/pack.ts");
    for (const bad of ["", "a b", "a}}", "{a", 'a"', "a`", "a'", "a\\", "$a", "user", "a\nb"])
      assert.ok(nameProblem(packs, param, bad), JSON.stringify(bad));
    for (const good of ["key", "apiKey", "api-key", "schlüssel", "a.b"]) assert.equal(nameProblem(packs, param, good), undefined, good);
  });
});
