// Strings that are joined from parts: `${host}/path`, `host + "/path"`.
import type { ComputedText, Expression, Resolve, Template, Value } from "../model/values.ts";
import { unknownAt } from "../syntax/names/mutations.ts";

const LONGEST_TEXT = 10_000;
/** Strings that double each other at each step grow without bound. */
const MOST_PARTS = 1_000;

/** `look` resolves an expression, but keeps a choice. */
export function joinText(value: Template, look: (expression: Expression) => Expression): Value {
  const parts = value.parts.map(look);
  const isText = parts.every((part) => part.kind === "string" || part.kind === "number");
  // A sum that begins with two numbers adds them.
  if (!isText || !parts.slice(0, 2).some((part) => part.kind === "string"))
    return isText || hasManyParts(parts) ? unknownAt(value.place) : { ...value, parts };
  const text = parts.map((part) => part.value).join("");
  // Names that double each other grow without bound.
  if (text.length > LONGEST_TEXT) return unknownAt(value.place);
  return { kind: "string", place: value.place, value: text };
}

/** Returns the result of `text.replace("a", "b")` if all three are strings; otherwise the call itself. */
export function replacedText(value: ComputedText, resolve: Resolve): Value {
  const { name } = value;
  const [text, pattern, by] = value.arguments.map(resolve).flatMap((one) => (one.kind === "string" ? [one.value] : []));
  // `$` in a replacement refers to parts of the match.
  if (text === undefined || pattern === undefined || by === undefined || by.includes("$")) return value;
  const replaced = name === "replace" ? text.replace(pattern, by) : text.replaceAll(pattern, by);
  return replaced.length > LONGEST_TEXT ? value : { kind: "string", place: value.place, value: replaced };
}

export const isReplacing = ({ name }: ComputedText): boolean => name === "replace" || name === "replaceAll";

/** Whether the parts exceed the limit. Strings that double each other share parts, and a reader visits a shared part at each occurrence. */
function hasManyParts(parts: readonly Expression[]): boolean {
  let left = MOST_PARTS;
  const counts = (part: Expression): boolean => --left >= 0 && (part.kind !== "template" || part.parts.every(counts));
  return !parts.every(counts);
}
