// Text that is put into and taken out of a configuration, one edit a row: comments, quotes, commas, line ends and indentation stay the author's.
import assert from "node:assert/strict";
import { ts } from "ts-morph";
import type { TextEdit } from "../../../server/analysis/model/findings.ts";
import type { PackModel } from "../../../server/analysis/model/pack.ts";
import type { ObjectValue, Property } from "../../../server/analysis/model/values.ts";
import {
  insertProperty,
  insertStatementBefore,
  partOfText,
  quoteIn,
  quoteLike,
  removeItem,
  removeProperty,
  replace,
} from "../../../server/analysis/text/edit.ts";
import { analyse } from "../../support/analyse.ts";

const FILE = "/pack/pack.ts";
const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;

interface Configured {
  readonly pack: PackModel;
  readonly config: ObjectValue;
}

interface Call {
  edit(configured: Configured): TextEdit;
  /** What it puts in, where taking that out again leads back. */
  readonly adds?: string;
  /** What it takes out. */
  readonly removes?: string;
  /** Made once more it changes nothing. */
  readonly settles?: true;
}

const named = ({ properties }: ObjectValue, name: string): Property => {
  const property = properties.find((candidate) => candidate.name === name);
  assert.ok(property, `there is a property ${name}`);
  return property;
};

const nameOf = (text: string): string => /^\w+/.exec(text)?.[0] ?? "";
const add = (text: string): Call => ({ edit: ({ pack, config }) => insertProperty(pack, config, text), adds: nameOf(text) });
/** Into an empty object, which is opened up for it. */
const fill = (...texts: string[]): Call => ({ edit: ({ pack, config }) => insertProperty(pack, config, texts) });
const addFirst = (text: string): Call => ({
  edit: ({ pack, config }) => insertProperty(pack, config, text, { first: true }),
  adds: nameOf(text),
});
const addAll = (...texts: string[]): Call => ({ edit: ({ pack, config }) => insertProperty(pack, config, texts) });
const addIn = (name: string, text: string): Call => ({
  edit({ pack, config }) {
    const { value } = named(config, name);
    assert.equal(value.kind, "object");
    return insertProperty(pack, value, text);
  },
});
const remove = (name: string): Call => ({ edit: ({ pack, config }) => removeProperty(pack, config, named(config, name)), removes: name });
const removeScope = (index: number): Call => ({
  edit({ pack, config }) {
    const { value } = named(config, "scopes");
    assert.ok(value.kind === "array" && value.items[index]);
    return removeItem(pack, value, value.items[index].place);
  },
});
const setValue = (name: string, text: string): Call => ({
  edit: ({ config }) => replace(named(config, name).value.place, text),
  settles: true,
});
const setText = (name: string, text: string): Call => ({
  edit({ pack, config }) {
    const { value } = named(config, name);
    return replace(value.place, quoteLike(pack, value.place, text));
  },
  settles: true,
});
const addText = (name: string, text: string): Call => ({
  edit: ({ pack, config }) => insertProperty(pack, config, `${name}: ${quoteIn(pack, config, text)}`),
  adds: name,
});
const setPart = (name: string, part: string, text: string): Call => ({
  edit({ pack, config }) {
    const { value } = named(config, name);
    assert.equal(value.kind, "string");
    return replace(partOfText(pack, value, value.value.indexOf(part), part.length), text);
  },
});
const state = (text: string): Call => ({
  edit({ pack }) {
    const [auth] = pack.auths;
    assert.ok(auth?.call?.statement);
    return insertStatementBefore(pack, auth.call.statement, text);
  },
});

/** In what `pack.setUserAuthentication` is given, or in a whole source where the row holds the call. */
type Row = readonly [name: string, call: Call, source: string, expected: string];

