// What a call says: that it matters to packs, that it sends or hands on something, that it writes to its list.
import { ts } from "ts-morph";
import { ANY } from "../changes.ts";
import { exportingCall } from "../commonjs.ts";
import { concernsContext } from "../context-facts.ts";
import { type Declarations, FILE_SCOPE } from "../declarations.ts";
import { makesPack } from "../evaluate/builder-class.ts";
import { calleeName, type Name, unwrap } from "../evaluate/path-of.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { forEachHeldName } from "../held-names.ts";
import type { CallFact, HandedCall, Span, Value } from "../model.ts";
import { PACK_METHODS } from "../pack-methods.ts";
import { assignsObjects } from "./assign-objects.ts";
import { isDefined, isDefiningCall } from "./defined.ts";
import { handOver } from "./let-go.ts";
import { stepsOf } from "./steps-of.ts";
import type { Frame, HandedOver, Walking } from "./walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind } = ts;

/** Other calls that only read what they are given. */
const READERS = new Set([
  "fetch",
  "makeMetadataFormula",
  "log",
  "warn",
  "error",
  "stringify",
  "freeze",
  "keys",
  "values",
  "entries",
  "has",
  "get",
  "String",
]);

/** Methods that write to their list; those that put something into it, or order it, leave what it had. */
const WRITERS = new Set(["push", "unshift", "pop", "shift", "splice", "sort", "reverse", "fill", "copyWithin"]);

const GROWERS = new Set(["push", "unshift", "sort", "reverse"]);

/** Methods that give the items of their list to a function, one by one. */
const ITERATORS = new Set(["forEach", "map", "flatMap", "filter", "find", "findLast", "some", "every"]);

export function readCall(node: ts.CallExpression, called: Name | undefined, frame: Frame, context: EvaluateContext, walked: Walking): void {
  // What is called by a name alone is called by that node.
  const imported = called !== undefined && called === unwrap(node.expression) ? context.toolkitImports.get(called.text) : undefined;
  const method = imported === undefined || imported.name === "*" ? called?.text : imported.name;
  if (concernsContext(node, method)) walked.contextCalls.push(node);
  if (called !== undefined && method !== undefined) {
    const ofPack = PACK_METHODS.get(method);
    if (ofPack !== undefined) walked.calls.push(callFact(node, ofPack, called, frame, context));
    if (ofPack !== undefined || READERS.has(method)) return;
  }
  const isOfModule = method === "assign" && (exportingCall(node) !== undefined || isDefiningCall(node));
  if (method === "assign" && !isOfModule && assignsObjects(node, frame, context, walked)) return;
  handOver(node, context, walked);
  if (node.arguments.length > 1 && node.arguments.some(isPackName)) walked.handedCalls.push(handedCall(node, frame, context));
  if (called === undefined || WRITERS.has(called.text) || ITERATORS.has(called.text)) readReceiver(node, called, frame, context, walked);
}

/** `new coda.PackDefinitionBuilder(…)` is what newPack does. */
export function readNew(node: ts.NewExpression, frame: Frame, context: EvaluateContext, walked: Walking): void {
  if (makesPack(node, context.toolkitImports)) walked.calls.push(callFact(node, "newPack", calleeName(node) as Name, frame, context));
}

/** What is done to that which a method is called on, where the method writes to it or goes through it. */
function readReceiver(node: ts.CallExpression, called: Name | undefined, frame: Frame, context: EvaluateContext, walked: Walking): void {
  const callee = unwrap(node.expression);
  if (!ts.isPropertyAccessExpression(callee) && !ts.isElementAccessExpression(callee)) return;
  const receiver = callee.expression;
  const path = stepsOf(receiver)?.names;
  if (path === undefined && called !== undefined && ITERATORS.has(called.text))
    forEachHeldName(receiver, ([name = "", ...rest], [, ...inside]) => aliasItems(node, name, rest, walked.declarations, inside));
  if (path === undefined) return;
  const [root = "", ...steps] = path;
  if (called === undefined) walked.handedOver.push({ to: undefined, what: root });
  else if (WRITERS.has(called.text)) {
    const at = { name: root, offset: receiver.getStart(context.source), path: steps };
    walked.declarations.change(GROWERS.has(called.text) ? { ...at, kind: "grown" } : { ...at, kind: "written", property: ANY });
    const isRead = called.text === "push" && isDefined(path);
    if (steps.length > 0 && !isRead) walked.handedOver.push({ to: undefined, what: root, ...addition(node, called, path, frame, context) });
  } else if (ITERATORS.has(called.text)) aliasItems(node, root, [...steps, ANY], walked.declarations);
}

