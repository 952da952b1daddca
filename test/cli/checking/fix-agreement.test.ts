// `--fix` and the editor's *Fix all* are one set of fixes: what is made unasked, and what waits for the author.
import assert from "node:assert/strict";
import { fixFiles } from "../../../cli/sources/fix-files.ts";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { createDraft } from "../../../server/analysis/draft.ts";
import { applyFixes, fixedText, unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import { fixInRounds } from "../../../server/analysis/features/fixes/fix-rounds.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { analyse, split, unmark } from "../../support/analyse.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const FILE = "/pack/pack.ts";

function byCommandLine(files: Readonly<Record<string, string>>) {
  const texts = new Map<string, string>();
  const analysis = createAnalysis({ readFile: (path) => texts.get(path) ?? files[path] });
  const paths = Object.keys(files);
  analysis.addCandidates(paths);
  const { appliedFixes } = fixFiles(paths, analysis, texts, { read: (path) => files[path], failure: () => "", isExact: () => true });
  const left = paths.flatMap((path) => analysis.diagnostics(path)).length;
  return { files: { ...files, ...Object.fromEntries(texts) } as Record<string, string>, summary: fixedText(appliedFixes.length, left) };
}

/** Of one file: an editor fixes the one that is shown. */
function byEditor(files: Readonly<Record<string, string>>, file: string) {
  const draft = createDraft(analyse(files), file, () => {});
  const { edits, fixed, left } = fixInRounds(draft, file, unasked);
  const text = applyFixes([{ title: "all", edits }], (path) => files[path] ?? "").get(file) ?? files[file] ?? "";
  return { text, summary: fixedText(fixed, left) };
}

describe("fixing all", () => {
  const config = (...lines: readonly string[]): string =>
    `${HEAD}pack.setUserAuthentication({\n${lines.map((line) => `  ${line}\n`).join("")}});\n`;

  it("fixing all corrects names, removes duplicates and unused comments, and leaves the rest", () => {
    const source = config(
      "// pack-auth-disable-next-line url-invalid",
      "type: coda.AuthenticationType.OAuth,",
      'authorizationUrl: "https://login.acme.example/a",',
      'tokenUrll: "https://login.acme.example/t",',
      'scopes: ["a", "b", "a"],',
      'headerName: "X-Written-By-Somebody",',
      'somethingElseEntirely: "kept",',
    );
    const fixed = config(
      "type: coda.AuthenticationType.OAuth2,",
      'authorizationUrl: "https://login.acme.example/a",',
      'tokenUrl: "https://login.acme.example/t",',
      'scopes: ["a", "b"],',
      'headerName: "X-Written-By-Somebody",',
      'somethingElseEntirely: "kept",',
    );
    assert.deepEqual(byEditor({ [FILE]: source }, FILE), { text: fixed, summary: "4 fixed, 3 need you" });
    assert.deepEqual(byCommandLine({ [FILE]: source }), { files: { [FILE]: fixed }, summary: "4 fixed, 3 need you" });
  });

  it("the summary counts what was fixed and what needs the author", () => {
    assert.deepEqual([fixedText(2, 0), fixedText(0, 1), fixedText(1, 12)], ["2 fixed", "0 fixed, 1 needs you", "1 fixed, 12 need you"]);
  });

  it("the editor and --fix give the same result without losing fields, on every rule's examples", () => {
    for (const { bad, toolkit } of RULES.flatMap(({ examples }) => examples)) {
      if (bad === undefined || toolkit !== undefined) continue;
      const { files } = unmark(split(bad));
      const fixed = byCommandLine(files);
      const changedFiles = Object.keys(files).filter((file) => fixed.files[file] !== files[file]);
      // What one file says may be right or wrong by another, and an editor fixes the one that is shown.
      for (const file of Object.keys(files).filter((name) => /\.[jt]sx?$/.test(name)))
        if (changedFiles.every((other) => other === file)) assert.equal(byEditor(files, file).text, fixed.files[file]);
      const fields = (texts: Readonly<Record<string, string>>): number =>
        Object.values(texts).reduce((sum, text) => sum + [...text.matchAll(/^\s*[\w"'-]+: /gm)].length, 0);
      assert.ok(fields(fixed.files) >= fields(files), `${bad}\n→\n${Object.values(fixed.files).join("\n")}`);
    }
  });
});
