// What becomes of a value after its literal: an object that is written to, or handed to someone who may write to it, may have more in it
// than its literal says, and a list that is filled holds more than it lists.
import { isMadeUrl } from "./made-url.ts";
import type { ObjectValue, Place, Property, Span, Value } from "./model.ts";
import type { Definition, Reaching } from "./reaching-definitions.ts";

/** A step into whichever item or property: its name is computed. */
export const ANY = "*";

/** What happens to a name after its declaration, seen at an offset, or to what the path leads to inside it. */
export type Change = { readonly name: string; readonly offset: number; readonly path: readonly string[] } & (
  | Assigned
  | Written
  | { readonly kind: "deleted"; readonly property: string }
  /** A list has more items. */
  | { readonly kind: "grown" }
  /** Anything may have been put into it. */
  | { readonly kind: "escaped" }
);

/** `name.property = …`. */
interface Written {
  readonly kind: "written";
  readonly property: string;
  /** With what it is given, where that is known. */
  readonly given?: { readonly definition: Definition; readonly nameSpan: Span; readonly span: Span };
}

/** What it is given is not known without a definition, as where a list is taken apart. */
interface Assigned {
  readonly kind: "assigned";
  readonly definition?: Definition;
}

export const unknownAt = ({ file, start, end }: Place): Value & { readonly kind: "unknown" } => ({ kind: "unknown", file, start, end });

/** What may change: texts and numbers do not. */
export const isChangeable = (value: Value | undefined): value is Value =>
  value?.kind === "object" ||
  value?.kind === "array" ||
  value?.kind === "choice" ||
  value?.kind === "reference" ||
  // A pack stays one, whatever is done to it.
  (value?.kind === "unknown" &&
    value.isPack !== true &&
    (value.callee !== undefined || value.lookup !== undefined || value.made !== undefined || value.standsFor !== undefined));

/** The value as it may be after the change. */
export const changed = (value: Value, change: Change): Value => changedAt(value, change.path, change);

function changedAt(value: Value, [step, ...rest]: readonly string[], change: Change): Value {
  if (value.kind === "choice") {
    const path = step === undefined ? [] : [step, ...rest];
    return { ...value, options: value.options.map((option) => changedAt(option, path, change)) };
  }
  if (isMadeUrl(value) && isOfUrlsRest(change, step)) return withOtherRest(value);
  if (value.kind === "unknown" && value.isPack === true) return value;
  // The one that another name stands for is changed with it.
  if (value.kind === "reference" || value.kind === "unknown") return unknownAt(value);
  if (step === undefined) return opened(value, change);
  if (value.kind === "array") return { ...value, items: value.items.map((item) => changedAt(item, rest, change)) };
  if (value.kind !== "object") return value;
  const isMeant = (name: string): boolean => step === ANY || step === name;
  // What is spread in may have that property too, and then it is the one that is changed.
  if (value.spreads.length > 0 || !value.properties.some(({ name }) => isMeant(name))) return withMore(value, unknownAt(value));
  const properties = value.properties.map((property) =>
    isMeant(property.name) ? { ...property, value: changedAt(property.value, rest, change) } : property,
  );
  return { ...value, properties };
}

/** What stands behind the host of a URL: `url.pathname = …`, `url.searchParams.set(…)`. */
const isOfUrlsRest = (change: Change, step: string | undefined): boolean =>
  step === "searchParams" || (step === undefined && change.kind === "written" && /^(?:pathname|search|hash)$/.test(change.property));

/** The same host, and whatever behind it. */
function withOtherRest(url: Value & { readonly kind: "unknown" }): Value {
  const { file, start, end } = url;
  const origin: Value = { kind: "unknown", file, start, end, call: { name: "origin", arguments: [url] } };
  const rest: Value = {
    kind: "template",
    file,
    start,
    end,
    parts: [origin, { kind: "string", file, start, end: start, value: "/" }, unknownAt(url)],
  };
  return { kind: "unknown", file, start, end, call: { name: "URL", arguments: [rest] } };
}

