// An object literal → its properties with their places, and what it spreads.

import type { Place, Property, Value } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { isAsync } from "./is-async.ts";

/** Of an object or a list that somebody writes. A table of data is no configuration, and is not looked into. */
export const MOST_MEMBERS = 1_000;

/** Its place is that of the braces alone, without parentheses or `as`: edits go inside them. */
export function evaluateObject(expression: ts.ObjectLiteralExpression, _: Place, context: EvaluateContext): Value {
  const { places, source } = context;
  const place = places.of(expression);
  const nodes = expression.properties;
  if (nodes.length > MOST_MEMBERS) return { kind: "unknown", place };
  const properties: Property[] = [];
  const spreads: { before: number; value: Value }[] = [];
  for (const node of nodes) {
    const span = places.of(node);
    const name = node.name && propertyName(node.name);
    if (node.name !== undefined && name !== undefined && (name !== "__proto__" || !isPrototype(node)))
      properties.push({ name, nameSpan: places.of(node.name), span, value: propertyValue(node, span, context) });
    else spreads.push({ before: properties.length, value: spreadValue(node, span, context) });
  }
  const [first] = nodes;
  const last = nodes.at(-1);
  return {
    kind: "object",
    place,
    properties,
    spreads,
    open: spreads.length > 0,
    trailingComma: nodes.hasTrailingComma === true,
    ...(first && last && { members: places.span(first.getStart(source), last.end) }),
  };
}

/** A computed name may be any, and a prototype has names of its own. */
const spreadValue = (node: ts.ObjectLiteralElementLike, span: Place, context: EvaluateContext): Value =>
  ts.isSpreadAssignment(node) ? evaluate(node.expression, context) : { kind: "unknown", place: span, ...keyed(node, span, context) };

/** `[KEY]: value`: the name is known to whoever knows what KEY stands for. */
function keyed(property: ts.ObjectLiteralElementLike, span: Place, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "keyed"> {
  if (!ts.isPropertyAssignment(property) || !ts.isComputedPropertyName(property.name)) return {};
  const key = evaluate(property.name.expression, context);
  if (key.kind !== "reference" && key.kind !== "template") return {};
  const nameSpan = context.places.of(property.name);
  return { keyed: { key, property: { nameSpan, span, value: propertyValue(property, span, context) } } };
}

/** `__proto__: base` is no property: what `base` has can be read from the object. */
const isPrototype = (property: ts.ObjectLiteralElementLike): boolean =>
  ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name);

function propertyValue(property: ts.ObjectLiteralElementLike, place: Place, context: EvaluateContext): Value {
  if (ts.isPropertyAssignment(property)) return evaluate(property.initializer, context);
  if (ts.isShorthandPropertyAssignment(property)) return evaluate(property.name, context);
  return ts.isMethodDeclaration(property) ? { kind: "function", place, async: isAsync(property) } : { kind: "unknown", place };
}

export function propertyName(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}
