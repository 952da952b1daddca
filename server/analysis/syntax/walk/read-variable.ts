// The values of variables and parameters, and their aliases.

import type { Expression, ListValue, ObjectValue, Place, Reference } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { assignedExports } from "../commonjs.ts";
import { namesBeforeRest } from "../evaluate/declared-objects.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { namesOf } from "../module-facts.ts";
import { forEachAliasedName } from "../names/aliases.ts";
import { ANY } from "../names/mutations.ts";
import { partAt } from "../names/substitute-arguments.ts";
import { isHolder, unwrap } from "../nodes.ts";
import { PACK_METHODS } from "../pack-methods.ts";
import { exportName } from "./escapes.ts";
import { readParameterPattern } from "./member-uses.ts";
import { stepsOf } from "./steps-of.ts";
import type { Walk } from "./walked.ts";

const { SyntaxKind } = ts;

export function readVariable(node: ts.VariableDeclaration, scope: Place, walk: Walk): void {
  const { name, initializer, end } = node;
  const { context, facts } = walk;
  if (!ts.isIdentifier(name)) {
    readPattern(node, scope, walk);
    return;
  }
  if (initializer === undefined) {
    readLoopVariable(node, name.text, scope, walk);
    return;
  }
  const value = evaluate(initializer, context);
  facts.declarations.declare(name.text, scope, value);
  readMethodAlias(name.text, value, walk);
  if (value.kind === "reference") {
    const last = value.path.at(-1) ?? "";
    if (last === "invocationToken" || (value.path.length === 1 && facts.tokenAliases.has(last))) facts.tokenAliases.add(name.text);
  } else if (isHolder(unwrap(initializer))) aliasParts(initializer, name.text, end, 0, walk);
  for (const exported of assignedExports(initializer)?.names ?? [])
    exportName(name.text, [], exported === undefined ? [] : [exported], end, walk);
  addAlias(name.text, end, stepsIn(initializer, value), walk);
}

/** Returns the names in a value that refers to a part of another, or undefined for a value of its own. */
const stepsIn = (node: ts.Expression, { kind }: Expression): readonly string[] | undefined =>
  kind === "reference" || kind === "call" || kind === "lookUp" || kind === "item" ? stepsOf(node)?.names : undefined;

/** Records another name of a pack's method. */
function readMethodAlias(name: string, value: Expression, { facts }: Walk): void {
  if (value.kind !== "reference" || value.path.length < 2) return;
  const method = PACK_METHODS.get(value.path.at(-1) ?? "");
  if (method !== undefined && method !== "newPack") facts.methodAliases.push({ name, receiver: value.path.slice(0, -1).join("."), method });
}

function readPattern({ name: pattern, initializer, parent, end }: ts.VariableDeclaration, scope: Place, walk: Walk): void {
  const { context, facts } = walk;
  const loop = ts.isForOfStatement(parent.parent) ? parent.parent.expression : undefined;
  const source = initializer ?? loop;
  const whole = source && evaluate(source, context);
  const from = loop === undefined || whole === undefined ? whole : eachOf(whole);
  const steps = source && whole && stepsIn(source, whole);
  for (const name of namesOf(pattern)) {
    const bound = from && boundBy(pattern, name);
    const value = (bound && boundValue(bound, from, context)) ?? remainder(pattern, name, from, context);
    facts.declarations.declare(name, scope, value);
    const path = bound && steps && [...steps, ...(loop === undefined ? [] : [ANY]), ...bound.path];
    addAlias(name, end, value?.kind === "reference" ? value.path : path, walk);
    if (loop !== undefined && isHolder(unwrap(loop))) aliasParts(loop, name, end, 1 + (bound?.path.length ?? 0), walk);
    if (value !== undefined) readMethodAlias(name, value, walk);
  }
  readTokenBinding(pattern, walk);
}

