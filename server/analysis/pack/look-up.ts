// What functions of the language return, and members that are not accessed by name: `Object.keys(HOSTS)`, `HOSTS[ENV]`, `list.concat(item)`.

import { ENUMS } from "../../../spec/fields.ts";
import type {
  Call,
  Choice,
  Comparison,
  Expression,
  FunctionValue,
  Instance,
  Item,
  ListValue,
  LookUp,
  ObjectValue,
  Place,
  Property,
  Remainder,
  Resolve,
  Value,
} from "../model/values.ts";
import { isOpaque, withItems } from "../syntax/expressions.ts";
import { isSomething } from "../syntax/names/is-something.ts";
import { partOf, unknownAt } from "../syntax/names/mutations.ts";
import { endOf, startOf } from "../text/place.ts";

/** An unknown key in an object with more members than this is not resolved. */
const MOST_LOOKED_UP = 50;

/** Returns the member that `HOSTS[ENV]` reads. If only the object is known, returns a choice of all its members. */
export function lookUp(
  { object, key, place }: LookUp,
  resolve: Resolve,
  /** Resolves an expression, but keeps a choice. */
  look: (expression: Expression) => Value | Choice,
  /** Returns a member of an object of a class. */
  memberOf: (instance: Instance, name: string) => Value | Choice,
): Value | Choice {
  const [all, name] = [look(object), resolve(key)];
  if (all.kind === "choice")
    return {
      ...all,
      place,
      options: all.options.map((one) => lookUp({ kind: "lookUp", place, object: one, key }, resolve, look, memberOf)),
    };
  const part = keyText(name);
  if (part !== undefined) {
    // The SDK's enums are no objects here, but their members have names.
    if (object.kind === "reference" && all.kind === "unknown") return look({ ...object, path: [...object.path, part] });
    if (all.kind === "instance") return memberOf(all, part);
    if (all.kind === "parameter") return { kind: "parameter", place, path: [...all.path, part] };
    if (all.kind === "item") return partOfEach(all, name, place, resolve);
    const partValue = partOf(all, part);
    return partValue === undefined ? absentIn(all, place) : withReceiver(look(readFrom(all, partValue)), all);
  }
  // A computed index, such as that of the last item, reads one certain item.
  const isAll =
    (all.kind === "object" && !all.open && (isOpaque(name) || name.kind === "template")) ||
    (all.kind === "array" && !all.open && name.kind === "parameter");
  const values = !isAll ? [] : all.kind === "object" ? Array.from(eachMember(all), ({ value }) => value) : all.items;
  if (values.length === 0 || values.length > MOST_LOOKED_UP) return unknownAt(place);
  return { kind: "choice", place, decidedBy: "unknown", options: values };
}

/** Returns the text of a value that is a property's name. */
export function keyText(key: Value): string | undefined {
  if (key.kind === "member") return (ENUMS as Readonly<Record<string, Readonly<Record<string, string>>>>)[key.enum]?.[key.name];
  return key.kind === "string" || key.kind === "number" ? String(key.value) : undefined;
}

/** Returns the value of a property that the object does not have, or of one that is read from no object, as by `?.`. */
export const absentIn = (whole: Value, place: Place): Value =>
  (whole.kind === "object" && !whole.open) || whole.kind === "undefined" || whole.kind === "null"
    ? { kind: "undefined", place }
    : unknownAt(place);

/** Returns the items that a loop over a list or a map goes through, or undefined if they are unknown. */
export function itemsOf(list: Expression, resolve: Resolve): readonly Expression[] | undefined {
  const all = resolve(list);
  const entries = all.kind === "object" ? ofObject("entries", all, list.place, resolve) : all;
  return entries?.kind === "array" && !entries.open ? entries.items : undefined;
}

/** Returns a part of each item of a list. */
function partOfEach({ list }: Item, key: Value, place: Place, resolve: Resolve): Value {
  const items = itemsOf(list, resolve)?.map((object): Expression => ({ kind: "lookUp", place: object.place, object, key }));
  return items === undefined ? unknownAt(place) : { kind: "item", place, list: listOf(place, items) };
}

/** Returns a member's value; for a getter, the call of its function with the object. */
export const readFrom = (receiver: Value, member: Expression): Expression =>
  receiver.kind === "object" && member.kind === "call" && member.callee.kind === "function"
    ? { ...member, callee: { ...member.callee, receiver } }
    : member;

/** Returns a function with the object that it was read from. */
export const withReceiver = (value: Value | Choice, receiver: Value): Value | Choice =>
  value.kind === "function" && value.receiver === undefined && receiver.kind === "object" ? { ...value, receiver } : value;

/** Resolves the parts of a call. */
interface Resolving {
  readonly resolve: Resolve;
  /** Resolves an expression, but keeps a choice. */
  readonly look: (expression: Expression) => Value | Choice;
  /** Returns what a function of the pack returns. */
  readonly apply: (called: FunctionValue, args: readonly Expression[]) => Value | Choice;
  readonly memberOf: (instance: Instance, name: string) => Value | Choice;
}

