// What the names of variables and parameters stand for, and what else can be written to by them.
import { ts } from "ts-morph";
import { ANY } from "../changes.ts";
import { assignedExports } from "../commonjs.ts";
import { type Declarations, givenBy } from "../declarations.ts";
import { unwrap } from "../evaluate/path-of.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { forEachHeldName, isHolder } from "../held-names.ts";
import type { Span, Value } from "../model.ts";
import { namesOf } from "../module-facts.ts";
import { exportName } from "./let-go.ts";
import { NO_NAMES, NO_STEPS, type Walking } from "./walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind } = ts;

export function readVariable(node: ts.VariableDeclaration, scope: Span, context: EvaluateContext, walked: Walking): void {
  const { name, initializer, end } = node;
  if (name.kind !== SyntaxKind.Identifier) {
    readPattern(node, scope, context, walked);
    return;
  }
  const local = (name as ts.Identifier).text;
  if (initializer === undefined) {
    readLoopVariable(node, local, scope, context, walked.declarations);
    return;
  }
  const value = evaluate(initializer, context);
  walked.declarations.declare(local, scope, value);
  if (value.kind === "reference") {
    const last = value.path[value.path.length - 1] ?? "";
    if (last === "invocationToken" || (value.path.length === 1 && walked.tokenAliases.has(last))) addTokenAlias(local, walked);
  } else if (isHolder(unwrap(initializer))) aliasHeld(initializer, local, end, 0, walked.declarations);
  if (initializer.kind === SyntaxKind.BinaryExpression)
    for (const exported of assignedExports(initializer)?.names ?? [])
      exportName(local, NO_STEPS, exported === undefined ? NO_STEPS : [exported], end, walked);
  addAlias(local, end, value, walked.declarations);
}

function readPattern(node: ts.VariableDeclaration, scope: Span, context: EvaluateContext, walked: Walking): void {
  const from = node.initializer && evaluate(node.initializer, context);
  for (const name of namesOf(node.name)) {
    const bound = boundValue(node.name, name, from);
    walked.declarations.declare(name, scope, bound);
    if (bound !== undefined) addAlias(name, node.end, bound, walked.declarations);
  }
  readTokenBinding(node.name, walked);
}

/** One that is declared without a value: of `for (const item of list)` it is one item after the other. */
function readLoopVariable(
  { parent, end }: ts.VariableDeclaration,
  name: string,
  scope: Span,
  context: EvaluateContext,
  declarations: Declarations,
): void {
  const loop = parent.parent;
  if (!ts.isForOfStatement(loop)) {
    const isEmpty = ts.isVariableStatement(loop) && loop.modifiers?.some(({ kind }) => kind === SyntaxKind.DeclareKeyword) !== true;
    declarations.declare(name, scope, isEmpty ? { kind: "undefined", file: context.file, start: end, end } : undefined);
    return;
  }
  const list = loop.expression;
  const value = evaluate(list, context);
  declarations.declare(name, scope, eachOf(value));
  if (value.kind === "reference") addAlias(name, end, { ...value, path: [...value.path, ANY] }, declarations);
  // Of a list that is gone through, the items are meant.
  if (isHolder(unwrap(list))) aliasHeld(list, name, end, 1, declarations);
}

/** By the name, what the expression holds can be written to, so many steps into it. */
function aliasHeld(held: ts.Expression, name: string, offset: number, skipped: number, declarations: Declarations): void {
  forEachHeldName(held, ([root = "", ...path], inside) => declarations.alias(root, { name, offset, path, inside: inside.slice(skipped) }));
}

function addAlias(name: string, offset: number, value: Value, declarations: Declarations): void {
  if (value.kind === "reference")
    declarations.alias(value.path[0] ?? "", { name, offset, path: value.path.length === 1 ? NO_STEPS : value.path.slice(1) });
  if (value.kind !== "unknown") return;
  if (value.lookup?.object.kind === "reference") {
    const [root = "", ...path] = value.lookup.object.path;
    declarations.alias(root, { name, offset, path: [...path, ANY] });
  }
  if (value.callee?.kind !== "reference") return;
  const { path } = value.callee;
  declarations.alias(givenBy(path[path.length - 1]), { name, offset, path: NO_STEPS });
}