/** Declares a variable without an initializer. In `for (const item of list)`, it is each item in turn. */
function readLoopVariable({ parent, end }: ts.VariableDeclaration, name: string, scope: Place, walk: Walk): void {
  const { context, facts } = walk;
  const loop = parent.parent;
  if (ts.isForInStatement(loop)) {
    const place = context.places.of(loop.expression);
    const keys: Reference = { kind: "reference", place, path: ["Object", "keys"], nameSpan: place };
    facts.declarations.declare(name, scope, eachOf({ kind: "call", place, callee: keys, arguments: [evaluate(loop.expression, context)] }));
    return;
  }
  if (!ts.isForOfStatement(loop)) {
    const isEmpty = ts.isVariableStatement(loop) && loop.modifiers?.some(({ kind }) => kind === SyntaxKind.DeclareKeyword) !== true;
    facts.declarations.declare(name, scope, isEmpty ? { kind: "undefined", place: context.places.point(end) } : undefined);
    return;
  }
  const list = loop.expression;
  const value = evaluate(list, context);
  facts.declarations.declare(name, scope, eachOf(value));
  const steps = stepsIn(list, value);
  addAlias(name, end, steps && [...steps, ANY], walk);
  // The variable refers to the items of the list.
  if (isHolder(unwrap(list))) aliasParts(list, name, end, 1, walk);
}

/** Records that the name refers to what the expression contains, below the given number of steps. */
function aliasParts(value: ts.Expression, name: string, offset: number, skipped: number, { context, facts }: Walk): void {
  const at = context.places.point(offset);
  forEachAliasedName(value, ([root = "", ...path], inside) =>
    facts.declarations.alias(root, { name, at, path, inside: inside.slice(skipped) }),
  );
}

function addAlias(name: string, offset: number, steps: readonly string[] | undefined, { context, facts }: Walk): void {
  const [root, ...path] = steps ?? [];
  if (root !== undefined) facts.declarations.alias(root, { name, at: context.places.point(offset), path });
}

export function readParameter(node: ts.ParameterDeclaration, walk: Walk): void {
  const { context, facts } = walk;
  const scope = walk.frame.body;
  const { name } = node;
  const list = listFor(node, context);
  const item = list && eachOf(list);
  if (ts.isIdentifier(name)) {
    facts.declarations.declare(name.text, scope, item);
    return;
  }
  declareParameter(name, scope, item, walk);
  readTokenBinding(name, walk);
  readParameterPattern(node, walk);
}

/** Returns each item of a list that is named, literal, or the result of a call such as `Object.values(…)`. */
function eachOf(value: Expression): Expression | undefined {
  const isList = value.kind === "reference" || value.kind === "array" || value.kind === "call" || value.kind === "map";
  return isList ? { kind: "item", place: value.place, list: value } : undefined;
}

/**
 * Returns the value of a destructured name: `object.name` for `const { name: local } = object`, the first item for `const [local] = list`.
 * With a default, this is a choice.
 */
function boundValue({ path, standard: node }: Bound, from: Expression, context: EvaluateContext): Expression | undefined {
  const value = valueAt(from, path);
  const standard = node && evaluate(node, context);
  if (standard === undefined || (value === undefined && !isWhole(from))) return value;
  return value === undefined ? standard : { kind: "choice", place: standard.place, decidedBy: "??", options: [value, standard] };
}

/** Returns the rest of a destructured object: `config` of `const { comment, ...config } = object`. */
function remainder(
  pattern: ts.BindingName,
  local: string,
  object: Expression | undefined,
  context: EvaluateContext,
): Expression | undefined {
  const last = ts.isObjectBindingPattern(pattern) ? pattern.elements.at(-1) : undefined;
  if (object === undefined || last?.dotDotDotToken === undefined || !ts.isIdentifier(last.name) || last.name.text !== local)
    return undefined;
  const without = namesBeforeRest(pattern as ts.ObjectBindingPattern, context);
  return { kind: "remainder", place: context.places.of(pattern), object, without };
}

