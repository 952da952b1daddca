// Text that is put into and taken out of a configuration, one edit a row: comments, quotes, commas, line ends and indentation stay the author's.
import assert from "node:assert/strict";
import { ts } from "ts-morph";
import { z } from "zod";
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
import { readTable } from "../../support/json-cases.ts";

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

const CALLS = { add, addAll, addFirst, addIn, addText, fill, remove, removeScope, setValue, setText, setPart, state };
const source = z.string().transform((text) => text.replace("@head", () => (text.includes("\r\n") ? HEAD.replaceAll("\n", "\r\n") : HEAD)));
/** A call with its arguments, and a source, which is what `pack.setUserAuthentication` is given unless it holds the call. */
const row = z.strictObject({
  title: z.string(),
  call: z.tuple([z.enum(Object.keys(CALLS) as (keyof typeof CALLS)[])], z.union([z.string(), z.int()])),
  source,
  expected: source,
});
const TABLES = readTable("test/analysis/editing/cases/edit-table.json", z.record(z.string(), z.array(row)));
const callOf = ([name, ...rest]: z.infer<typeof row>["call"]): Call => (CALLS[name] as (...rest: (string | number)[]) => Call)(...rest);

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
      for (const { title, call: callWithArguments, source: text, expected } of rows)
        it(`the edit keeps the formatting: ${title}`, () => {
          const call = callOf(callWithArguments);
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
    for (const { title, call, source: text } of TABLES["adding a property"] ?? []) {
      if (callOf(call).adds === undefined) continue;
      const source = whole(text);
      const one = applyEdit(source, add("x: 8").edit);
      assert.equal(applyEdit(one, add("y: 9").edit), applyEdit(source, addAll("x: 8", "y: 9").edit), title);
      assert.equal(faults(one), 0, title);
    }
  });
});
