// What a formula is given: `execute: async function ([name, other], context) { … }`.
import type { Place } from "../model/values.ts";

/** From the function's beginning: the list that its first parameter is taken apart into, or its name. */
const FIRST = /^[^([]*\(\s*(?:\[([^\][{}()=]*)\]|([\w$]+)\s*[:,)])/;

/** The names that stand for a formula's parameters; none where they are taken otherwise. */
export function listedParameters({ start, end }: Place, text: string): readonly string[] {
  const own = text.slice(start, end);
  const [, list, whole] = FIRST.exec(own) ?? [];
  return (list ?? (whole === undefined ? "" : takenApart(whole, own)))
    .split(",")
    .flatMap((name) => /^\s*([\w$]+)\s*$/.exec(name)?.[1] ?? []);
}

/** `const [key, id] = params;` */
const takenApart = (whole: string, text: string): string =>
  new RegExp(`\\b(?:const|let|var)\\s*\\[([^\\][{}()=]*)\\][^=;{}()]{0,80}=\\s*${whole.replaceAll("$", "\\$")}\\s*(?:;|\\n|as\\b)`).exec(
    text,
  )?.[1] ?? "";