const ADDED: readonly Row[] = [
  ["on one line", add("b: 2"), "{ a: 1 }", "{ a: 1, b: 2 }"],
  ["on one line without blanks", add("b: 2"), "{a: 1}", "{a: 1, b: 2}"],
  ["on one line with a trailing comma", add("b: 2"), "{ a: 1, }", "{ a: 1, b: 2, }"],
  ["on one line, several", addAll("b: 2", "c: 3"), "{ a: 1 }", "{ a: 1, b: 2, c: 3 }"],
  ["first on one line", addFirst("b: 2"), "{ a: 1 }", "{ b: 2, a: 1 }"],
  ["first on one line without blanks", addFirst("b: 2"), "{a: 1}", "{b: 2,a: 1}"],
  ["behind a block comment", add("b: 2"), "{ a: 1 /* one */ }", "{ a: 1, b: 2 /* one */ }"],
  ["behind a block comment before the comma", add("b: 2"), "{ a: 1 /* one */, }", "{ a: 1 /* one */, b: 2, }"],
  ["by lines", add("b: 2"), "{\n  a: 1,\n}", "{\n  a: 1,\n  b: 2,\n}"],
  ["by lines without a trailing comma", add("b: 2"), "{\n  a: 1\n}", "{\n  a: 1,\n  b: 2\n}"],
  ["by lines, several", addAll("b: 2", "c: 3"), "{\n  a: 1,\n}", "{\n  a: 1,\n  b: 2,\n  c: 3,\n}"],
  ["first by lines", addFirst("b: 2"), "{\n  a: 1,\n}", "{\n  b: 2,\n  a: 1,\n}"],
  ["first, where a comment opens the object", addFirst("b: 2"), "{ // Ours.\n  a: 1,\n}", "{ // Ours.\n  b: 2,\n  a: 1,\n}"],
  ["first, before a comment on a line of its own", addFirst("b: 2"), "{\n  // One.\n  a: 1,\n}", "{\n  b: 2,\n  // One.\n  a: 1,\n}"],
  ["behind a comment at the line's end", add("b: 2"), "{\n  a: 1, // one\n}", "{\n  a: 1, // one\n  b: 2,\n}"],
  ["behind a comment, without a comma", add("b: 2"), "{\n  a: 1 // one, two\n}", "{\n  a: 1, // one, two\n  b: 2\n}"],
  ["before comments that follow", add("b: 2"), "{\n  a: 1,\n  // c: 3,\n}", "{\n  a: 1,\n  b: 2,\n  // c: 3,\n}"],
  ["with a comma on the next line", add("b: 2"), "{\n  a: 1\n  ,\n}", "{\n  a: 1\n  ,\n  b: 2,\n}"],
  ["with a comma in a text and in a comment", add("b: 2"), '{ a: ",}" /* ,} */ }', '{ a: ",}", b: 2 /* ,} */ }'],
  ["with tabs and Windows line ends", add("b: 2"), "{\r\n\ta: 1, // one\r\n}", "{\r\n\ta: 1, // one\r\n\tb: 2,\r\n}"],
  ["where lines are indented by tabs and blanks", add("b: 2"), "{\n\t  a: 1,\n}", "{\n\t  a: 1,\n\t  b: 2,\n}"],
  ["below lines that are indented in different ways", add("c: 3"), "{\n    a: 1,\n  b: 2,\n}", "{\n    a: 1,\n  b: 2,\n  c: 3,\n}"],
  ["where the last stands on a line of its own", add("c: 3"), "{ a: 1,\n  b: 2,\n}", "{ a: 1,\n  b: 2,\n  c: 3,\n}"],
  ["behind a spread", add("b: 2"), "{ ...{ a: 1 } }", "{ ...{ a: 1 }, b: 2 }"],
  ["behind a JSDoc comment", add("b: 2"), "{\n  /** One. */\n  a: 1,\n}", "{\n  /** One. */\n  a: 1,\n  b: 2,\n}"],
  ["behind a value of several lines", add("b: 2"), "{\n  a: [\n    1,\n  ],\n}", "{\n  a: [\n    1,\n  ],\n  b: 2,\n}"],
  ["behind a template of several lines", add("b: 2"), "{\n  a: `\n{`,\n}", "{\n  a: `\n{`,\n  b: 2,\n}"],
  ["into a nested object", addIn("a", "c: 3"), "{\n  a: { b: 2 },\n}", "{\n  a: { b: 2, c: 3 },\n}"],
  ["into a nested object by lines", addIn("a", "c: 3"), "{\n  a: {\n    b: 2,\n  },\n}", "{\n  a: {\n    b: 2,\n    c: 3,\n  },\n}"],
  ["into an empty object", fill("a: 1"), "{}", "{\n  a: 1,\n}"],
  ["into an empty object, several", fill("a: 1", "b: 2"), "{ }", "{\n  a: 1,\n  b: 2,\n}"],
  ["into an empty object of two lines", fill("a: 1"), "{\n}", "{\n  a: 1,\n}"],
  ["into an empty object with a comment", fill("a: 1"), "{\n  // Soon.\n}", "{\n  a: 1,\n  // Soon.\n}"],
  ["into an empty object inside another", addIn("a", "b: 2"), "{\n    a: {},\n}", "{\n    a: {\n        b: 2,\n    },\n}"],
  ["in the quotes of the object", addText("b", `it's "so"`), "{ a: 'one' }", `{ a: 'one', b: 'it\\'s "so"' }`],
  ["in double quotes where there are none", addText("b", "two"), "{ a: 1 }", '{ a: 1, b: "two" }'],
];

