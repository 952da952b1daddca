// What becomes of a value after its literal: an object that is written to, or handed to someone who may write to it, may have more in it
// than its literal says, and a list that is filled holds more than it lists.
import { isMadeUrl } from "./made-url.ts";
import type { ObjectValue, Place, Value } from "./model.ts";
import type { Definition } from "./reaching-definitions.ts";

/** A step into whichever item or property: its name is computed. */
export const ANY = "*";

/** What happens to a name after its declaration, seen at an offset, or to what the path leads to inside it. */
export type Change = { readonly name: string; readonly offset: number; readonly path: readonly string[] } & (
  | Assigned
  /** `name.property = …`. */
  | { readonly kind: "written" | "deleted"; readonly property: string }
  /** A list has more items. */
  | { readonly kind: "grown" }
  /** Anything may have been put into it. */
  | { readonly kind: "escaped" }
);

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
  (value?.kind === "unknown" && value.isPack !== true && (value.callee !== undefined || value.lookup !== undefined));

/** The value as it may be after the change. */
export const changed = (value: Value, change: Change): Value => changedAt(value, change.path, change);

function changedAt(value: Value, [step, ...rest]: readonly string[], change: Change): Value {
  if (value.kind === "choice") {
    const path = step === undefined ? [] : [step, ...rest];
    return { ...value, options: value.options.map((option) => changedAt(option, path, change)) };
  }
  if (isMadeUrl(value) && isOfUrlsRest(change, step)) return withOtherRest(value);
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

const withMore = (value: ObjectValue, spread: Value): Value => ({
  ...value,
  open: true,
  spreads: [...value.spreads, { before: value.properties.length, value: spread }],
});

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
