// Reads a call: whether it matters to packs, sends or passes on something, or writes to its receiver.

import { URL_HELPERS } from "../../../../spec/url-helpers.ts";
import type { CallFact } from "../../model/facts.ts";
import type { Expression } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { exportingCall } from "../commonjs.ts";
import { usesContext } from "../context-facts.ts";
import { makesPack } from "../evaluate/builder-class.ts";
import { decisionOf, type EvaluateContext, evaluate, evaluateAll, evaluateArguments, spreadOf } from "../evaluate.ts";
import { indexLoopOf } from "../index-loop.ts";
import { namesOf } from "../module-facts.ts";
import { forEachAliasedName } from "../names/aliases.ts";
import { FILE_SCOPE, returnName } from "../names/declarations.ts";
import { ANY } from "../names/mutations.ts";
import { calleeName, isAccess, type Name, nameNodeOf, pathOf, unwrap } from "../nodes.ts";
import { PACK_LISTS, PACK_METHODS } from "../pack-methods.ts";
import { assignsObjects } from "./assign-objects.ts";
import { definitionWith } from "./definitions.ts";
import { passArguments } from "./escapes.ts";
import { assignsPackProperties, changePackList, isOtherProperty, isPackProperty } from "./pack-properties.ts";
import { boundBy } from "./read-variable.ts";
import { ITEM_READERS, stepsOf } from "./steps-of.ts";
import type { Escape, Walk } from "./walked.ts";

const { SyntaxKind } = ts;

/** Other functions that only read their arguments. */
const READERS = new Set([
  "fetch",
  "makeMetadataFormula",
  "makeFormula",
  "makeSyncTable",
  "makeObjectSchema",
  "makeSchema",
  "makeParameter",
  "log",
  "warn",
  "error",
  "stringify",
  ...Object.keys(URL_HELPERS),
  "freeze",
  "structuredClone",
  "keys",
  "values",
  "entries",
  "fromEntries",
  "concat",
  "has",
  "get",
  "String",
]);

/** Functions that assert something of a value by their name. */
const ASSERTION = /^(?:assert|is)(?:[A-Z]|$)/;

/** Methods that modify their list; those in GROWERS keep the existing items. */
const WRITERS = new Set(["add", "push", "unshift", "pop", "shift", "splice", "sort", "reverse", "fill", "copyWithin"]);

const GROWERS = new Set(["add", "push", "unshift", "sort", "reverse"]);

/** Methods that pass the items of their list to a function, one by one. */
const ITERATORS = new Set(["forEach", "map", "flatMap", "filter", "find", "findLast", "some", "every"]);

export function readCall(node: ts.CallExpression, calleeNode: Name | undefined, walk: Walk): void {
  const { context, facts } = walk;
  // An imported function is called by its plain name.
  const imported =
    calleeNode !== undefined && calleeNode === unwrap(node.expression) ? context.toolkitImports.get(calleeNode.text) : undefined;
  const method = imported === undefined || imported.name === "*" ? calleeNode?.text : imported.name;
  if (usesContext(node, method)) walk.contextCalls.push(node);
  const callee = unwrap(node.expression);
  if (calleeNode === undefined && ts.isElementAccessExpression(callee))
    facts.calls.push({ ...callFact(node, "", callee.argumentExpression as Name, walk), key: evaluate(callee.argumentExpression, context) });
  if (calleeNode !== undefined && method !== undefined) {
    if (PACK_METHODS.has(method)) facts.calls.push(callFact(node, method, calleeNode, walk));
    if (ITEM_READERS.has(method)) aliasResult(node, method, walk);
    if (PACK_METHODS.has(method) || READERS.has(method) || ASSERTION.test(method)) return;
    if ((method === "call" || method === "apply") && callMethod(node, method, walk)) return;
    if (method === "set" || method === "delete" || method === "clear") changeMap(node, walk);
  }
  const isOfModule = method === "assign" && (exportingCall(node) !== undefined || assignsPackProperties(node));
  if (method === "assign" && !isOfModule && assignsObjects(node, walk)) return;
  passArguments(node, walk);
  if (calleeNode === undefined || WRITERS.has(calleeNode.text) || ITERATORS.has(calleeNode.text)) readReceiver(node, calleeNode, walk);
}

/** Records that an own function named like a method of lists may return what a write to `list.find(test)` changes. */
function aliasResult(node: ts.CallExpression, method: string, { context, facts }: Walk): void {
  const [root, ...inside] = stepsOf(node)?.names ?? [];
  if (root !== undefined)
    facts.declarations.alias(returnName(method), { name: root, at: context.places.point(node.end), path: [], inside });
}

/**
 * Reads `setUserAuthentication.call(pack, config)`, `.apply(pack, [config])` and `Reflect.apply(setUserAuthentication, pack, [config])` as a
 * call of the method. Returns false for another method.
 */
