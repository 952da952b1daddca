// What becomes of a source in an editor, and worse: each mutation is one edit of the text as it stands.
import { z } from "zod";
import type { OffsetEdit } from "../../server/analysis/analysis.ts";
import { readTable } from "../support/json-cases.ts";
import type { Random } from "./random.ts";

type Mutation = (text: string, random: Random) => OffsetEdit;

/** Pieces that turn a source into something else. */
const PIECES = readTable("test/fuzz/pieces.json", z.array(z.string()));

/** Anywhere, and often near the start of a line, where statements meet. */
function at(text: string, random: Random): number {
  const offset = random.int(text.length + 1);
  if (random.int(3) > 0) return offset;
  const [start] = lineAt(text, offset);
  return Math.max(0, Math.min(text.length, start - 3 + random.int(16)));
}

/** From the offset, mostly a few characters. */
const length = (random: Random): number => random.pick([0, 0, 1, 1, 1, 2, 5, 20, 60, 400]);

const TOKEN = /[\w$]+|"[^"\n]*"|'[^'\n]*'|\s+|[^\w\s]/g;

/** Mutations by how they are called in reports. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  insert: (text, random) => {
    const start = at(text, random);
    return { start, end: start, text: random.pick(PIECES) };
  },
  replace: (text, random) => {
    const start = at(text, random);
    return { start, end: Math.min(text.length, start + length(random)), text: random.pick(PIECES) };
  },
  delete: (text, random) => {
    const start = at(text, random);
    return { start, end: Math.min(text.length, start + 1 + length(random)), text: "" };
  },
  truncate: (text, random) => ({ start: at(text, random), end: text.length, text: "" }),
  behead: (text, random) => ({ start: 0, end: at(text, random), text: "" }),
  duplicate: (text, random) => {
    const start = at(text, random);
    const piece = text.slice(start, start + 1 + length(random));
    const to = random.oneIn(2) ? start : at(text, random);
    return { start: to, end: to, text: piece };
  },
  "duplicate line": (text, random) => {
    const [start, end] = lineAt(text, at(text, random));
    return { start: end, end, text: text.slice(start, end) };
  },
  "delete line": (text, random) => {
    const [start, end] = lineAt(text, at(text, random));
    return { start, end, text: "" };
  },
  "swap tokens": (text, random) => {
    const from = at(text, random);
    const tokens = [...text.slice(from, from + 300).matchAll(TOKEN)];
    if (tokens.length < 3) return { start: from, end: from, text: ";" };
    const first = random.int(tokens.length - 1);
    const second = first + 1 + random.int(tokens.length - first - 1);
    const [a, b] = [tokens[first], tokens[second]];
    if (a === undefined || b === undefined) throw new Error("tokens that were there are gone");
    const between = text.slice(from + a.index + a[0].length, from + b.index);
    return { start: from + a.index, end: from + b.index + b[0].length, text: b[0] + between + a[0] };
  },
  "retype a word": (text, random) => {
    const from = at(text, random);
    const word = /[\w$]+/.exec(text.slice(from));
    if (word === null) return { start: from, end: from, text: "x" };
    const start = from + word.index + random.int(word[0].length + 1);
    return random.oneIn(2)
      ? { start, end: start, text: random.pick([..."xyz_1"]) }
      : { start, end: Math.min(text.length, start + 1), text: "" };
  },
  "other line ends": (text) => ({
    start: 0,
    end: text.length,
    text: text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n"),
  }),
  binary: (text, random) => {
    const start = at(text, random);
    const bytes = Array.from({ length: 1 + random.int(30) }, () => String.fromCharCode(random.int(random.oneIn(2) ? 256 : 65_536)));
    return { start, end: start, text: bytes.join("") };
  },
};

function lineAt(text: string, offset: number): readonly [start: number, end: number] {
  const end = text.indexOf("\n", offset);
  return [text.lastIndexOf("\n", offset - 1) + 1, end < 0 ? text.length : end + 1];
}

export const applyEdit = (text: string, edit: OffsetEdit): string => text.slice(0, edit.start) + edit.text + text.slice(edit.end);