/** Returns the result of a function of the language, or undefined if the call is none that is known. */
export function builtInCall(call: Call, by: Resolving): Value | Choice | undefined {
  const { callee, arguments: own, place } = call;
  const { receiver, name } = methodOf(callee) ?? {};
  if (receiver === undefined || name === undefined) return undefined;
  const args = own && withItems(own, by.resolve);
  if (args === undefined) return undefined;
  if (receiver.kind === "reference" && receiver.path.join() === "Object") return ofObject(name, args[0], place, by.resolve);
  if (!Object.hasOwn(LIST_METHODS, name) && !TEXT_METHODS.test(name) && !OTHER_METHODS.test(name)) return undefined;
  const whole = by.resolve(receiver);
  if (whole.kind === "function") return ofFunction(whole, name, args, by);
  // Maps are objects.
  if (args.length === 0 && (whole.kind === "object" || name === "values")) return ofObject(name, whole, place, by.resolve);
  const [key] = args;
  if (whole.kind === "parameter") return /^trim/.test(name) ? whole : undefined;
  // The other parts may be unknown.
  if (name === "concat" && (whole.kind === "string" || whole.kind === "template"))
    return by.look({ kind: "template", place, parts: [whole, ...args] });
  if (whole.kind === "string") return TEXT_METHODS.test(name) ? ofText(whole.value, name, args.map(by.resolve), place) : undefined;
  if (whole.kind === "object")
    return name === "get" && key ? lookUp({ kind: "lookUp", place, object: whole, key }, by.resolve, by.look, by.memberOf) : undefined;
  if (whole.kind !== "array" || whole.open || !Object.hasOwn(LIST_METHODS, name)) return undefined;
  return LIST_METHODS[name as keyof typeof LIST_METHODS](whole, args, by, place);
}

/** Returns a called method's receiver and name. */
function methodOf(callee: Expression): { readonly receiver: Expression; readonly name: string } | undefined {
  if (callee.kind === "bound") return methodOf(callee.value);
  if (callee.kind === "lookUp" && callee.key.kind === "string") return { receiver: callee.object, name: callee.key.value };
  const name = callee.kind === "reference" ? callee.path.at(-1) : undefined;
  if (callee.kind !== "reference" || callee.path.length < 2 || name === undefined) return undefined;
  return { receiver: { ...callee, path: callee.path.slice(0, -1) }, name };
}

const OTHER_METHODS = /^(?:get|keys|values|entries|call|apply|bind)$/;

/** Returns the result of a method of functions. */
function ofFunction(called: FunctionValue, name: string, [self, ...args]: readonly Expression[], by: Resolving) {
  const receiver = self && by.resolve(self);
  const bound = receiver?.kind === "object" || receiver?.kind === "instance" ? { ...called, receiver } : called;
  if (name === "bind") return { ...bound, leading: [...(called.leading ?? []), ...args] };
  const list = name === "call" || args[0] === undefined ? args : itemsOf(args[0], by.resolve);
  return /^(?:call|apply)$/.test(name) && list !== undefined ? by.apply(bound, list) : undefined;
}

const TEXT_METHODS =
  /^(?:concat|split|slice|substring|trim|trimStart|trimEnd|toLowerCase|toUpperCase|indexOf|startsWith|endsWith|includes)$/;

/** The result of a method of texts is the same as here. */
function ofText(text: string, name: string, args: readonly Value[], place: Place): Value | undefined {
  const values = args.flatMap((one) => (one.kind === "string" || one.kind === "number" ? [one.value] : []));
  if (values.length < args.length) return undefined;
  const method = text[name as "concat"] as (...values: readonly unknown[]) => string | number | boolean | readonly string[];
  const result = method.apply(text, values);
  if (typeof result === "string") return { kind: "string", place, value: result };
  if (typeof result === "number") return { kind: "number", place, value: result };
  if (typeof result === "boolean") return { kind: "boolean", place, value: result };
  const items = result.map((value): Expression => ({ kind: "string", place, value }));
  return listOf(place, items);
}

const listOf = (place: Place, items: readonly Expression[]): ListValue => ({ kind: "array", place, items, spreads: [], open: false });

/** Returns what a callback receives for an item of a list. */
export const eachArguments = (item: Expression, at: number, list: ListValue): readonly Expression[] => [
  item,
  { kind: "number", place: item.place, value: at },
  list,
];

type ListMethod = (list: ListValue, args: readonly Expression[], by: Resolving, place: Place) => Value | Choice | undefined;

