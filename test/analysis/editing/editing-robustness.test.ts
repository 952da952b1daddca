// Whatever text there is, what the editor asks for is answered without a fault, and every place in the answer lies in the file.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { namesIn, paramAt } from "../../../server/analysis/configuration/param-occurrences.ts";
import { createDraft } from "../../../server/analysis/draft.ts";
import { completionsAt } from "../../../server/analysis/features/completions.ts";
import { cursorAt } from "../../../server/analysis/features/cursor.ts";
import { defaultsIn } from "../../../server/analysis/features/defaults.ts";
import { unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import { fixInRounds } from "../../../server/analysis/features/fixes/fix-rounds.ts";
import { hoverAt } from "../../../server/analysis/features/hover.ts";
import { linksIn } from "../../../server/analysis/features/links.ts";
import { refactoringsAt } from "../../../server/analysis/features/refactorings/refactorings.ts";
import { renameEdits } from "../../../server/analysis/features/rename-param.ts";
import { symbolsIn } from "../../../server/analysis/features/symbols.ts";
import type { Span } from "../../../server/analysis/model/values.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { analyse, split } from "../../support/analyse.ts";
import { readTable } from "../../support/json-cases.ts";
import { partOf, RUNS } from "../../support/runs.ts";

const FILE = "/pack/pack.ts";
/** Each asks for everything, of a pack of its own. */
const PACKS = partOf(200);

/** The examples of all rules, one file each. */
const SOURCES = RULES.flatMap(({ examples }) => examples.flatMap(({ bad = "", good = "", fixed = "" }) => [bad, good, fixed]))
  .map((source) => Object.values(split(source.replaceAll(/[«»]/g, "")))[0] ?? "")
  .filter((source) => source !== "");

const PIECES = readTable("test/analysis/editing/cases/pieces.json", z.array(z.string()));
const piece = fc.constantFrom(...PIECES);

function everything(text: string, offset: number): void {
  const analysis = analyse({ [FILE]: text });
  const packs = analysis.packsOf(FILE);
  const check = (what: string, span: Span): void => {
    assert.ok(
      0 <= span.start && span.start <= span.end && span.end <= text.length,
      `${what}: ${JSON.stringify(span)} of ${text.length}\n${text}`,
    );
  };
  for (const { label, span, also = [], docs } of completionsAt(packs, FILE, offset)) {
    for (const edit of [span, ...also]) check(label, edit);
    // What is replaced holds the cursor and lies on its line (LSP 3.17, textEdit of a completion).
    assert.ok(span.start <= offset && offset <= span.end, label);
    assert.doesNotMatch(text.slice(span.start, span.end), /\n/, label);
    for (const edit of also) assert.ok(edit.end <= span.start || edit.start >= span.end, label);
    docs();
  }
  const hover = hoverAt(packs, FILE, offset);
  if (hover) check("hover", hover.span);
  for (const { span, nameSpan, name } of symbolsIn(packs, FILE)) {
    check(name, span);
    check(name, nameSpan);
  }
  for (const { span, target } of linksIn(packs, FILE)) check(target, span);
  for (const hint of defaultsIn(packs, FILE)) check(hint.label, { start: hint.offset, end: hint.offset });
  for (const place of namesIn(packs, FILE)) {
    check("name", place);
    const param = paramAt(analysis.packsOf, FILE, place.start);
    for (const edit of param ? renameEdits(param, "other") : []) check("rename", edit);
  }
  const draft = () => createDraft(analysis, FILE, () => {});
  for (const { title, edits } of refactoringsAt(analysis, FILE, offset).slice(0, 3)) for (const edit of edits(draft)) check(title, edit);
  for (const edit of fixInRounds(draft(), FILE, unasked).edits) check("fix", edit);
}

describe("editing features on arbitrary text", function () {
  this.timeout(120_000);

  it("packs that are cut off or broken anywhere cause no failure", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SOURCES),
        fc.nat(4000),
        fc.nat(4000),
        fc.nat(30),
        fc.array(piece, { maxLength: 3 }),
        fc.boolean(),
        (source, at, look, length, pieces, cut) => {
          const start = at % (source.length + 1);
          const inserted = pieces.join("");
          const text = source.slice(0, start) + inserted + (cut ? "" : source.slice(start + length));
          // Most of all where the text was broken.
          everything(text, look % 3 === 0 ? look % (text.length + 1) : start + inserted.length);
        },
      ),
      { numRuns: PACKS },
    );
  });

  it("strings without an end cause no failure", () => {
    const head = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ type: coda.AuthenticationType.`;
    for (const quote of ['"', "'", "`"])
      for (const field of ["Custom, params: [{ name: ", "OAuth2, authorizationUrl: ", "Custom, instructionsUrl: "])
        for (const content of ["", "k", "https://github.com/"]) {
          const text = `${head}${field}${quote}${content}`;
          everything(text, text.length);
        }
  });

  it("the cursor's word and frames are found in text without a pack", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 30 }), fc.nat(200), (pieces, at) => {
        const text = pieces.join("");
        const offset = at % (text.length + 1);
        const { word, text: around, frames } = cursorAt(text, offset);
        assert.ok(word.start <= offset && offset <= word.end && word.end <= text.length);
        if (around)
          assert.ok(around.start < offset && around.content.start <= offset && offset <= around.content.end && around.end <= text.length);
        for (const { start } of frames) assert.ok(start < offset);
      }),
      { numRuns: RUNS },
    );
  });
});
