// A net for the words that users read: terms that were cryptic, and sentences that are too long. The reading itself is a person's.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { root } from "./support/packs.ts";

/** Rooms whose texts were read. */
const ROOMS = ["server", "spec", "protocol", "client", "platform", "cli", "launch"];

const CRYPTIC: Readonly<Record<string, RegExp>> = {
  "string, for text": /\b(?:list of|takes?|must be|each) (?:a )?texts?\b/i,
  "space, for blank": /\bblanks?\b/i,
  "reported, for told": /\b(?:is|are|was|were) told\b/i,
  "is, for stands": /\b(?:stands?|stood)\b/i,
  "contains or has, for holds": /\bholds?\b/i,
  "gets or has, for is given": /\b(?:is|are) given\b/i,
  "there is no, for no such": /\bno such\b/i,
  "enter or use, for is wanted": /\b(?:is|are) wanted\b/i,
  "expires, for counts no more": /\bcounts? no more\b/i,
  "import or replace, for take over": /\btakes? over\b/i,
  "the Packs SDK, for the toolkit": /\bthe toolkit\b/i,
  "again, for anew": /\banew\b/i,
  "is not, for is none": /\bis none\b(?!\.)/,
};
/** Words of one sentence. */
const LONGEST = 30;

const sources = ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    // The realm's own sources are code in strings.
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules") && !/[\\/]realm\b/.test(name))
    .map((name) => join(room, name)),
);

/** The prose of a source: what has three words and is no example of code. */
function proseOf(path: string): readonly string[] {
  const found: string[] = [];
  const add = (text: string): void => {
    if (/[a-z]+ [a-z]+ [a-z]+/i.test(text)) found.push(text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === "source") return;
    // A list that is written as words.
    if (ts.isPropertyAccessExpression(node) && node.name.text === "split") return;
    if (ts.isTaggedTemplateExpression(node) && ["pack", "source", "html", "css", "svg"].includes(node.tag.getText())) {
      if (node.tag.getText() === "html") for (const text of node.template.getText().split(/<[^<>]*>|\$\{|\n/)) add(text);
      if (ts.isTemplateExpression(node.template)) for (const { expression } of node.template.templateSpans) visit(expression);
      return;
    }
    if (ts.isStringLiteralLike(node)) add(node.text);
    else if (ts.isTemplateExpression(node)) {
      add(node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(""));
      for (const { expression } of node.templateSpans) visit(expression);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest, true));
  return found;
}

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?:;])\s+|\n+/);

describe("the words that users read", () => {
  const all = sources.flatMap((path) => proseOf(path).map((text) => ({ path, text })));

  it("are looked at", () => {
    assert.ok(all.length > 500);
    assert.ok(all.some(({ path }) => path.includes("webview")));
  });

  for (const [what, pattern] of Object.entries(CRYPTIC))
    it(`say ${what}`, () => {
      assert.deepEqual(
        all.filter(({ text }) => pattern.test(text)).map(({ path, text }) => `${path}: ${text}`),
        [],
      );
    });

  it(`stand in sentences of at most ${LONGEST} words`, () => {
    assert.deepEqual(
      all.flatMap(({ path, text }) =>
        sentencesOf(text)
          .filter((sentence) => sentence.split(/\s+/).length > LONGEST)
          .map((sentence) => `${path}: ${sentence}`),
      ),
      [],
    );
  });
});
