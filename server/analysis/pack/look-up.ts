// Members of an object that are not accessed by name: `HOSTS[ENV]`, `Object.keys(HOSTS)`, `Object.values(HOSTS)`, `Object.entries(HOSTS)`.
import type { Resolve, Value } from "../model/values.ts";
import { partOf, unknownAt } from "../syntax/names/mutations.ts";

/** An unknown key in an object with more members than this is not resolved. */
const MOST_LOOKED_UP = 50;

/** Returns the member that `HOSTS[ENV]` reads. If only the object is known, returns a choice of all its members. */
export function lookUp(
  value: Value,
  { object, key }: { readonly object: Value; readonly key: Value },
  resolve: Resolve,
  /** Resolves a value, but keeps a choice. */
  look: (value: Value) => Value,
): Value {
  const [all, name] = [look(object), resolve(key)];
  if (all.kind === "choice")
    return { ...all, place: value.place, options: all.options.map((one) => lookUp(value, { object: one, key }, resolve, look)) };
  if (name.kind === "string" || name.kind === "number") {
    const part = String(name.value);
    if (all.kind === "unknown" && all.path !== undefined) return { kind: "unknown", place: value.place, path: [...all.path, part] };
    const partValue = partOf(all, part);
    return partValue === undefined ? unknownAt(value.place) : resolve(partValue);
  }
  const isAll = (all.kind === "object" || all.kind === "array") && !all.open && (name.kind === "unknown" || name.kind === "template");
  const values = !isAll ? [] : all.kind === "object" ? all.properties.map((property) => property.value) : all.items;
  if (values.length === 0 || values.length > MOST_LOOKED_UP) return unknownAt(value.place);
  return { kind: "choice", place: value.place, options: values };
}

/** Returns the list of `Object.keys(…)`, `Object.values(…)` or `Object.entries(…)`, or undefined if the object is not known. */
export function listOfObject({ callee, arguments: args, place }: Value & { kind: "unknown" }, resolve: Resolve): Value | undefined {
  const [object, what] = callee?.kind === "reference" && callee.path.length === 2 ? callee.path : [];
  const [argument] = object === "Object" && (what === "keys" || what === "values" || what === "entries") ? (args ?? []) : [];
  const all = argument === undefined ? undefined : resolve(argument);
  if (all?.kind !== "object" || all.open) return undefined;
  const items = all.properties.map((property): Value => {
    const { name, nameSpan, value } = property;
    const key: Value = { kind: "string", place: nameSpan, value: name };
    return what === "values" ? value : what === "keys" ? key : { kind: "array", place: property.span, items: [key, value], open: false };
  });
  return { kind: "array", place, items, open: false };
}
