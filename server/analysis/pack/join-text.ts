// Strings that are joined from parts: `${host}/path`, `host + "/path"`.
import type { Resolve, Value } from "../model/values.ts";
import { unknownAt } from "../syntax/names/mutations.ts";

type Unknown = Value & { readonly kind: "unknown" };
type Replacing = Unknown & { readonly call: NonNullable<Unknown["call"]> };

const LONGEST_TEXT = 10_000;
/** Strings that double each other at each step grow without bound. */
const MOST_PARTS = 1_000;

export function joinText(value: Value & { kind: "template" }, resolve: Resolve): Value {
  const parts = value.parts.map(resolve);
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
export function replacedText(value: Replacing, resolve: Resolve): Value {
  const { name, arguments: callArguments } = value.call;
  const [text, pattern, by] = callArguments.map(resolve).flatMap((one) => (one.kind === "string" ? [one.value] : []));
  // `$` in a replacement refers to parts of the match.
  if (text === undefined || pattern === undefined || by === undefined || by.includes("$")) return value;
  const replaced = name === "replace" ? text.replace(pattern, by) : text.replaceAll(pattern, by);
  return replaced.length > LONGEST_TEXT ? value : { kind: "string", place: value.place, value: replaced };
}

export const isReplacing = (value: Value & { kind: "unknown" }): value is Replacing => /^replace(?:All)?$/.test(value.call?.name ?? "");

/** Whether the parts exceed the limit. Strings that double each other share parts, and a reader visits a shared part at each occurrence. */
function hasManyParts(parts: readonly Value[]): boolean {
  let left = MOST_PARTS;
  const counts = (part: Value): boolean => --left >= 0 && (part.kind !== "template" || part.parts.every(counts));
  return !parts.every(counts);
}