const LIST_METHODS = {
  at: ({ items }, [index], { resolve, look }) => {
    const at = index && resolve(index);
    const item = at?.kind === "number" ? items.at(at.value) : undefined;
    return item && look(item);
  },
  concat(list, args, { resolve }, place) {
    const added = args.map(resolve);
    const isOpen = added.some((one) => isOpaque(one) || (one.kind === "array" && one.open));
    const items = added.flatMap((one, index) => (one.kind === "array" ? one.items : (args[index] ?? one)));
    return { ...listOf(place, [...list.items, ...items]), open: isOpen };
  },
  filter: (list, [test], by, place) => {
    const passing = test && itemsThatPass(list, test, by);
    return passing && listOf(place, passing);
  },
  find: (list, [test], by) => {
    const [first] = (test && itemsThatPass(list, test, by)) ?? [];
    return first && by.look(first);
  },
  join: ({ items }, [separator], { look, resolve }, place) => {
    const by = separator && resolve(separator);
    if (by?.kind !== "string") return undefined;
    const parts = items.flatMap((item, index) => (index === items.length - 1 ? [item] : [item, { ...by, place: endOf(item.place) }]));
    return look({ kind: "template", place, parts: [{ ...by, place: startOf(place), value: "" }, ...parts] });
  },
  slice: ({ items }, args, { resolve }, place) => {
    const bounds = args.map(resolve).flatMap((one) => (one.kind === "number" ? [one.value] : []));
    return bounds.length < args.length ? undefined : listOf(place, items.slice(bounds[0], bounds[1]));
  },
  reduce: (list, [step, start], { resolve, apply, look }) => {
    const { items } = list;
    const by = step && resolve(step);
    const [first, ...rest] = start === undefined ? items : [start, ...items];
    if (by?.kind !== "function" || first === undefined) return undefined;
    const skipped = items.length - rest.length;
    return rest.reduce<Value | Choice>((total, item, at) => apply(by, [total, ...eachArguments(item, at + skipped, list)]), look(first));
  },
} satisfies Record<string, ListMethod>;

/** Returns the items for which the test is true, or undefined if it cannot be decided for each. */
function itemsThatPass(list: ListValue, test: Expression, { resolve, apply }: Resolving): readonly Expression[] | undefined {
  const by = resolve(test);
  const isBoolean = test.kind === "reference" && test.path.join() === "Boolean";
  if (by.kind !== "function" && !isBoolean) return undefined;
  const answerTo = (item: Expression, at: number) => (by.kind === "function" ? apply(by, eachArguments(item, at, list)) : resolve(item));
  const answers = list.items.map((item, at) => isSomething(answerTo(item, at), "||"));
  return answers.includes(undefined) ? undefined : list.items.filter((_, index) => answers[index]);
}

/** Returns the last property of each name, since a later one replaces an earlier one. */
const eachMember = ({ properties }: ObjectValue): Iterable<Property> =>
  new Map(properties.map((property) => [property.name, property])).values();

/** Returns the result of `Object.keys(…)`, `Object.values(…)`, `Object.entries(…)` or `Object.fromEntries(…)`. */
function ofObject(what: string, argument: Expression | undefined, place: Place, resolve: Resolve): ListValue | ObjectValue | undefined {
  if (!/^(?:keys|values|entries|fromEntries)$/.test(what)) return undefined;
  const all = argument === undefined ? undefined : resolve(argument);
  if (what === "values" && all?.kind === "array") return all;
  if (what === "fromEntries" && all?.kind === "array") return all.open ? undefined : fromEntries(all, place, resolve);
  if (all?.kind !== "object" || all.open) return undefined;
  // A map is an object already.
  if (what === "fromEntries") return all;
  const items = Array.from(eachMember(all), (property): Expression => {
    const { name, nameSpan, value } = property;
    const key: Expression = { kind: "string", place: nameSpan, value: name };
    return what === "values" ? value : what === "keys" ? key : listOf(property.span, [key, value]);
  });
  return listOf(place, items);
}

function fromEntries(entries: ListValue, place: Place, resolve: Resolve): ObjectValue | undefined {
  const properties = entries.items.flatMap((item): Property[] => {
    const entry = resolve(item);
    const [key, value] = entry.kind === "array" && !entry.open ? entry.items : [];
    const name = key && resolve(key);
    if (name?.kind !== "string" || value === undefined) return [];
    return [{ name: name.value, nameSpan: name.place, span: entry.place, value }];
  });
  if (properties.length < entries.items.length) return undefined;
  return { kind: "object", place, properties, spreads: [], open: false, trailingComma: false };
}

/** Compares two values as `===` does. */
export function compared({ left, right, negated, place }: Comparison, resolve: Resolve): Value {
  const [a, b] = [resolve(left), resolve(right)].map(identityOf);
  return a === undefined || b === undefined ? unknownAt(place) : { kind: "boolean", place, value: (a === b) !== negated };
}

/** Returns a text that only equal values have, or undefined if the value is unknown or an object. */
function identityOf(value: Value): string | undefined {
  if ("value" in value) return `${value.kind} ${value.value}`;
  if (value.kind === "member") return `string ${keyText(value)}`;
  return value.kind === "undefined" || value.kind === "null" ? value.kind : undefined;
}

/** Returns an object without some of its properties. */
export function remainderOf({ object, without, place }: Remainder, resolve: Resolve): Value {
  const whole = resolve(object);
  const names = without.map(resolve).map((name) => (name.kind === "string" ? name.value : undefined));
  if (whole.kind !== "object" || names.includes(undefined)) return unknownAt(place);
  return { ...whole, properties: whole.properties.filter(({ name }) => !names.includes(name)) };
}