function callMethod(node: ts.CallExpression, by: "call" | "apply", walk: Walk): boolean {
  const callee = unwrap(node.expression);
  const isReflect = pathOf(callee)?.join(".") === "Reflect.apply";
  const [receiver, ...args] = node.arguments.slice(isReflect ? 1 : 0);
  const method = isReflect ? node.arguments[0] : isAccess(callee) ? callee.expression : undefined;
  const inner = method && unwrap(method);
  const name = inner && (ts.isIdentifier(inner) ? inner : nameNodeOf(inner));
  if (receiver === undefined || inner === undefined || name === undefined || !PACK_METHODS.has(name.text)) return false;
  walk.facts.calls.push({
    ...callFact(node, name.text, name, walk),
    receiver: receiver.getText(walk.context.source),
    called: evaluate(inner, walk.context),
    arguments: by === "apply" ? args.flatMap((list) => itemsOf(list, walk.context)) : evaluateArguments(args, walk.context),
  });
  return true;
}

/** Reads `map.set("key", value)` as a write to the map, which is an object of its values, and `map.delete("key")` as any. */
function changeMap(node: ts.CallExpression, walk: Walk): void {
  const callee = unwrap(node.expression);
  const [key, value, ...more] = node.arguments;
  const name = isAccess(callee) ? unwrap(callee.expression) : undefined;
  if (more.length > 0 || name === undefined || !ts.isIdentifier(name)) return;
  const { context, facts } = walk;
  const at = { kind: "written", name: name.text, at: context.places.of(name), path: [] } as const;
  if (value === undefined || key === undefined || !ts.isStringLiteralLike(key)) facts.declarations.change({ ...at, property: ANY });
  else {
    const definition = definitionWith(evaluate(value, context), node, walk);
    const assignment = { definition, nameSpan: context.places.of(key), span: context.places.of(node) };
    facts.declarations.change({ ...at, property: key.text, assignment });
  }
}

/** Reads `new coda.PackDefinitionBuilder(…)` as newPack, which creates one. */
export function readNew(node: ts.NewExpression, walk: Walk): void {
  const calleeNode = calleeName(node);
  if (calleeNode && makesPack(node, walk.context.toolkitImports)) walk.facts.calls.push(callFact(node, "newPack", calleeNode, walk));
}

/** Records what a method does to its receiver, if it modifies or iterates over it. */
function readReceiver(node: ts.CallExpression, calleeNode: Name | undefined, walk: Walk): void {
  const callee = unwrap(node.expression);
  if (!isAccess(callee)) return;
  const { context, facts } = walk;
  const method = calleeNode?.text ?? "";
  const receiver = callee.expression;
  const path = stepsOf(receiver)?.names;
  if (path === undefined) {
    if (ITERATORS.has(method))
      forEachAliasedName(receiver, ([name = "", ...rest], [, ...inside]) => aliasItems(node, name, rest, walk, inside));
    return;
  }
  const [root = "", ...steps] = path;
  if (calleeNode === undefined) facts.escapes.push({ to: undefined, what: root });
  else if (WRITERS.has(method)) {
    const at = { name: root, at: context.places.point(receiver.getStart(context.source)), path: steps };
    facts.declarations.change(GROWERS.has(method) ? { ...at, kind: "grown" } : { ...at, kind: "written", property: ANY });
    const isDomain = method === "push" && path.at(-1) === "networkDomains";
    const isList = steps.length > 0 || PACK_LISTS.has(root);
    if (!isList || isOtherProperty(path) || (isDomain && isPackProperty(path))) return;
    const added = addition(node, calleeNode, path, walk);
    if (added.adds === undefined && isPackProperty(path)) changePackList(unwrap(receiver), walk);
    else facts.escapes.push({ to: undefined, what: root, ...added });
  } else aliasItems(node, root, [...steps, ANY], walk);
}

/** Returns the call that `pack.formulas.push(formula)` is equivalent to. */
function addition(
  node: ts.CallExpression,
  calleeNode: Name,
  [root = "", list = "", ...remaining]: readonly string[],
  walk: Walk,
): Pick<Escape, "adds"> {
  // For a list in a variable, the declaration says which list it is.
  const method =
    remaining.length === 0 && /^(?:push|unshift)$/.test(calleeNode.text)
      ? (PACK_LISTS.get(list) ?? (list === "" ? "" : undefined))
      : undefined;
  if (method === undefined || node.arguments.length !== 1) return {};
  return { adds: { ...callFact(node, method, calleeNode, walk), receiver: root } };
}

/** Records the first parameter of a callback as an alias of the list's items. */
function aliasItems(
  node: ts.CallExpression,
  root: string,
  path: readonly string[],
  { context, facts }: Walk,
  inside: readonly string[] = [],
): void {
  const callback = node.arguments[0] && unwrap(node.arguments[0]);
  if (callback === undefined || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))) return;
  const pattern = callback.parameters[0]?.name;
  if (pattern === undefined) return;
  const at = context.places.point(pattern.end);
  for (const name of namesOf(pattern)) {
    const part = boundBy(pattern, name)?.path ?? [ANY];
    facts.declarations.alias(root, { name, at, path: inside.length > 0 ? path : [...path, ...part], inside: inside.slice(part.length) });
  }
}