const REMOVED: readonly Row[] = [
  ["the only one", remove("a"), "{ a: 1 }", "{  }"],
  ["the first", remove("a"), "{ a: 1, b: 2 }", "{ b: 2 }"],
  ["the last", remove("b"), "{ a: 1, b: 2 }", "{ a: 1 }"],
  ["the last with a trailing comma", remove("b"), "{ a: 1, b: 2, }", "{ a: 1, }"],
  ["one with a block comment behind it", remove("a"), "{ a: 1 /* one */, b: 2 }", "{ b: 2 }"],
  ["the last with a block comment before it", remove("b"), "{ a: 1, /* two */ b: 2 }", "{ a: 1 }"],
  ["a line", remove("b"), "{\n  a: 1,\n  b: 2,\n  c: 3,\n}", "{\n  a: 1,\n  c: 3,\n}"],
  ["a line with its comment", remove("b"), "{\n  a: 1, // one\n  b: 2, // two\n}", "{\n  a: 1, // one\n}"],
  ["a line with the JSDoc comment above it", remove("b"), "{\n  a: 1,\n  /** Two. */\n  b: 2,\n  c: 3,\n}", "{\n  a: 1,\n  c: 3,\n}"],
  ["a line below a comment of another", remove("b"), "{\n  a: 1,\n  // Ours.\n  b: 2,\n}", "{\n  a: 1,\n  // Ours.\n}"],
  ["several lines", remove("b"), "{\n  a: 1,\n  b: [\n    2,\n  ],\n}", "{\n  a: 1,\n}"],
  ["a line with tabs and Windows line ends", remove("b"), "{\r\n\ta: 1,\r\n\tb: 2,\r\n}", "{\r\n\ta: 1,\r\n}"],
  ["one that shares the line of the brace", remove("a"), "{ a: 1,\n  b: 2 }", "{\n  b: 2 }"],
  ["the last, which shares the line of the brace", remove("b"), "{ a: 1,\n  b: 2 }", "{ a: 1 }"],
  ["one of two on a line", remove("a"), "{\n  a: 1, b: 2,\n}", "{\n  b: 2,\n}"],
  ["the second of two on a line", remove("b"), "{\n  a: 1, b: 2,\n}", "{\n  a: 1,\n}"],
  ["before a spread", remove("a"), "{ a: 1, ...{ b: 2 } }", "{ ...{ b: 2 } }"],
  ["a shorthand", remove("a"), "{ a, b: 2 }", "{ b: 2 }"],
  ["a method", remove("a"), "{\n  a() {\n    return 1;\n  },\n  b: 2,\n}", "{\n  b: 2,\n}"],
  ["an item of a list", removeScope(1), '{ scopes: ["a", "b", "c"] }', '{ scopes: ["a", "c"] }'],
  [
    "the last item of a list by lines",
    removeScope(1),
    '{\n  scopes: [\n    "a",\n    "b", // two\n  ],\n}',
    '{\n  scopes: [\n    "a",\n  ],\n}',
  ],
];

const SET: readonly Row[] = [
  ["a value between comments", setValue("a", "2"), "{ a: /* now */ 1 /* one */ }", "{ a: /* now */ 2 /* one */ }"],
  ["a value in parentheses", setValue("a", "2"), "{ a: (1) }", "{ a: 2 }"],
  ["a text in single quotes", setText("a", "it's"), "{ a: 'one' }", "{ a: 'it\\'s' }"],
  ["a text in double quotes", setText("a", 'a "b"'), '{ a: "one" }', '{ a: "a \\"b\\"" }'],
  ["a text in a template", setText("a", "`"), "{ a: `one` }", '{ a: "`" }'],
  ["a part of a text", setPart("a", "http:", "https:"), '{ a: "http://x" }', '{ a: "https://x" }'],
];

