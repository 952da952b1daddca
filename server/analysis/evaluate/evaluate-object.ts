// An object literal → its properties with their places, and what it spreads.
import { ts } from "ts-morph";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import type { ObjectValue, Property, Span, Value } from "../model.ts";
import { isAsync } from "./is-async.ts";
import { isText } from "./path-of.ts";

// Taken once: the compiler's namespace is a table of getters, and every keystroke comes through here.
const { SyntaxKind } = ts;

/** Of an object or a list that somebody writes. A table of data is no configuration, and is not looked into. */
export const MOST_MEMBERS = 1_000;

/** Shared by all objects that spread nothing: most. */
const NO_SPREADS: ObjectValue["spreads"] = Object.freeze([]);

/** `start`: of the braces alone, without parentheses or `as`: edits go inside them. */
export function evaluateObject(expression: ts.ObjectLiteralExpression, start: number, context: EvaluateContext): Value {
  const { file, source } = context;
  const nodes = expression.properties;
  if (nodes.length > MOST_MEMBERS) return { kind: "unknown", file, start, end: expression.end };
  const properties: Property[] = [];
  let spreads: { before: number; value: Value }[] | undefined;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as ts.ObjectLiteralElementLike;
    const { name: nameNode } = node;
    const nodeStart = node.getStart(source);
    const span = { start: nodeStart, end: node.end };
    const name = nameNode && (nameNode.kind === SyntaxKind.Identifier ? (nameNode as ts.Identifier).text : propertyName(nameNode));
    if (name !== undefined && nameNode !== undefined && (name !== "__proto__" || !isPrototype(node))) {
      // Most begin with their name.
      const isAssigned = node.kind === SyntaxKind.PropertyAssignment;
      const nameSpan = { start: isAssigned && nameNode.pos === node.pos ? nodeStart : nameNode.getStart(source), end: nameNode.end };
      const value = isAssigned ? evaluate((node as ts.PropertyAssignment).initializer, context) : propertyValue(node, span, context);
      properties.push({ name, nameSpan, span, value });
      continue;
    }
    spreads ??= [];
    const value: Value =
      node.kind === SyntaxKind.SpreadAssignment
        ? evaluate((node as ts.SpreadAssignment).expression, context)
        : // A computed name may be any, and a prototype has names of its own.
          { file, ...span, kind: "unknown", ...keyed(node, span, context) };
    spreads.push({ before: properties.length, value });
  }
  const { end } = expression;
  const open = spreads !== undefined;
  const trailingComma = nodes.hasTrailingComma === true;
  const first = nodes[0];
  const last = nodes[nodes.length - 1];
  if (first === undefined || last === undefined)
    return { kind: "object", file, start, end, properties, spreads: spreads ?? NO_SPREADS, open, trailingComma };
  const members = { start: first.getStart(source), end: last.end };
  return { kind: "object", file, start, end, properties, spreads: spreads ?? NO_SPREADS, open, trailingComma, members };
}

/** `[KEY]: value`: the name is known to whoever knows what KEY stands for. */
function keyed(property: ts.ObjectLiteralElementLike, span: Span, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "keyed"> {
  const { name } = property;
  if (property.kind !== SyntaxKind.PropertyAssignment || name?.kind !== SyntaxKind.ComputedPropertyName) return {};
  const key = evaluate((name as ts.ComputedPropertyName).expression, context);
  if (key.kind !== "reference" && key.kind !== "template") return {};
  const nameSpan = { start: name.getStart(context.source), end: name.end };
  return { keyed: { key, property: { nameSpan, span, value: propertyValue(property, span, context) } } };
}

/** `__proto__: base` is no property: what `base` has can be read from the object. */
const isPrototype = (property: ts.ObjectLiteralElementLike): boolean =>
  property.kind === SyntaxKind.PropertyAssignment && property.name?.kind !== SyntaxKind.ComputedPropertyName;

function propertyValue(property: ts.ObjectLiteralElementLike, { start, end }: Span, context: EvaluateContext): Value {
  const { file } = context;
  switch (property.kind) {
    case SyntaxKind.PropertyAssignment:
      return evaluate((property as ts.PropertyAssignment).initializer, context);
    case SyntaxKind.ShorthandPropertyAssignment:
      return evaluate((property as ts.ShorthandPropertyAssignment).name, context);
    case SyntaxKind.MethodDeclaration:
      return { kind: "function", file, start, end, async: isAsync(property as ts.MethodDeclaration) };
    default:
      return { kind: "unknown", file, start, end };
  }
}

export function propertyName(name: ts.PropertyName): string | undefined {
  if (name.kind === SyntaxKind.Identifier || isText(name) || name.kind === SyntaxKind.NumericLiteral) return name.text;
  return name.kind === SyntaxKind.ComputedPropertyName && isText(name.expression) ? name.expression.text : undefined;
}
