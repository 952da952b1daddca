// What the names of variables and parameters stand for, and what else can be written to by them.
import { ts } from "ts-morph";
import { ANY } from "../changes.ts";
import { type Declarations, givenBy } from "../declarations.ts";
import { type EvaluateContext, evaluate, unwrap } from "../evaluate.ts";
import { forEachHeldName, isHolder } from "../held-names.ts";
import type { Span, Value } from "../model.ts";
import { namesOf } from "../module-facts.ts";
import type { Walking } from "./walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind } = ts;

export function readVariable(node: ts.VariableDeclaration, scope: Span, context: EvaluateContext, walked: Walking): void {
  if (!ts.isIdentifier(node.name)) {
    for (const name of namesOf(node.name)) {
      const bound = boundValue(node, name, context);
      walked.declarations.declare(name, scope, bound);
      addAlias(name, node.end, bound, walked.declarations);
    }
    readTokenBinding(node.name, walked);
    return;
  }
  const value = node.initializer && evaluate(node.initializer, context);
  if (value?.kind === "reference") {
    const last = value.path[value.path.length - 1] ?? "";
    if (last === "invocationToken" || (value.path.length === 1 && walked.tokenAliases?.has(last))) addTokenAlias(node.name.text, walked);
  }
  const loop = value === undefined ? node.parent.parent : undefined;
  const list = loop !== undefined && loop.kind === SyntaxKind.ForOfStatement ? (loop as ts.ForOfStatement).expression : undefined;
  walked.declarations.declare(node.name.text, scope, list === undefined ? value : eachOf(list, context));
  const source = value ?? iterated(node, context);
  addAlias(node.name.text, node.end, source, walked.declarations);
  const held = list ?? node.initializer;
  const local = node.name;
  if (held !== undefined && isHolder(unwrap(held)))
    forEachHeldName(held, ([root = "", ...path], inside) =>
      // Of a list that is gone through, the items are meant.
      walked.declarations.alias(root, { name: local.text, offset: node.end, path, inside: list === undefined ? inside : inside.slice(1) }),
    );
  if (source?.kind === "unknown" && source.callee?.kind === "reference")
    walked.declarations.alias(givenBy(source.callee.path.at(-1)), { name: node.name.text, offset: node.end, path: [] });
}

function addAlias(name: string, offset: number, value: Value | undefined, declarations: Declarations): void {
  if (value?.kind === "unknown" && value.lookup?.object.kind === "reference") {
    const [root = "", ...path] = value.lookup.object.path;
    declarations.alias(root, { name, offset, path: [...path, ANY] });
  }
  if (value?.kind === "reference") declarations.alias(value.path[0] ?? "", { name, offset, path: value.path.slice(1) });
}

export function readParameter(node: ts.ParameterDeclaration, scope: Span, context: EvaluateContext, walked: Walking): void {
  const { name } = node;
  const list = ts.isIdentifier(name) ? listFor(node) : undefined;
  if (list !== undefined && ts.isIdentifier(name)) walked.declarations.declare(name.text, scope, eachOf(list, context));
  else declareParameter(name, scope, context, walked.declarations);
  readTokenBinding(name, walked);
}

/** Of what goes through a list that has a name, or is written out. */
function eachOf(list: ts.Expression, context: EvaluateContext): Value | undefined {
  const value = evaluate(list, context);
  const { file, start, end } = value;
  return value.kind === "reference" || value.kind === "array" ? { kind: "unknown", file, start, end, each: value } : undefined;
}

/** Of the variable of `for (const item of list)`: an item of the list. */
function iterated({ parent }: ts.VariableDeclaration, context: EvaluateContext): Value | undefined {
  if (!ts.isForOfStatement(parent.parent)) return undefined;
  const list = evaluate(parent.parent.expression, context);
  return list.kind === "reference" ? { ...list, path: [...list.path, ANY] } : undefined;
}

/** `const { name: local } = object`: the local name stands for `object.name`. */
function boundValue(node: ts.VariableDeclaration, local: string, context: EvaluateContext): Value | undefined {
  const from = node.initializer && evaluate(node.initializer, context);
  if (from?.kind !== "reference" || !ts.isObjectBindingPattern(node.name)) return undefined;
  const item = node.name.elements.find((element) => ts.isIdentifier(element.name) && element.name.text === local);
  if (item === undefined || item.initializer || item.dotDotDotToken) return undefined;
  const name = item.propertyName === undefined ? local : ts.isIdentifier(item.propertyName) ? item.propertyName.text : undefined;
  return name === undefined ? undefined : { ...from, path: [...from.path, name] };
}

/** The list whose items a function is given: `list.forEach((item) => …)`. */
function listFor(parameter: ts.ParameterDeclaration): ts.Expression | undefined {
  const given = parameter.parent;
  const call = given.parent;
  if (given.parameters[0] !== parameter || !ts.isCallExpression(call) || call.arguments[0] !== given) return undefined;
  const callee = unwrap(call.expression);
  return ts.isPropertyAccessExpression(callee) && callee.name.text === "forEach" ? callee.expression : undefined;
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
  walked.tokenAliases ??= new Set();
  walked.tokenAliases.add(name);
}