const set = "pack.setUserAuthentication({ a: 1 });";
const STATED: readonly Row[] = [
  ["before a statement", state("f();"), `${HEAD}${set}\n`, `${HEAD}f();\n${set}\n`],
  ["before an indented one", state("f();"), `${HEAD}{\n\t${set}\n}\n`, `${HEAD}{\n\tf();\n\t${set}\n}\n`],
  ["before one behind another", state("f();"), `${HEAD}let x; ${set}\n`, `${HEAD}let x; f(); ${set}\n`],
  ["above its comment", state("f();"), `${HEAD}// Ours.\n${set}\n`, `${HEAD}f();\n// Ours.\n${set}\n`],
  ["above its JSDoc comment", state("f();"), `${HEAD}/**\n * Ours.\n */\n${set}\n`, `${HEAD}f();\n/**\n * Ours.\n */\n${set}\n`],
  ["below a comment that stands apart", state("f();"), `${HEAD}// Sign-in\n\n${set}\n`, `${HEAD}// Sign-in\n\nf();\n${set}\n`],
  ["behind a byte order mark", state("f();"), `\ufeff${set}\n${HEAD}`, `\ufefff();\n${set}\n${HEAD}`],
  [
    "behind a byte order mark, above its comment",
    state("f();"),
    `\ufeff// Ours.\n${set}\n${HEAD}`,
    `\ufefff();\n// Ours.\n${set}\n${HEAD}`,
  ],
  ["before a comment on its line", state("f();"), `${HEAD}/* Ours. */ ${set}\n`, `${HEAD}f();\n/* Ours. */ ${set}\n`],
  ["below code behind a comment", state("f();"), `${HEAD}/* X. */ let x;\n${set}\n`, `${HEAD}/* X. */ let x;\nf();\n${set}\n`],
  ["with Windows line ends", state("f();"), `${HEAD}${set}\n`.replaceAll("\n", "\r\n"), `${HEAD}f();\n${set}\n`.replaceAll("\n", "\r\n")],
];

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "adding a property": ADDED,
  "removing a property": REMOVED,
  "replacing a value": SET,
  "adding a statement": STATED,
};

function whole(text: string): string {
  if (text.includes("pack.setUserAuthentication(")) return text;
  const source = `${HEAD}const a = 1;\npack.setUserAuthentication(${text} as any);\n`;
  return text.includes("\r\n") ? source.replaceAll(/\r?\n/g, "\r\n") : source;
}

function configured(source: string): Configured {
  const [pack] = analyse({ [FILE]: source }).packsOf(FILE);
  const config = pack?.auths[0]?.config;
  assert.ok(pack && config, "there is a configuration");
  return { pack, config };
}

function applyEdit(source: string, edit: (configured: Configured) => TextEdit): string {
  const { start, end, text } = edit(configured(source));
  return source.slice(0, start) + text + source.slice(end);
}

const faults = (source: string): number => {
  const tree = ts.createSourceFile(FILE, source, ts.ScriptTarget.Latest) as ts.SourceFile & { parseDiagnostics: readonly unknown[] };
  return tree.parseDiagnostics.length;
};

const namesIn = (source: string): readonly string[] => configured(source).config.properties.map(({ name }) => name);

describe("edits of configurations", () => {
  for (const [title, rows] of Object.entries(TABLES))
    describe(`${title}`, () => {
      for (const [name, call, text, expected] of rows)
        it(`the edit keeps the formatting: ${name}`, () => {
          const source = whole(text);
          const result = applyEdit(source, call.edit);
          assert.equal(result, whole(expected));
          assert.equal(faults(source), 0);
          assert.equal(faults(result), 0, "it parses");
          const { adds, removes, settles } = call;
          if (adds !== undefined) assert.equal(applyEdit(result, remove(adds).edit), source, "taken out again, the source is as before");
          if (removes !== undefined)
            assert.deepEqual(
              namesIn(result),
              namesIn(source).filter((other) => other !== removes),
            );
          if (settles) assert.equal(applyEdit(result, call.edit), result, "made again, nothing changes");
        });
    });

  it("two properties added in turn equal two added at once", () => {
    for (const [name, { adds }, text] of ADDED) {
      if (adds === undefined) continue;
      const source = whole(text);
      const one = applyEdit(source, add("x: 8").edit);
      assert.equal(applyEdit(one, add("y: 9").edit), applyEdit(source, addAll("x: 8", "y: 9").edit), name);
      assert.equal(faults(one), 0, name);
    }
  });
});