/** Returns what is at the path in a value. */
function valueAt(from: Expression, path: readonly string[]): Expression | undefined {
  if (from.kind === "reference") return { ...from, path: [...from.path, ...path] };
  return /^(?:call|lookUp|map|item)$/.test(from.kind) ? partAt(from, path, from.place) : partOf(from, path);
}

/** Returns the part of a literal at the path, or undefined if another value may be there. */
function partOf(value: Expression, [step, ...rest]: readonly string[]): Expression | undefined {
  if (step === undefined) return value;
  if (!isWhole(value)) return undefined;
  const part = value.kind === "array" ? value.items[Number(step)] : value.properties.findLast(({ name }) => name === step)?.value;
  return part && partOf(part, rest);
}

const isWhole = (value: Expression): value is ObjectValue | ListValue =>
  (value.kind === "object" || value.kind === "array") && !value.open && value.spreads.length === 0;

/** What a local name of a pattern refers to. */
interface Bound {
  readonly path: readonly string[];
  readonly node: ts.Node;
  readonly standard?: ts.Expression | undefined;
}

/** Returns what the local name refers to; undefined if a default of an outer pattern or a rest may apply. */
export function boundBy(pattern: ts.BindingName, local: string): Bound | undefined {
  if (ts.isIdentifier(pattern)) return pattern.text === local ? { path: [], node: pattern } : undefined;
  for (const [index, element] of pattern.elements.entries()) {
    const inner = ts.isBindingElement(element) ? boundBy(element.name, local) : undefined;
    if (inner === undefined || !ts.isBindingElement(element)) continue;
    const own = element.propertyName ?? element.name;
    const name = ts.isArrayBindingPattern(pattern) ? String(index) : ts.isIdentifier(own) ? own.text : undefined;
    const isInner = inner.path.length > 0;
    if (name === undefined || (isInner && element.initializer) || element.dotDotDotToken) return undefined;
    return { ...(isInner ? inner : { node: own, standard: element.initializer }), path: [name, ...inner.path] };
  }
  return undefined;
}

/** Returns the list whose items a callback receives: `list.forEach((item) => …)`, `list.map(…)`. */
function listFor(parameter: ts.ParameterDeclaration, context: EvaluateContext): Expression | undefined {
  const callback: ts.Node = parameter.parent;
  const call = callback.parent;
  if (!ts.isCallExpression(call) || parameter.parent.parameters[0] !== parameter || call.arguments[0] !== callback) return undefined;
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee) || !/^(?:forEach|map)$/.test(callee.name.text)) return undefined;
  const list = evaluate(callee.expression, context);
  if (callee.name.text === "map") return list;
  // A map passes its values, and not its entries.
  const place = context.places.of(callee.expression);
  return { kind: "call", place, callee: partAt(list, ["values"], place), arguments: [] };
}

/**
 * Declares a parameter's names. One that destructures an item of a list refers to a part of it. Other values are unknown, but a name refers
 * to a property: `{ invocationToken: token }`.
 */
function declareParameter(name: ts.BindingPattern, scope: Place, item: Expression | undefined, { context, facts }: Walk): void {
  for (const local of namesOf(name)) {
    const bound = item || ts.isObjectBindingPattern(name) ? boundBy(name, local) : undefined;
    const nameSpan = bound && context.places.of(bound.node);
    const property: Reference | undefined = bound &&
      nameSpan && { kind: "reference", place: nameSpan, path: ["", ...bound.path], nameSpan };
    facts.declarations.declare(local, scope, bound && item ? boundValue(bound, item, context) : property);
  }
}

/** Records an alias of the token in a parameter or declaration: `{ invocationToken: token }`. */
function readTokenBinding(name: ts.BindingName, walk: Walk): void {
  if (!ts.isObjectBindingPattern(name)) return;
  for (const item of name.elements) {
    if (!ts.isIdentifier(item.name)) readTokenBinding(item.name, walk);
    else if (item.propertyName && ts.isIdentifier(item.propertyName) && item.propertyName.text === "invocationToken")
      walk.facts.tokenAliases.add(item.name.text);
  }
}