function callFact(node: ts.CallExpression | ts.NewExpression, method: string, calleeNode: Name, { context, frame }: Walk): CallFact {
  const { places, source } = context;
  const callee = unwrap(node.expression);
  const { parent } = node;
  return {
    place: places.of(node),
    method,
    callee: calleeNode.text,
    receiver: isAccess(callee) ? callee.expression.getText(source) : "",
    called: evaluate(callee, context),
    nameSpan: places.of(calleeNode),
    arguments: evaluateArguments(node.arguments ?? [], context),
    conditional: frame.conditional,
    runs: frame.conditional || frame.body !== FILE_SCOPE ? runsAt(node, context) : undefined,
    within: frame.body === FILE_SCOPE ? undefined : frame.body,
    ...(ts.isExpressionStatement(parent) && standsInList(parent) && { statement: places.of(parent) }),
    ...(frame.outside !== undefined && isAllOfLoop(node, source) && { loop: { conditional: frame.outside } }),
  };
}

/** Returns an expression that is undefined if the code never runs: conditions and statements around it in its function decide. */
function runsAt(node: ts.Node, context: EvaluateContext): Expression {
  const place = context.places.of(node);
  const no: Expression = { kind: "undefined", place };
  let runs: Expression = { kind: "boolean", place, value: true };
  for (let child = node; child.parent !== undefined && !ts.isFunctionLike(child); child = child.parent) {
    const way = wayInto(child, child.parent, context);
    if (way !== undefined) runs = { kind: "choice", place, decidedBy: way.by, options: way.isOpposite ? [no, runs] : [runs, no] };
    if (isBehindReturn(child)) return no;
  }
  return runs;
}

/** Returns the condition on which the parent runs the child. */
function wayInto(child: ts.Node, parent: ts.Node, context: EvaluateContext) {
  const isOr = ts.isBinaryExpression(parent) && parent.operatorToken.kind === SyntaxKind.BarBarToken;
  const isAnd = ts.isBinaryExpression(parent) && parent.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;
  if (isOr || isAnd) return child === parent.right ? { by: decisionOf(parent.left, context), isOpposite: isOr } : undefined;
  if (ts.isIfStatement(parent) && child !== parent.expression)
    return { by: decisionOf(parent.expression, context), isOpposite: child === parent.elseStatement };
  if (!ts.isCaseClause(child) || !ts.isCaseBlock(parent) || parent.clauses[0] !== child) return undefined;
  const [left, right] = evaluateAll([parent.parent.expression, child.expression], context) as [Expression, Expression];
  return { by: { kind: "comparison", place: right.place, left, right, negated: false } as const, isOpposite: false };
}

const isBehindReturn = (node: ts.Node): boolean =>
  ts.isBlock(node.parent) && node.parent.statements.some((one) => one.pos < node.pos && ts.isReturnStatement(one));

/** Whether other statements may stand beside it, unlike after an `if` without braces. */
const standsInList = ({ parent }: ts.Node): boolean =>
  ts.isSourceFile(parent) || ts.isBlock(parent) || ts.isModuleBlock(parent) || ts.isCaseOrDefaultClause(parent);

/** Whether a call is the whole body of a loop over a list, or of a callback for each item. */
function isAllOfLoop(node: ts.CallExpression | ts.NewExpression, source: ts.SourceFile): boolean {
  const { parent } = node;
  if (ts.isArrowFunction(parent)) return isItemCallback(parent);
  if (!ts.isExpressionStatement(parent)) return false;
  const around = parent.parent;
  const isLoop = (loop: ts.Node): boolean => ts.isForOfStatement(loop) || indexLoopOf(loop, source) !== undefined;
  if (!ts.isBlock(around)) return isLoop(around);
  return around.statements.length === 1 && (isLoop(around.parent) || isItemCallback(around.parent));
}

/** Whether the node is the callback of `list.forEach((item) => …)` or `list.map(…)`. */
function isItemCallback(node: ts.Node): boolean {
  const { parent } = node;
  if (!(ts.isArrowFunction(node) || ts.isFunctionExpression(node)) || !ts.isCallExpression(parent)) return false;
  return parent.arguments[0] === node && /^(?:forEach|map)$/.test(calleeName(parent)?.text ?? "");
}

/** Returns the arguments that a list of them stands for. */
function itemsOf(list: ts.Expression, context: EvaluateContext): readonly Expression[] {
  const value = evaluate(list, context);
  return value.kind === "array" && !value.open ? value.items : [spreadOf(value, value.place)];
}
