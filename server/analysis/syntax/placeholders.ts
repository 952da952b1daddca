// Custom placeholders `{{name-<invocationToken>}}` in a string, however it is built.
import type { PlaceholderFact } from "../model/facts.ts";
import type { Expression, Place } from "../model/values.ts";
import { part } from "../text/place.ts";

/** Whether the string may contain a placeholder, before the rest of the file is known. */
export const mayContainPlaceholder = (text: Expression): boolean =>
  text.kind === "template" && text.parts.some((part) => part.kind === "string" && part.value.includes("{"));

/** Returns every placeholder of a template or sum; `isToken` says which of its parts are the invocation token. */
export function findPlaceholders(text: Expression, source: string, isToken: (part: Expression) => boolean): PlaceholderFact[] {
  if (text.kind !== "template") return [];
  const { parts } = text;
  return parts.flatMap((token, index): PlaceholderFact[] => {
    if (!isToken(token)) return [];
    const after = parts[index + 1];
    if (after?.kind !== "string" || !after.value.startsWith("}}")) return [];
    const name = nameBefore(parts, index);
    if (name === undefined) return [];
    const place = literalPlace(name, source) ?? token.place;
    const staticName = name.every((piece) => piece.kind === "string") ? name.map((piece) => piece.value).join("") : undefined;
    return [staticName === undefined ? { place, parts: name } : { place, name: staticName }];
  });
}

/** Returns the parts between `{{` and the `-` before the token, without these characters; undefined if it is not a placeholder. */
function nameBefore(parts: readonly Expression[], token: number): Expression[] | undefined {
  const pieces: Expression[] = [];
  for (let index = token - 1; index >= 0; index--) {
    const part = parts[index];
    if (part === undefined) return undefined;
    if (part.kind !== "string") {
      if (index === token - 1) return undefined;
      pieces.unshift(part);
      continue;
    }
    let { value } = part;
    if (index === token - 1) {
      if (!value.endsWith("-")) return undefined;
      value = value.slice(0, -1);
    }
    const open = value.lastIndexOf("{{");
    if (open < 0 && /[{}]/.test(value)) return undefined;
    const piece = open < 0 ? value : value.slice(open + 2);
    if (piece !== "") pieces.unshift({ ...part, value: piece });
    if (open >= 0) return pieces.length === 0 ? undefined : pieces;
  }
  return undefined;
}

/** Returns the place of the name if a single literal contains it verbatim. */
function literalPlace(name: readonly Expression[], source: string): Place | undefined {
  const [only] = name;
  if (name.length !== 1 || only?.kind !== "string") return undefined;
  const start = source.lastIndexOf(only.value, only.place.end - only.value.length);
  const from = start - only.place.start;
  return from < 0 ? undefined : part(only.place, from, from + only.value.length);
}