export function readParameter(node: ts.ParameterDeclaration, scope: Span, context: EvaluateContext, walked: Walking): void {
  const { name } = node;
  if (name.kind === SyntaxKind.Identifier) {
    const list = listFor(node);
    walked.declarations.declare((name as ts.Identifier).text, scope, list && eachOf(evaluate(list, context)));
    return;
  }
  declareParameter(name, scope, context, walked.declarations);
  readTokenBinding(name, walked);
}

/** Of what goes through a list that has a name, is written out, or is given back: `Object.values(…)`. */
function eachOf(value: Value): Value | undefined {
  const { file, start, end } = value;
  const isList = value.kind === "reference" || value.kind === "array" || (value.kind === "unknown" && value.callee !== undefined);
  return isList ? { kind: "unknown", file, start, end, each: value } : undefined;
}

/** `const { name: local } = object`: the local name stands for `object.name`. */
function boundValue(pattern: ts.BindingName, local: string, from: Value | undefined): Value | undefined {
  if (from?.kind !== "reference" || !ts.isObjectBindingPattern(pattern)) return undefined;
  const item = pattern.elements.find((element) => ts.isIdentifier(element.name) && element.name.text === local);
  if (item === undefined || item.initializer || item.dotDotDotToken) return undefined;
  const name = item.propertyName === undefined ? local : ts.isIdentifier(item.propertyName) ? item.propertyName.text : undefined;
  return name === undefined ? undefined : { ...from, path: [...from.path, name] };
}

/** The list whose items a function is given: `list.forEach((item) => …)`, `list.map(…)`. */
function listFor(parameter: ts.ParameterDeclaration): ts.Expression | undefined {
  const given = parameter.parent;
  const call = given.parent;
  if (call.kind !== SyntaxKind.CallExpression || given.parameters[0] !== parameter) return undefined;
  const { expression, arguments: handed } = call as ts.CallExpression;
  if (handed[0] !== (given as ts.Node)) return undefined;
  const callee = unwrap(expression);
  return ts.isPropertyAccessExpression(callee) && /^(?:forEach|map)$/.test(callee.name.text) ? callee.expression : undefined;
}

/** What a parameter's names stand for is not known, but that one is a property of another is: `{ invocationToken: token }`. */
function declareParameter(name: ts.BindingName, scope: Span, context: EvaluateContext, declarations: Declarations): void {
  if (!ts.isObjectBindingPattern(name)) {
    for (const local of namesOf(name)) declarations.declare(local, scope, undefined);
    return;
  }
  for (const item of name.elements) {
    const property = item.propertyName ?? item.name;
    if (!ts.isIdentifier(item.name) || !ts.isIdentifier(property) || item.initializer || item.dotDotDotToken)
      for (const local of namesOf(item.name)) declarations.declare(local, scope, undefined);
    else {
      const at = { file: context.file, start: property.getStart(context.source), end: property.end };
      const nameSpan = { start: at.start, end: at.end };
      declarations.declare(item.name.text, scope, { ...at, kind: "reference", path: ["", property.text], nameSpan });
    }
  }
}

/** `{ invocationToken: token }`, in parameters and declarations. */
function readTokenBinding(name: ts.BindingName, walked: Walking): void {
  if (!ts.isObjectBindingPattern(name)) return;
  for (const item of name.elements) {
    if (!ts.isIdentifier(item.name)) readTokenBinding(item.name, walked);
    else if (item.propertyName && ts.isIdentifier(item.propertyName) && item.propertyName.text === "invocationToken")
      addTokenAlias(item.name.text, walked);
  }
}

function addTokenAlias(name: string, walked: Walking): void {
  if (walked.tokenAliases === NO_NAMES) walked.tokenAliases = new Set();
  (walked.tokenAliases as Set<string>).add(name);
}
