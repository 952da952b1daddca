// Mutations of a value after its literal. An object that is written to, or passed to code that may write to it, may have more properties
// than its literal. A list that grows has more items.

import { getOrInsert } from "../../../../base/get-or-insert.ts";
import type { Definition, Mutation, PropertyWrite } from "../../model/mutations.ts";
import type { ConstructedUrl, Expression, NewUrl, ObjectValue, Place, Property, Unknown } from "../../model/values.ts";
import { startOf } from "../../text/place.ts";
import { isUrl } from "../constructed-url.ts";
import { isBuilder, isOpaque } from "../expressions.ts";
import type { Reaching } from "./reaching-definitions.ts";

/** A step into any item or property, for a computed name. */
export const ANY = "*";

export const unknownAt = (place: Place): Unknown => ({ kind: "unknown", place });

/** Returns a property of an object, or an item of a list by its index; undefined if it is not known to exist. */
export function partOf(whole: Expression, name: string): Expression | undefined {
  if (whole.kind === "array" && !whole.open) {
    const { place, items } = whole;
    if (name === "length") return { kind: "number", place, value: items.length };
    return Number(name) >= items.length ? { kind: "undefined", place } : items[Number(name)];
  }
  return whole.kind === "object" ? whole.properties.findLast((property) => property.name === name)?.value : undefined;
}

/** Whether the value can be mutated; strings and numbers cannot. */
export const isChangeable = (value: Expression | undefined): value is Expression => value !== undefined && CHANGEABLE.has(value.kind);

/** A pack stays a pack, whatever is done to it. */
const CHANGEABLE: ReadonlySet<Expression["kind"]> = new Set([
  "object",
  "array",
  "choice",
  "reference",
  "call",
  "lookUp",
  "map",
  "instance",
  "newUrl",
  "bound",
]);

/** Whether the mutation is a write or deletion of a property with a known assignment. */
export const hasAssignment = (change: Mutation): change is Mutation & Required<PropertyWrite> =>
  "property" in change && change.assignment !== undefined;

/** Returns the value after the mutation. */
export const applyMutation = (value: Expression, change: Mutation): Expression => changedAt(value, change.path, change);

function changedAt(value: Expression, [step, ...rest]: readonly string[], change: Mutation): Expression {
  if (value.kind === "choice") {
    const path = step === undefined ? [] : [step, ...rest];
    return { ...value, options: value.options.map((option) => changedAt(option, path, change)) };
  }
  if (isUrl(value) && isOfUrlsRest(change, step)) return withOtherRest(value);
  if (isBuilder(value)) return value;
  // The object that the other name refers to is changed too.
  if (value.kind === "reference" || isOpaque(value)) return unknownAt(value.place);
  if (step === undefined) return applyToWhole(value, change);
  if (value.kind === "array") return { ...value, items: value.items.map((item) => changedAt(item, rest, change)) };
  if (value.kind !== "object") return value;
  const isTarget = (name: string): boolean => step === ANY || step === name;
  // A spread behind the property may contain it too, and would then be the one that is changed.
  if (
    value.spreads.some(({ before }) => change.kind !== "escaped" || step === ANY || before > 0) ||
    !value.properties.some(({ name }) => isTarget(name))
  )
    return withMore(value, unknownAt(value.place));
  const properties = value.properties.map((property) =>
    isTarget(property.name) ? { ...property, value: changedAt(property.value, rest, change) } : property,
  );
  return { ...value, properties };
}

/** Whether the mutation changes only the part of a URL after its host: `url.pathname = …`, `url.searchParams.set(…)`. */
const isOfUrlsRest = (change: Mutation, step: string | undefined): boolean =>
  step === "searchParams" || (step === undefined && change.kind === "written" && /^(?:pathname|search|hash)$/.test(change.property));

/** Returns a URL with the same host and an unknown rest. */
function withOtherRest(url: ConstructedUrl | NewUrl): Expression {
  const { place } = url;
  const origin: Expression = { kind: "computed", place, name: "origin", arguments: [url] };
  const rest: Expression = {
    kind: "template",
    place,
    parts: [origin, { kind: "string", place: startOf(place), value: "/" }, unknownAt(place)],
  };
  return { kind: "url", place, arguments: [rest], isText: true };
}

function applyToWhole(value: Expression, change: Mutation): Expression {
  if (value.kind === "array") {
    const more = { open: true, spreads: [...value.spreads, { before: value.items.length, value: unknownAt(value.place) }] };
    if (change.kind === "grown") return { ...value, ...more };
    // An escaped list may have its objects modified. A list that is written to by index, or emptied, has other items.
    const items = value.items.map((item) => (change.kind === "escaped" ? changedAt(item, [], change) : unknownAt(item.place)));
    return { ...value, ...more, items };
  }
  if (value.kind !== "object") return value;
  switch (change.kind) {
    case "written":
      return withMore(value, change.property === ANY ? unknownAt(value.place) : maybe(value.place, change.property));
    case "deleted": {
      const properties = value.properties.filter(({ name }) => name !== change.property && change.property !== ANY);
      return withMore({ ...value, properties, spreads: [] }, unknownAt(value.place));
    }
    default:
      return withMore(value, unknownAt(value.place));
  }
}