function opened(value: Value, change: Change): Value {
  if (value.kind === "array") {
    const more = { open: true, spreads: [...(value.spreads ?? []), { before: value.items.length, value: unknownAt(value) }] };
    if (change.kind === "grown") return { ...value, ...more };
    // Handed to someone, its objects may be written to; written to by number or emptied, it has other items.
    const items = value.items.map((item) => (change.kind === "escaped" ? changedAt(item, [], change) : unknownAt(item)));
    return { ...value, ...more, items };
  }
  if (value.kind !== "object") return value;
  switch (change.kind) {
    case "written":
      return withMore(value, change.property === ANY ? unknownAt(value) : maybe(value, change.property));
    case "deleted": {
      const properties = value.properties.filter(({ name }) => name !== change.property && change.property !== ANY);
      return withMore({ ...value, properties, spreads: [] }, unknownAt(value));
    }
    default:
      return withMore(value, unknownAt(value));
  }
}

const withMore = (value: ObjectValue, spread: Value): ObjectValue => ({
  ...value,
  open: true,
  spreads: [...value.spreads, { before: value.properties.length, value: spread }],
});

/**
 * The object with what is written into it before it is used; undefined where something else is done to it. What is written later is
 * seen by whoever keeps the object, and not by who only reads a property of it: for the one, the property may have either value.
 */
export function withWritten(
  value: ObjectValue,
  changes: readonly Change[],
  reaching: (definitions: readonly Definition[]) => Reaching,
  isKept: boolean,
): ObjectValue | undefined {
  const byName = new Map<string, NonNullable<Written["given"]>[]>();
  for (const change of changes) {
    if (isOfText(change, value, changes)) continue;
    if (change.kind !== "written" || change.given === undefined || change.path.length > 0) return undefined;
    byName.set(change.property, [...(byName.get(change.property) ?? []), change.given]);
  }
  let written = value;
  for (const [name, all] of byName) {
    const { definitions, declared } = reaching(all.map(({ definition }) => definition));
    const [only, ...others] = all.filter(({ definition }) => definitions.includes(definition));
    if (only === undefined && !isKept) continue;
    const isLast = all.every(({ definition }) => only !== undefined && definition.offset <= only.definition.offset);
    if (only === undefined || declared || others.length > 0 || (isKept && !isLast)) written = withMore(written, maybe(written, name));
    else written = withProperty(written, { name, nameSpan: only.nameSpan, span: only.span, value: only.definition.value });
  }
  return written;
}

/** A property is handed to someone, and is never more than a text or a number: nothing can be written into that. */
function isOfText({ kind, path: [name, ...rest] }: Change, { properties, spreads }: ObjectValue, changes: readonly Change[]): boolean {
  if (kind !== "escaped" || name === undefined || rest.length > 0 || spreads.length > 0) return false;
  const literals = properties.filter((property) => property.name === name).map(({ value }) => value);
  const written = changes.flatMap((change) =>
    change.kind === "written" && change.property === name ? [change.given?.definition.value] : [],
  );
  return [...literals, ...written].every((value) => value !== undefined && !isChangeable(value));
}

/** With the property behind all others, and without those of its name. */
function withProperty(object: ObjectValue, property: Property): ObjectValue {
  const others = object.properties.filter(({ name }) => name !== property.name);
  const spreads = object.spreads.map((spread) => {
    const taken = object.properties.slice(0, spread.before).filter(({ name }) => name === property.name);
    return { ...spread, before: spread.before - taken.length };
  });
  return { ...object, properties: [...others, property], spreads };
}

/** An object that may have the property, with whatever value. */
function maybe(at: Place, name: string): Value {
  const nowhere = { start: at.start, end: at.start };
  const written: ObjectValue = {
    kind: "object",
    file: at.file,
    ...nowhere,
    properties: [{ name, nameSpan: nowhere, span: nowhere, value: unknownAt(at) }],
    spreads: [],
    open: false,
    trailingComma: false,
  };
  return { kind: "choice", file: at.file, ...nowhere, options: [written, { kind: "undefined", file: at.file, ...nowhere }] };
}
