// Resolves objects and lists with spreads: `{ ...base, type }`, `[...domains, domain]`.
import type { Expression, ListValue, ObjectValue, Property, Resolve, Value } from "../model/values.ts";
import { isSpread } from "../syntax/expressions.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { keyText } from "./look-up.ts";

/** Lists that are spread into lists of lists grow without bound. */
const MOST_ITEMS = 1_000;
/** With more alternatives than this, it is unclear which belong together. */
const MOST_ALTERNATIVES = 8;

export function withSpreadItems(list: ListValue, resolve: Resolve): ListValue {
  const { spreads, isSet, ...rest } = list;
  const items: Expression[] = [];
  const textOf = (item: Expression): string | undefined => keyText(resolve(item));
  let open = false;
  for (let index = 0; index <= list.items.length; index++) {
    for (const { before, value } of spreads) {
      if (before !== index) continue;
      const spread = resolve(value);
      if (spread.kind !== "array" || spread.open || items.length + spread.items.length > MOST_ITEMS) open = true;
      if (spread.kind === "array" && items.length + spread.items.length <= MOST_ITEMS) items.push(...spread.items);
    }
    const item = list.items[index];
    if (item !== undefined) items.push(item);
  }
  const texts = isSet === true ? items.map(textOf) : [];
  return { ...rest, items: items.filter((_, at) => texts[at] === undefined || texts.indexOf(texts[at]) === at), spreads: [], open };
}

export function withSpreads(object: ObjectValue, resolve: Resolve, isAlternative = false): ObjectValue {
  let properties: Property[] = [];
  let open = false;
  let isUnread = false;
  const sources: ObjectValue[] = [];
  const comesFrom = (source: Value): void => {
    if (source.kind === "object" && sources.length < MOST_ITEMS) sources.push(source, ...(source.merged?.sources ?? []));
  };
  /** Hides the values that the spread may replace; all values if its names are unknown. */
  const hide = (names?: ReadonlySet<string>): void => {
    open = true;
    if (names === undefined) isUnread = true;
    properties = properties.map((property) =>
      names === undefined || names.has(property.name) ? { ...property, value: unknownAt(property.value.place) } : property,
    );
  };
  const spread = (value: Expression): void => {
    const resolved = resolve(value);
    if (value.kind === "choice" && resolved.kind === "unknown") {
      const options = value.options.map((option) => resolve(option));
      options.forEach(comesFrom);
      const isStatic = options.every((option) => isNothing(option) || (option.kind === "object" && !option.open));
      hide(isStatic ? namesIn(options.filter((option) => option.kind === "object")) : undefined);
      return;
    }
    const key = value.kind === "property" ? resolve(value.key) : undefined;
    const name = key && keyText(key);
    if (value.kind === "property" && name !== undefined) {
      properties.push({ name, ...value.property });
      return;
    }
    if (isNothing(resolved)) return;
    comesFrom(resolved);
    // `Object.assign({}, ...parts)` spreads each of its parts.
    if (resolved.kind === "array" && !resolved.open && isSpread(value)) for (const item of resolved.items) spread(item);
    else if (resolved.kind !== "object") hide();
    else {
      if (resolved.open) hide(resolved.merged?.openToSources === true ? namesIn(resolved.merged.sources) : undefined);
      // Objects that are spread into each other double at each step.
      if (properties.length + resolved.properties.length > MOST_ITEMS) hide();
      else properties.push(...resolved.properties);
    }
  };
  for (let index = 0; index <= object.properties.length; index++) {
    for (const { before, value } of object.spreads) if (before === index) spread(value);
    const property = object.properties[index];
    if (property !== undefined) properties.push(property);
  }
  return {
    ...object,
    properties,
    spreads: [],
    open,
    merged: { sources, alternatives: isAlternative ? [] : alternativesOf(object, resolve), openToSources: open && !isUnread },
  };
}

/** Returns the names of all their properties, or undefined if one of the objects may have more. */
const namesIn = (objects: readonly ObjectValue[]): ReadonlySet<string> | undefined =>
  objects.some(({ open }) => open) ? undefined : new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)));

/**
 * Returns the object with each of the options that a condition spreads in. An object with an empty place comes from a later write, and is
 * skipped.
 */
function alternativesOf(object: ObjectValue, resolve: Resolve): readonly ObjectValue[] {
  const alternatives = object.spreads.flatMap(({ before, value }, index) => {
    if (value.kind !== "choice" || value.place.end === value.place.start || resolve(value).kind !== "unknown") return [];
    return value.options.map((option) => {
      const spreads = object.spreads.map((other, at) => (at === index ? { before, value: option } : other));
      return { ...object, spreads };
    });
  });
  if (alternatives.length > MOST_ALTERNATIVES) return [];
  return alternatives.map((one) => withSpreads(one, resolve, true));
}

const isNothing = (value: Value): boolean =>
  value.kind === "undefined" || value.kind === "null" || (value.kind === "boolean" && !value.value);
