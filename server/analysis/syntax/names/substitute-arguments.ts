// Substitutes a call's arguments, or the defaults, for the names of a function's parameters in its return value.

import type { FileFacts } from "../../model/facts.ts";
import type { Binding, Expression, FunctionValue, ObjectValue, Place, Reference, Resolve, Value } from "../../model/values.ts";
import { endOf } from "../../text/place.ts";
import { isOpaque } from "../expressions.ts";
import { find } from "./declarations.ts";
import { isSomething } from "./is-something.ts";
import { partOf } from "./mutations.ts";

interface Call {
  /** The called function, and the facts of its file. */
  readonly callee: Place;
  readonly facts: FileFacts;
  readonly bindings: readonly Binding[];
  readonly arguments: readonly Expression[];
  /** The object that the function calls `this`. */
  readonly receiver?: FunctionValue["receiver"];
  /** The place where the value is passed on, which does not count as an escape. */
  readonly passedIn?: Place;
  readonly resolve: Resolve;
  readonly options: (value: Expression) => readonly Expression[];
}

/** Maximum number of parts of a return value. */
const MOST_PARTS = 1_000;

/** Returns the value with its parameters bound, or the value itself if it contains none. */
export function bindParameters(value: Expression, call: Call): Expression {
  let left = MOST_PARTS;
  let isBound = false;
  const bindAll = (values: readonly Expression[]): readonly Expression[] => values.map(bind);
  const bindSpread = (spread: { readonly before: number; readonly value: Expression }) => ({ ...spread, value: bind(spread.value) });
  // The choice may depend on the argument, so not every option occurs with the parts after it.
  const bindLeading = (parts: readonly Expression[]): readonly Expression[] => {
    const bound = bindAll(parts);
    const chosen = bound.findIndex((part) => call.options(part).length !== 1);
    return chosen < 0 ? bound : [...bound.slice(0, chosen + 1), ...parts.slice(chosen + 1)];
  };
  const bind = (part: Expression): Expression => {
    if (--left < 0) return part;
    switch (part.kind) {
      case "reference": {
        const boundValue = boundTo(part, call) ?? boundLocal(part);
        if (boundValue !== undefined) isBound = true;
        return boundValue === undefined ? part : { kind: "bound", place: part.place, value: boundValue };
      }
      case "object": {
        const properties = part.properties.map((property) => ({ ...property, value: bind(property.value) }));
        return { ...part, properties, spreads: part.spreads.map(bindSpread) };
      }
      case "array":
        return { ...part, items: bindAll(part.items), spreads: part.spreads.map(bindSpread) };
      case "template":
        return { ...part, parts: bindLeading(part.parts) };
      case "choice": {
        if (part.decidedBy === "||" || part.decidedBy === "??") return { ...part, options: bindAll(part.options) };
        const before = isBound;
        const isTrue = typeof part.decidedBy === "string" ? undefined : isSomething(call.resolve(bind(part.decidedBy)), "||");
        const only = isTrue === undefined ? undefined : part.options[isTrue ? 0 : 1];
        if (only !== undefined) return bind(only);
        isBound = before;
        return part;
      }
      case "bound":
        return { ...part, value: bind(part.value) };
      case "function":
        isBound = true;
        return { ...part, bind: (inner) => bindParameters(part.bind?.(inner) ?? inner, call) };
      case "map":
        return { ...part, list: bind(part.list), by: bind(part.by) };
      case "call":
      case "newPack":
        return part.arguments === undefined ? part : { ...part, callee: bind(part.callee), arguments: bindAll(part.arguments) };
      case "lookUp":
        return { ...part, object: bind(part.object), key: bind(part.key) };
      case "instance":
        return part.arguments === undefined ? part : { ...part, class: bind(part.class), arguments: bindAll(part.arguments) };
      case "property":
        return { ...part, key: bind(part.key), property: { ...part.property, value: bind(part.property.value) } };
      case "comparison":
        return { ...part, left: bind(part.left), right: bind(part.right) };
      case "remainder":
        return { ...part, object: bind(part.object), without: bindAll(part.without) };
      case "computed":
      case "url":
        return { ...part, arguments: bindLeading(part.arguments) };
      case "newUrl":
        return { ...part, url: { ...part.url, arguments: bindLeading(part.url.arguments) } };
      default:
        return part;
    }
  };
  /** Returns the value of the function's local name, if it contains a parameter. */
  const boundLocal = (part: Reference): Expression | undefined => {
    const localValue = readLocalValue(part, call);
    if (localValue === undefined) return undefined;
    const before = isBound;
    isBound = false;
    const boundValue = bind(localValue);
    const hasParameter = isBound;
    isBound = before;
    return hasParameter ? boundValue : undefined;
  };
  const bound = call.bindings.length === 0 && call.receiver === undefined ? value : bind(value);
  return isBound ? bound : value;
}

