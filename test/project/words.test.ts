// A net for the words that users read: terms that were cryptic, and sentences that are too long. The reading itself is a person's.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { titlesWith } from "../../scripts/test-titles.ts";
import { root } from "../support/packs.ts";
import { proseIn } from "../support/prose.ts";

const slashes = (path: string): string => path.replaceAll("\\", "/");

/** Rooms whose texts were read. */
const ROOMS = ["server", "spec", "protocol", "base", "client", "platform", "operations", "agents", "cli", "launch"];

const CRYPTIC: Readonly<Record<string, RegExp>> = {
  "string, not text": /\b(?:list of|takes?|must be|each) (?:a )?texts?\b/i,
  "space, not blank": /\bblanks?\b/i,
  "reported, not told": /\b(?:is|are|was|were) told\b/i,
  "is, not stands": /\b(?:stands?|stood)\b/i,
  "contains or has, not holds": /\bholds?\b/i,
  "gets or has, not is given": /\b(?:is|are) given\b/i,
  "there is no, not no such": /\bno such\b/i,
  "enter or use, not is wanted": /\b(?:is|are) wanted\b/i,
  "expires, not counts no more": /\bcounts? no more\b/i,
  "import or replace, not take over": /\btakes? over\b/i,
  "the Packs SDK, not the toolkit": /\bthe toolkit\b/i,
  "again, not anew": /\banew\b/i,
  "is not, not is none": /\bis none\b(?!\.)/,
};
/** Words of one sentence. */
const LONGEST = 25;

const sources = ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    // The realm's own sources are code in strings, and the pages of providers are data.
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules") && !/[\\/]realm\b|provider-(?:pages|[a-z]+-lines)/.test(name))
    .map((name) => join(room, name)),
);

/** The prose of a source: what has three words and is no example of code. */
const proseOf = (path: string): readonly string[] =>
  proseIn(path, readFileSync(join(root, path), "utf8")).filter((text) => /[a-z]+ [a-z]+ [a-z]+/i.test(text));

/** A semicolon or a colon does not end a thought: what comes behind it belongs to the sentence. */
const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?])[*_"”)]*\s+|\n+/);

const wordsOf = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

const filesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));

/** Written for maintainers, by a script, from what tests and bench say. The rules' pages are written from the rules. */
const GENERATED = /^docs.performance\.md$/;

const pages = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...["docs", "docs/decisions", "media/agents"].flatMap((folder) => filesIn(folder, /\.md$/)),
].filter((path) => !GENERATED.test(path));

/** The prose of a page: its paragraphs, items and cells, without code. */
function proseOfPage(path: string): readonly string[] {
  const text = readFileSync(join(root, path), "utf8")
    .replace(/^ *```[\s\S]*?^ *```/gm, "\n")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`\n]*`/g, "…");
  return text
    .replace(/^ *(?:[-*]|\d+\.) |^#+ /gm, "\n")
    .split(/\n\s*\n/)
    .flatMap((block) => (block.trimStart().startsWith("|") ? block.split(/\n|\|/) : [block.replace(/\s+/g, " ")]));
}

/** The prose of a manifest, a schema or a workflow: the values of the keys that people read. */
function proseOfData(path: string): readonly string[] {
  const text = readFileSync(join(root, path), "utf8");
  if (path.endsWith(".yml")) return [...text.matchAll(/^ *(?:description|label|value): (?!\$)"?(.+?)"?$/gm)].map(([, value = ""]) => value);
  if (path.endsWith(".svg")) return [...text.matchAll(/>([^<>]+)</g)].map(([, value = ""]) => value);
  const texts: string[] = [];
  const visit = (value: unknown, key: string): void => {
    if (typeof value === "string" && /title|description|errorMessage/i.test(key)) texts.push(value);
    else if (typeof value === "object")
      for (const [name, each] of Object.entries(value ?? {})) visit(each, Array.isArray(value) ? key : name);
  };
  visit(JSON.parse(text), "");
  return texts;
}

const data = [
  ...["package.json", "action.yml"],
  ...filesIn("schemas", /\.json$/),
  ...filesIn("media/walkthrough", /\.svg$/),
  ...filesIn(".github/ISSUE_TEMPLATE", /\.yml$/),
];