/** The lists of a pack's functions, by the methods that add to them. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["formulas", "addFormula"],
  ["syncTables", "addSyncTable"],
]);

/** What `pack.formulas.push(formula)` adds to a pack, as the method for it would. */
function addition(
  node: ts.CallExpression,
  called: Name,
  [root = "", list = "", ...others]: readonly string[],
  frame: Frame,
  context: EvaluateContext,
): Pick<HandedOver, "adds"> {
  const method = others.length === 0 && /^(?:push|unshift)$/.test(called.text) ? LISTS.get(list) : undefined;
  if (method === undefined || node.arguments.length !== 1) return {};
  return { adds: { ...callFact(node, method, called, frame, context), receiver: root } };
}

const isPackName = (argument: ts.Expression): boolean =>
  argument.kind === SyntaxKind.Identifier && /^p$|pack$|builder$/i.test((argument as ts.Identifier).text);

function handedCall(node: ts.CallExpression, frame: Frame, context: EvaluateContext): HandedCall {
  return {
    file: context.file,
    start: node.getStart(context.source),
    end: node.end,
    callee: evaluate(node.expression, context),
    arguments: evaluateArguments(node.arguments, context),
    within: frame.body === FILE_SCOPE ? undefined : frame.body,
  };
}

/** The first parameter of a function that is given the items of a list. */
function aliasItems(
  node: ts.CallExpression,
  root: string,
  path: readonly string[],
  declarations: Declarations,
  inside: readonly string[] = [],
): void {
  const callback = node.arguments[0] && unwrap(node.arguments[0]);
  if (callback === undefined || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))) return;
  const name = callback.parameters[0]?.name;
  if (name && ts.isIdentifier(name)) declarations.alias(root, { name: name.text, offset: name.end, path, inside });
}

function callFact(
  node: ts.CallExpression | ts.NewExpression,
  method: string,
  called: Name,
  frame: Frame,
  context: EvaluateContext,
): CallFact {
  const { file, source } = context;
  const callee = unwrap(node.expression);
  const isMember = ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee);
  const isNested = frame.body !== FILE_SCOPE;
  const fact: { -readonly [Key in keyof CallFact]: CallFact[Key] } = {
    file,
    start: node.getStart(source),
    end: node.end,
    method,
    callee: called.text,
    receiver: isMember ? callee.expression.getText(source) : "",
    nameSpan: spanOf(called, source),
    arguments: evaluateArguments(node.arguments ?? [], context),
    conditional: frame.conditional,
    within: isNested ? frame.body : undefined,
  };
  const { parent } = node;
  if (parent.kind === SyntaxKind.ExpressionStatement) fact.statement = spanOf(parent, source);
  if (frame.outside !== undefined && isAllOfLoop(node)) fact.loop = { conditional: frame.outside };
  return fact;
}

/** Whether a call is the whole body of `for (const item of list)`, or of a function that is given the items. */
function isAllOfLoop(node: ts.CallExpression | ts.NewExpression): boolean {
  const { parent } = node;
  if (ts.isArrowFunction(parent)) return isGivenItems(parent);
  if (!ts.isExpressionStatement(parent)) return false;
  const around = parent.parent;
  if (!ts.isBlock(around)) return ts.isForOfStatement(around);
  return around.statements.length === 1 && (ts.isForOfStatement(around.parent) || isGivenItems(around.parent));
}

/** `list.forEach((item) => …)`. */
function isGivenItems(node: ts.Node): boolean {
  const { parent } = node;
  if (!(ts.isArrowFunction(node) || ts.isFunctionExpression(node)) || !ts.isCallExpression(parent)) return false;
  return parent.arguments[0] === node && /^(?:forEach|map)$/.test(calleeName(parent)?.text ?? "");
}

/** By itself: an object that is written into a literal is put there by V8's slow path. */
const spanOf = (node: ts.Node, source: ts.SourceFile): Span => ({ start: node.getStart(source), end: node.end });

function evaluateArguments(given: readonly ts.Expression[], context: EvaluateContext): readonly Value[] {
  return given.map((argument) => evaluateArgument(argument, context));
}

/** What is spread into a call is a list of which it takes the items. */
function evaluateArgument(argument: ts.Expression, context: EvaluateContext): Value {
  if (argument.kind !== SyntaxKind.SpreadElement) return evaluate(argument, context);
  const value = evaluate((argument as ts.SpreadElement).expression, context);
  const at = { file: context.file, start: argument.getStart(context.source), end: argument.end };
  return { ...at, kind: "array", items: [], spreads: [{ before: 0, value }], open: true };
}
