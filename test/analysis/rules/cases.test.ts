// Each case of each file in ../cases/ is a test: exactly the marked places are flagged, every fix resolves its finding, and the sections hold.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { createDraft } from "../../../server/analysis/draft.ts";
import { unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import { fixInRounds } from "../../../server/analysis/features/fixes/fix-rounds.ts";
import type { Diagnostic } from "../../../server/analysis/model/findings.ts";
import { requestsOf } from "../../../server/analysis/requests/requests.ts";
import { analyse, apply, type Files } from "../../support/analyse.ts";
import { type Case, findingLine, parseCases, type Verdict } from "../../support/case-file.ts";
import { problemsOf } from "../../support/judged.ts";

const FOLDER = join(import.meta.dirname, "../cases");

const diagnosticsOf = (files: Files, toolkit: boolean) => {
  const analysis = analyse(files, { toolkit });
  return Object.keys(files).flatMap((file) => analysis.diagnostics(file));
};

function parses(file: string, text: string): boolean {
  if (file.endsWith(".json")) return isJson(text);
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest) as unknown as { parseDiagnostics: readonly unknown[] };
  return tree.parseDiagnostics.length === 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function verdictOf(files: Files): Promise<Verdict> {
  const problems = await problemsOf(files);
  return problems.length === 0 ? "accepted" : problems.some((problem) => problem.startsWith("does not load")) ? "unloadable" : "rejected";
}

function fixedUnasked(files: Files, toolkit: boolean): Files {
  const [entry = ""] = Object.keys(files);
  const draft = createDraft(analyse(files, { toolkit }), entry, () => {});
  fixInRounds(draft, entry, unasked);
  return { ...files, [entry]: draft.text };
}

function targetsOf(files: Files): readonly string[] {
  const [entry = ""] = Object.keys(files);
  const [pack] = analyse(files).packsOf(entry);
  assert.ok(pack, "there is a pack");
  const targets = requestsOf(pack).all.flatMap(({ urls }) =>
    urls.length === 0 ? ["no url"] : urls.map((url) => url.host ?? (url.relative ? url.leadingText : "?")),
  );
  return targets.sort();
}

async function check({ options, files, findings, verdict, fixes, unasked: expected, message, requests }: Case): Promise<void> {
  const toolkits = options.has("either") ? [true, false] : [options.has("toolkit") || options.has("toolkit-only")];
  if (options.has("toolkit-only")) assert.deepEqual(diagnosticsOf(files, false), [], "nothing is found without the Packs SDK");
  for (const toolkit of toolkits) {
    const diagnostics = diagnosticsOf(files, toolkit);
    assert.deepEqual(
      diagnostics.map(({ severity, rule, place }) => findingLine(files, severity, rule, place)).sort(),
      [...findings].sort(),
    );
    for (const { rule, message: about, fixes: all } of diagnostics)
      for (const fix of all) {
        const fixed = apply(files, fix);
        for (const [file, text] of Object.entries(fixed)) assert.ok(parses(file, text), `${fix.title} leaves a syntax error:\n${text}`);
        const same = (other: Diagnostic) => other.rule === rule && other.message === about;
        if (options.has("upload") && verdict !== "unloadable") assert.notEqual(await verdictOf(fixed), "unloadable", fix.title);
        assert.ok(diagnosticsOf(fixed, toolkit).filter(same).length < diagnostics.filter(same).length, `${fix.title} leaves the finding`);
      }
    if (fixes !== undefined) {
      const offers = diagnostics.find((diagnostic) => diagnostic.fixes.length > 0)?.fixes ?? [];
      const actual = offers.map((fix, index) => ({ title: fix.title, ...(fixes[index]?.files && { files: apply(files, fix) }) }));
      assert.deepEqual(actual, fixes);
    }
    if (expected !== undefined) assert.deepEqual(fixedUnasked(files, toolkit), expected);
    if (message !== undefined) assert.ok(diagnostics[0]?.message.includes(message), diagnostics[0]?.message);
  }
  if (requests !== undefined) assert.deepEqual(targetsOf(files), [...requests].sort());
  if (!options.has("upload")) return;
  assert.equal(await verdictOf(files), verdict, "the upload's verdict");
  const listed = diagnosticsOf(files, options.has("toolkit")).find((diagnostic) => diagnostic.fixes.length > 0)?.fixes ?? [];
  const results = [...(fixes === undefined ? [] : listed.map((fix) => apply(files, fix))), ...(expected ? [expected] : [])];
  for (const fixed of results.filter((result) => result !== files))
    assert.deepEqual(await problemsOf(fixed), [], "the upload accepts what is fixed");
}

describe("case files", () => {
  const names = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  for (const path of names) {
    const name = path.slice(FOLDER.length + 1).replaceAll("\\", "/");
    describe(name, () => {
      let cases: readonly Case[] = [];
      try {
        assert.match(name, /^[\w-]+\/[\w-]+\.case$/, "a case file is <topic>/<name>.case");
        cases = parseCases(readFileSync(path, "utf8"));
      } catch (error) {
        it("the case file is read", () => assert.fail(error as Error));
      }
      for (const one of cases) it(one.title, () => check(one)).timeout(60_000);
    });
  }
});
