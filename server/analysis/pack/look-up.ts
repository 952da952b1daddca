// Members of an object that are not accessed by name: `HOSTS[ENV]`, `Object.keys(HOSTS)`, `Object.values(HOSTS)`, `Object.entries(HOSTS)`.
import type { Call, Choice, Expression, ListValue, LookUp, Resolve, Value } from "../model/values.ts";
import { isOpaque } from "../syntax/expressions.ts";
import { partOf, unknownAt } from "../syntax/names/mutations.ts";

/** An unknown key in an object with more members than this is not resolved. */
const MOST_LOOKED_UP = 50;

/** Returns the member that `HOSTS[ENV]` reads. If only the object is known, returns a choice of all its members. */
export function lookUp(
  { object, key, place }: LookUp,
  resolve: Resolve,
  /** Resolves an expression, but keeps a choice. */
  look: (expression: Expression) => Value | Choice,
): Value | Choice {
  const [all, name] = [look(object), resolve(key)];
  if (all.kind === "choice")
    return { ...all, place, options: all.options.map((one) => lookUp({ kind: "lookUp", place, object: one, key }, resolve, look)) };
  if (name.kind === "string" || name.kind === "number") {
    const part = String(name.value);
    if (all.kind === "parameter") return { kind: "parameter", place, path: [...all.path, part] };
    const partValue = partOf(all, part);
    return partValue === undefined ? unknownAt(place) : resolve(partValue);
  }
  const isAll = (all.kind === "object" || all.kind === "array") && !all.open && (isOpaque(name) || name.kind === "template");
  const values = !isAll ? [] : all.kind === "object" ? all.properties.map((property) => property.value) : all.items;
  if (values.length === 0 || values.length > MOST_LOOKED_UP) return unknownAt(place);
  return { kind: "choice", place, decidedBy: "unknown", options: values };
}

/** Returns the list of `Object.keys(…)`, `Object.values(…)` or `Object.entries(…)`, or undefined if the object is not known. */
export function listOfObject({ callee, arguments: args, place }: Call, resolve: Resolve): ListValue | undefined {
  const [object, what] = callee.kind === "reference" && callee.path.length === 2 ? callee.path : [];
  const [argument] = object === "Object" && (what === "keys" || what === "values" || what === "entries") ? (args ?? []) : [];
  const all = argument === undefined ? undefined : resolve(argument);
  if (all?.kind !== "object" || all.open) return undefined;
  const items = all.properties.map((property): Expression => {
    const { name, nameSpan, value } = property;
    const key: Expression = { kind: "string", place: nameSpan, value: name };
    return what === "values"
      ? value
      : what === "keys"
        ? key
        : { kind: "array", place: property.span, items: [key, value], spreads: [], open: false };
  });
  return { kind: "array", place, items, spreads: [], open: false };
}
