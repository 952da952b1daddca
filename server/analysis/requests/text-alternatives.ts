// A text that may begin in several ways: by a condition, or because its name is assigned again. Each beginning comes once, with what is
// known to follow it; where several texts begin alike, what follows is not known.

import type { Value } from "../model/values.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { knownBeginning, piecesOf } from "./partial-text.ts";

interface Alternative {
  readonly value: Value;
  /** The parts up to the first that decides, which is the last of them. */
  readonly head: readonly Value[];
}

interface Names {
  resolve(value: Value): Value;
  options(value: Value): readonly Value[];
}

/** A URL that goes by many names, or is put together in many steps. */
const MOST = 50;

/** The texts that a value may be; the value itself where it is one, or where they are too many. `isEnough` of a beginning: what follows decides nothing. */
export function alternativesOf(value: Value, names: Names, isEnough: (beginning: string) => boolean): readonly Value[] {
  /** Undefined while it is being looked at: what leads back to itself begins as its other values do. */
  const known = new Map<Value, readonly Alternative[] | undefined>();
  let steps = 0;

  const look = (one: Value): readonly Alternative[] => {
    if (known.has(one)) return known.get(one) ?? [];
    if (++steps > MOST) return [{ value: one, head: [one] }];
    known.set(one, undefined);
    const options = names.options(one);
    const found = options.length > 1 ? byBeginning(options.filter(isSomething).flatMap(lookInside)) : options.flatMap(lookInside);
    known.set(one, found);
    return found;
  };

  const lookInside = (one: Value): readonly Alternative[] => {
    const text = one.kind === "reference" || one.kind === "unknown" ? names.resolve(one) : one;
    if (text.kind === "template") return partly(one, text.parts.filter(hasText), (parts) => ({ ...text, parts }));
    if (text.kind !== "unknown" || text.call === undefined) return [{ value: one, head: [text] }];
    const { call } = text;
    return partly(one, call.arguments, (given) => ({ ...text, call: { ...call, arguments: given } }));
  };

  /** What is made of the parts, with each of the values that the first of them may have which has several. */
  const partly = (one: Value, parts: readonly Value[], made: (parts: readonly Value[]) => Value): readonly Alternative[] => {
    let beginning = "";
    let lead: readonly Value[] = [one];
    let chosen = parts;
    for (const [index, part] of parts.entries()) {
      const found = look(part);
      const [only] = found;
      if (found.length > 1)
        return found.map(({ value, head }) => ({
          value: made(chosen.map((other, at) => (at === index ? value : other))),
          head: [...chosen.slice(0, index), ...head],
        }));
      // In a circle: the way round has no beginning of its own.
      if (only === undefined) return [];
      if (index === 0) lead = only.head;
      // The only one that is a text.
      if (only.value !== part) chosen = chosen.map((other, at) => (at === index ? only.value : other));
      const { text, whole } = knownBeginning(piecesOf(only.value, names.resolve));
      beginning += text;
      if (!whole || isEnough(beginning)) break;
    }
    return [{ value: chosen === parts ? one : made(chosen), head: lead }];
  };

  const all = look(value);
  return all.length === 0 || steps > MOST ? [value] : all.map((one) => one.value);
}

/** What stands there until there is a text: nothing. */
const isSomething = (value: Value): boolean => value.kind !== "undefined" && value.kind !== "null" && hasText(value);

const hasText = (part: Value): boolean => part.kind !== "string" || part.value !== "";

/** A parameter is the same wherever it stands. */
const keyOf = (value: Value | undefined): string =>
  value?.kind === "unknown" && value.path !== undefined
    ? value.path.join(".")
    : `${value?.place.start} ${value?.place.end} ${value?.place.file}`;

function byBeginning(all: readonly Alternative[]): readonly Alternative[] {
  const groups = new Map<string, Alternative[]>();
  for (const one of all) {
    const key = keyOf(one.head.at(-1));
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first as Alternative;
    const { place } = first.value;
    return { head: first.head, value: { kind: "template", place, parts: [...first.head, unknownAt(place)] } };
  });
}