describe("words that users read", () => {
  const all = [
    ...sources.flatMap((path) => proseOf(path).map((text) => ({ path, text }))),
    ...pages.flatMap((path) => proseOfPage(path).map((text) => ({ path, text }))),
    ...data.flatMap((path) => proseOfData(path).map((text) => ({ path, text }))),
  ];

  it("every kind of text is checked", () => {
    assert.ok(all.length > 500);
    for (const where of [
      "webview",
      "README.md",
      "docs/security.md",
      "docs/decisions",
      "package.json",
      "schemas",
      "walkthrough",
      "action.yml",
    ])
      assert.ok(
        all.some(({ path, text }) => slashes(path).includes(where) && wordsOf(text) > 3),
        where,
      );
  });

  for (const [what, pattern] of Object.entries(CRYPTIC))
    it(`the texts use ${what}`, () => {
      assert.deepEqual(
        all.filter(({ text }) => pattern.test(text)).map(({ path, text }) => `${path}: ${text}`),
        [],
      );
    });

  it("ARCHITECTURE.md has at most 900 words", () => {
    const count = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").trim().split(/\s+/).length;
    assert.ok(count <= 900, `${count} words`);
  });

  it(`the texts have sentences of at most ${LONGEST} words`, () => {
    assert.deepEqual(
      all.flatMap(({ path, text }) =>
        sentencesOf(text)
          .filter((sentence) => wordsOf(sentence) > LONGEST)
          .map((sentence) => `${path}: ${sentence}`),
      ),
      [],
    );
  });
});

/** Words that say what happened to a value and not what it is, wherever they stand in a name. */
const NOT_NOUNS = new Set("given asked told known found seen kept held said made meant taken done others parity survey".split(" "));

/** Names that have such a word, and why they stay. */
const STAY: Readonly<Record<string, RegExp>> = {
  "terms of the field": /^(?:not_?found|well_?known)$/i,
  "the member of a saved test, in files that authors have": /^asked$/,
  "the member of stored evidence": /^seenAt$/,
  "the message of a server in the tests, whose own code sends it": /^done$/,
  "the import of a rule, after the rule's id": /^seen[A-Z]/,
};

const wordsOfName = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");

/** Returns the names that a source declares. A shorthand binding has the name of its property, which is declared elsewhere. */
function declaredNames(file: string, source: string): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    const isBinding = ts.isBindingElement(node) && node.propertyName === undefined && ts.isObjectBindingPattern(node.parent);
    const isUse = ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && !isBinding && !isUse)
      names.push(name.text.replace("#", ""));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return names;
}

const hasBannedWord = (name: string): boolean =>
  wordsOfName(name).some((word) => NOT_NOUNS.has(word)) && !Object.values(STAY).some((pattern) => pattern.test(name));

describe("the names in the sources", function () {
  // It parses every source.
  this.timeout(120_000);

  it("each name says what a value is, and not what happened to it", () => {
    const files = [...ROOMS, "scripts", "test"].flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
        .map((name) => join(room, name)),
    );
    assert.ok(files.length > 1_000);
    assert.deepEqual(
      files.flatMap((file) =>
        declaredNames(file, readFileSync(join(root, file), "utf8"))
          .filter(hasBannedWord)
          .map((name) => `${file}: ${name}`),
      ),
      [],
    );
  });

  it("the check finds a banned word at any place of a name, in any kind of declaration", () => {
    const source =
      "const toldError = 1; function f(given: number, { of: found }) {} interface Asked { isKept: true } class A { #others = 1 }";
    assert.deepEqual(declaredNames("a.ts", source).filter(hasBannedWord), ["toldError", "given", "found", "Asked", "isKept", "others"]);
  });
});

/** Words that a title of a test cannot begin with: its subject would be missing in a list of failures. */
const NO_SUBJECT =
  /^(?:can|connects|ends|must|needs|reaches|of|is|are|has|have|says?|that|what|where|which|with|without|in|on|for|by|from|to|also|only|and|nor|its|it|they|as|while)\b/i;

describe("the titles of the tests", function () {
  // It parses every test.
  this.timeout(120_000);

  it("each title begins with its subject", () => {
    const titles = titlesWith(root, "");
    assert.ok(titles.length > 2_000);
    assert.deepEqual(
      titles.filter(({ title }) => NO_SUBJECT.test(title)).map(({ file, title }) => `${file}: ${title}`),
      [],
    );
  });
});