const withMore = (value: ObjectValue, spread: Expression): ObjectValue => ({
  ...value,
  open: true,
  spreads: [...value.spreads, { before: value.properties.length, value: spread }],
});

/**
 * Returns the object with the writes that precede its use, or undefined if anything else is done to it. Code that keeps the object also
 * sees later writes, so the property may have either value. Code that only reads a property does not.
 */
export function withWritten(
  value: ObjectValue,
  changes: readonly Mutation[],
  reaching: (definitions: readonly Definition[]) => Reaching,
  escapes: boolean,
): ObjectValue | undefined {
  const byName = new Map<string, NonNullable<PropertyWrite["assignment"]>[]>();
  const inside = new Map<string, Mutation[]>();
  const deleted = new Set<PropertyWrite["assignment"]>();
  for (const change of changes) {
    if (isOfText(change, value, changes)) continue;
    if (!hasAssignment(change)) return undefined;
    if (change.kind === "deleted") deleted.add(change.assignment);
    const [step, ...path] = change.path;
    if (step === undefined) getOrInsert(byName, change.property, () => []).push(change.assignment);
    else getOrInsert(inside, step, () => []).push({ ...change, path });
  }
  let result = value;
  /** Properties that may have the written or the previous value. */
  const uncertain = new Set<string>();
  for (const [name, all] of byName) {
    const { definitions, declared } = reaching(all.map(({ definition }) => definition));
    const reached = all.filter(({ definition }) => definitions.includes(definition));
    const [only, ...remaining] = reached;
    if (only === undefined && !escapes) continue;
    const isLast = all.every(({ definition }) => only !== undefined && definition.at.start <= only.definition.at.start);
    if (only === undefined || declared || remaining.length > 0 || (escapes && !isLast)) {
      uncertain.add(name);
      result = withMore(result, maybe(result.place, name, escapes ? all : reached));
    } else if (!deleted.has(only)) result = withProperty(result, assignedProperty(name, only));
    else if (result.spreads.length === 0)
      result = {
        ...result,
        properties: result.properties.filter((other) => other.name !== name),
        deleted: [...(result.deleted ?? []), name],
      };
    // A spread may contain the property too.
    else return undefined;
  }
  for (const [name, all] of inside) {
    const since = byName.get(name)?.at(-1)?.definition.at.start ?? 0;
    const isCertain = value.spreads.length === 0 && !uncertain.has(name);
    const property = isCertain ? result.properties.findLast((candidate) => candidate.name === name) : undefined;
    // A write into an object that is later replaced, or that has another name, is not followed.
    if (property?.value.kind !== "object" || all.some(({ at }) => at.start < since)) return undefined;
    const object = withWritten(property.value, all, reaching, escapes);
    if (object === undefined) return undefined;
    result = { ...result, properties: result.properties.map((other) => (other === property ? { ...property, value: object } : other)) };
  }
  return result;
}

const assignedProperty = (name: string, { nameSpan, span, definition }: NonNullable<PropertyWrite["assignment"]>): Property => ({
  name,
  nameSpan,
  span,
  value: definition.value,
});

/** Whether the mutation passes a property to a function, but the property is only ever a string or number, which cannot be modified. */
function isOfText({ kind, path: [name, ...rest] }: Mutation, { properties, spreads }: ObjectValue, changes: readonly Mutation[]): boolean {
  if (kind !== "escaped" || name === undefined || rest.length > 0 || spreads.length > 0) return false;
  const literals = properties.filter((property) => property.name === name).map(({ value }) => value);
  const assignedValues = changes.flatMap((change) =>
    change.kind === "written" && change.property === name ? [change.assignment?.definition.value] : [],
  );
  return [...literals, ...assignedValues].every((value) => value !== undefined && !isChangeable(value));
}

/** Returns the object with the property at the end, replacing others of its name. */
function withProperty(object: ObjectValue, property: Property): ObjectValue {
  const otherProperties = object.properties.filter(({ name }) => name !== property.name);
  const spreads = object.spreads.map((spread) => {
    const duplicates = object.properties.slice(0, spread.before).filter(({ name }) => name === property.name);
    return { ...spread, before: spread.before - duplicates.length };
  });
  return { ...object, properties: [...otherProperties, property], spreads };
}

/** Returns an object that may have the property, with one of the assigned values, or with an unknown value if there are none. */
function maybe(at: Place, name: string, assignments: readonly NonNullable<PropertyWrite["assignment"]>[] = []): Expression {
  const nowhere = startOf(at);
  const object = (property: Property): ObjectValue => ({
    kind: "object",
    place: nowhere,
    properties: [property],
    spreads: [],
    open: false,
    trailingComma: false,
  });
  const options =
    assignments.length === 0
      ? [object({ name, nameSpan: nowhere, span: nowhere, value: unknownAt(at) })]
      : assignments.map((one) => object(assignedProperty(name, one)));
  return { kind: "choice", place: nowhere, decidedBy: "unknown", options: [...options, { kind: "undefined", place: nowhere }] };
}
