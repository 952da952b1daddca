// Sources made of one structure over and over: nested, in rows, in chains of names, in circles of files. Small ones show what grows
// exponentially, large ones what grows with the square.
import { z } from "zod";
import { readTable } from "../support/json-cases.ts";
import type { Random } from "./random.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';

const pairs = z.array(z.tuple([z.string(), z.string()]));
const lines = z.array(z.string());
/**
 * What stands around an expression to be nested, statements that hold a statement, what stands around a line, where a value is put so that
 * somebody looks at it, and the pieces of rows: `#` is the number of a piece, `<` that of the one before it.
 */
const STRUCTURES = readTable(
  "test/fuzz/repeated.json",
  z.strictObject({ around: pairs, holding: pairs, between: pairs, sinks: lines, rows: lines }),
);

/** A value where somebody looks at it. */
const sink = (value: string, random: Random): string => random.pick(STRUCTURES.sinks).replaceAll("@value", () => value);

/** Deep enough for what doubles at each level, and no more than a person could have written. */
const LEVELS = [8, 32, 100, 1_000, 100_000];
const SIZES = [2_500, 40_000, 250_000, 1_000_000];

const number = (row: string, index: number): string =>
  row.replaceAll("#", String(index)).replaceAll(/(?<=\b[a-zA-Z]+)<(?=[\W]|$)/g, String(index - 1));

function rows(pieces: readonly string[], size: number): string {
  const lines: string[] = [];
  for (let length = 0, index = 1; length < size; index++)
    for (const piece of pieces) {
      const text = number(piece, index);
      lines.push(text);
      length += text.length;
    }
  return lines.join("");
}

function nested(around: readonly (readonly [string, string])[], levels: number, size: number, inside: string): string {
  const length = around.reduce((sum, [before, after]) => sum + before.length + after.length, 0);
  const times = Math.max(1, Math.min(levels, Math.floor(size / length)));
  const before = around.map(([text]) => text).join("");
  const after = around
    .map(([, text]) => text)
    .reverse()
    .join("");
  return before.repeat(times) + inside + after.repeat(times);
}

export interface Repeated {
  /** In words, for reports. */
  readonly what: string;
  readonly text: string;
}

/** The same seed makes the same. */
export function repeated(random: Random): Repeated {
  const size = random.pick(SIZES);
  const structure = random.pick([inRows, inRows, inside, inside, inStatements, onOneLine])(size, random);
  return { what: `${structure.what}, ${structure.text.length} characters`, text: HEAD + structure.text };
}

type Make = (size: number, random: Random) => Repeated;

const oneOrTwo = <T>(all: readonly T[], random: Random): readonly T[] =>
  random.oneIn(3) ? [random.pick(all), random.pick(all)] : [random.pick(all)];

/** And somebody who asks for the last of them. */
const inRows: Make = (size, random) => {
  const pieces = oneOrTwo(STRUCTURES.rows, random);
  const most = random.pick([30, 300, Number.POSITIVE_INFINITY]);
  const body = rows(pieces, Math.min(size, most * pieces.join("").length));
  const last = Math.max(0, body.split("\n").length - 1);
  const value = random.pick([`a${last}`, `f${last}(x)`, "a", `f${last}()`, `f${last}(a${last}, x)`]);
  const use = sink(value, random);
  return { what: `rows of ${JSON.stringify(pieces)} with ${use}`, text: random.oneIn(4) ? use + body : body + use };
};

const inside: Make = (size, random) => {
  const around = oneOrTwo(STRUCTURES.around, random);
  const levels = random.pick(LEVELS);
  const core = random.pick(["x", '"a"', "{}", "[]", "context.endpoint", "coda.AuthenticationType.OAuth2", ""]);
  const text = sink(nested(around, levels, size, core), random);
  return { what: `${JSON.stringify(around)} nested ${levels} times around ${core}`, text };
};

const inStatements: Make = (size, random) => {
  const around = oneOrTwo(STRUCTURES.holding, random);
  const levels = random.pick(LEVELS);
  const core = random.pick([sink("x", random), "a.b = 1;", "return a;", "", random.pick(STRUCTURES.rows)]);
  return { what: `${JSON.stringify(around)} nested ${levels} times around ${core}`, text: nested(around, levels, size, core) };
};

/** Inside a text, a comment, a template or nowhere. */
const onOneLine: Make = (size, random) => {
  const piece = random.pick(STRUCTURES.rows).replaceAll("\n", " ");
  const [before, after] = random.pick(STRUCTURES.between);
  const text = sink(before + rows([piece], size) + after, random);
  return { what: `a line of ${JSON.stringify(piece)} between ${before} and ${after}`, text };
};
