// What a formula is given: `execute: async function ([name, other], context) { … }`.
import type { Place } from "../model/values.ts";

/** From the function's beginning: the list that its first parameter is taken apart into. */
const LIST = /^[^([]*\(\s*\[([^\][{}()=]*)\]/;

/** The names that stand for a formula's parameters; none where they are taken otherwise. */
export const listedParameters = ({ start, end }: Place, text: string): readonly string[] =>
  (LIST.exec(text.slice(start, end))?.[1] ?? "").split(",").flatMap((name) => /^\s*([\w$]+)\s*$/.exec(name)?.[1] ?? []);
