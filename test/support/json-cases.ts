// Tables of cases in JSON files: an answer, and what is said of it. The form of a table is a schema, which is its type too.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { root } from "./packs.ts";

/** What a reader makes of a text. A text that it cannot read is named by its key. */
const readBy = <Value>(read: (text: string) => Value) =>
  z.string().transform((text, context) => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue(String(error));
      return z.NEVER;
    }
  });

/** A regular expression that a text matches. */
export const pattern = readBy((text) => new RegExp(text));

/** The body of an answer: a text, or what is sent as JSON. */
export const body = z.union([z.string(), z.looseObject({}).transform((value) => JSON.stringify(value))]);

/** Texts by their names or titles. */
export const texts = z.record(z.string(), z.string());

/** Fields of a configuration. The source of a pack has any, and so have the cases. */
export const authentication = z.looseObject({});

/** An answer of a server. */
export const response = z.strictObject({
  status: z.int().exactOptional(),
  type: z.string().exactOptional(),
  headers: texts.exactOptional(),
  body,
});

/** A file below test/platform, or one whose path begins with test/. */
const textOf = (file: string): string => readFileSync(join(root, file.startsWith("test/") ? file : `test/platform/${file}`), "utf8");

const json = readBy((text): unknown => JSON.parse(text));

/** Returns what a JSON file contains. */
export const readTable = <Table>(file: string, form: z.ZodType<Table>): Table => json.pipe(form).parse(textOf(file));

/** Declares the tests of a file. If the file is malformed, one test fails and names its wrong keys. */
export function eachCase<Case>(file: string, form: z.ZodType<Case>, declare: (each: Case) => void): void {
  const { data, error } = json.pipe(z.array(form)).safeParse(textOf(file));
  for (const each of data ?? []) declare(each);
  if (error !== undefined) it(`${file} has the form of its cases`, () => assert.fail(z.prettifyError(error)));
}