/** Returns the value of a local name of the function that is never reassigned. */
function readLocalValue({ path: [head = "", ...rest], place: { file, start } }: Reference, call: Call): Expression | undefined {
  const { callee, facts } = call;
  if (file !== callee.file || rest.length > 0) return undefined;
  const { declarations } = facts;
  const declaration = find(declarations.get(head), start + 1);
  const value = declarations.writtenAt(head, start + 1, true) ?? declaration?.value;
  if (declaration === undefined || value === undefined || value.place.start < callee.start || declaration.scope.end > callee.end)
    return undefined;
  if (declarations.assignedAt(head, start + 1) !== undefined) return undefined;
  if (value.kind === "template" || value.kind === "object" || value.kind === "array" || value.kind === "choice") return value;
  // The result of a call may be an object that other code modifies.
  const mayBeOther = declarations.isWritten(head, callee) || declarations.isPassed(head, callee, call.passedIn);
  return (isOpaque(value) || value.kind === "reference") && !mayBeOther ? value : undefined;
}

/** Returns the argument that a name refers to, if it is an unmodified parameter. */
function boundTo({ path: [head = "", ...rest], place }: Reference, call: Call): Expression | undefined {
  const { callee, bindings, facts } = call;
  const { file, start } = place;
  if (file !== callee.file) return undefined;
  if (head === "this" || head === "super") return receivedPart([head, ...rest], place, call);
  const binding = bindings.find(({ name }) => name === head);
  const declaration = binding && find(facts.declarations.get(head), start + 1);
  const isParameter = declaration?.scope.end === callee.end && declaration.scope.start <= callee.start;
  if (binding === undefined || !isParameter) return undefined;
  const { declarations } = facts;
  if (declarations.assignedAt(head, start + 1) !== undefined || declarations.isWritten(head, callee)) return undefined;
  const value = argumentFor(binding, call);
  if (value === undefined || (declarations.isPassed(head, callee, call.passedIn) && mayChange(call.resolve(value)))) return undefined;
  if (rest.length === 0) return value;
  return value.kind === "reference" ? { ...value, path: [...value.path, ...rest] } : partAt(value, rest, place);
}

/** Returns the look-up of what is at the path in a value. */
export const partAt = (whole: Expression, path: readonly string[], place: Place): Expression =>
  path.reduce<Expression>((object, name) => ({ kind: "lookUp", place, object, key: { kind: "string", place, value: name } }), whole);

/** Returns a part of the object that the function calls `this`, unless it is an object whose functions write to it. */
function receivedPart([head, ...path]: readonly string[], place: Place, { callee, receiver, facts }: Call): Expression | undefined {
  if (receiver === undefined) return undefined;
  if (head === "super") return receiver.kind === "instance" ? partAt({ ...receiver, above: callee }, path, place) : undefined;
  const isWritten = receiver.kind === "object" && (receiver.place.file !== facts.file || isWrittenByItself(receiver, facts));
  return isWritten ? undefined : partAt(receiver, path, place);
}

/** Whether functions of the object may write to it. */
export const isWrittenByItself = ({ place }: ObjectValue, facts: Pick<FileFacts, "text"> | undefined): boolean =>
  facts === undefined || WRITES_TO_THIS.test(facts.text.slice(place.start, place.end));

/** Matches `this.name = value`, `this[name]`, and an object that is passed on. */
const WRITES_TO_THIS = /\bthis\b(?:[\w.]{0,99}\s{0,9}[^\w\s=!<>]{0,3}=(?!=)|\[|\s{0,9}[,)])/;

/** Whether a function that receives the value may modify it. */
const mayChange = (value: Value): boolean => value.kind === "object" || value.kind === "array" || isOpaque(value);

/** Returns the argument for a binding, or undefined if it is unknown. */
function argumentFor({ index, property, standard, whole, isRest, without }: Binding, call: Call): Expression | undefined {
  if (isRest === true) return { kind: "array", place: endOf(call.callee), items: call.arguments.slice(index), spreads: [], open: false };
  const absent: Expression = { kind: "undefined", place: endOf(call.callee) };
  const argument = present(call.arguments[index], call);
  if (property === undefined && without === undefined) return argument ?? standard ?? absent;
  const object = argument ?? whole;
  if (object === undefined) return undefined;
  if (without !== undefined) return { kind: "remainder", place: absent.place, object, without };
  const resolved = call.resolve(object);
  if ((resolved.kind !== "object" && resolved.kind !== "array") || resolved.open) return undefined;
  return present(partOf(resolved, property ?? ""), call) ?? standard ?? absent;
}

const present = (value: Expression | undefined, { resolve }: Call): Expression | undefined =>
  value === undefined || resolve(value).kind === "undefined" ? undefined : value;
