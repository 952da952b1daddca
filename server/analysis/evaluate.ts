// An expression → a Value, syntactically: literals, objects, arrays, functions, enum members of the toolkit; names stay references.
import { ts } from "ts-morph";
import { ENUMS } from "../../spec/fields.ts";
import type { Property, Value } from "./model.ts";

export interface EvaluateContext {
  readonly file: string;
  readonly source: ts.SourceFile;
  /** Local names that stand for the toolkit's namespace, or for something imported from it. */
  readonly toolkitNames: ReadonlySet<string>;
}

export function evaluate(node: ts.Expression, context: EvaluateContext): Value {
  const expression = unwrap(node);
  const at = { file: context.file, start: node.getStart(context.source), end: node.getEnd() };
  if (ts.isStringLiteralLike(expression)) return { ...at, kind: "string", value: expression.text };
  if (ts.isNumericLiteral(expression)) return { ...at, kind: "number", value: Number(expression.text) };
  switch (expression.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return { ...at, kind: "boolean", value: true };
    case ts.SyntaxKind.FalseKeyword:
      return { ...at, kind: "boolean", value: false };
    case ts.SyntaxKind.NullKeyword:
      return { ...at, kind: "null" };
  }
  if (
    ts.isPrefixUnaryExpression(expression) &&
    expression.operator === ts.SyntaxKind.ExclamationToken &&
    ts.isNumericLiteral(expression.operand)
  ) {
    return { ...at, kind: "boolean", value: expression.operand.text === "0" };
  }
  if (ts.isIdentifier(expression))
    return expression.text === "undefined" ? { ...at, kind: "undefined" } : { ...at, kind: "reference", path: [expression.text] };
  if (ts.isPropertyAccessExpression(expression)) return evaluateAccess(expression, at, context);
  if (ts.isArrayLiteralExpression(expression)) {
    const items = expression.elements.filter((element) => !ts.isSpreadElement(element) && !ts.isOmittedExpression(element));
    return { ...at, kind: "array", items: items.map((item) => evaluate(item, context)), open: items.length !== expression.elements.length };
  }
  if (ts.isObjectLiteralExpression(expression)) return evaluateObject(expression, at, context);
  if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) return { ...at, kind: "function", async: isAsync(expression) };
  if (ts.isTemplateExpression(expression)) {
    const head: Value = {
      file: context.file,
      start: expression.head.getStart(context.source),
      end: expression.head.getEnd(),
      kind: "string",
      value: expression.head.text,
    };
    const rest = expression.templateSpans.flatMap((span): Value[] => [
      evaluate(span.expression, context),
      {
        file: context.file,
        start: span.literal.getStart(context.source),
        end: span.literal.getEnd(),
        kind: "string",
        value: span.literal.text,
      },
    ]);
    return { ...at, kind: "template", parts: [head, ...rest] };
  }
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return { ...at, kind: "template", parts: flattenPlus(expression, context) };
  }
  if (ts.isCallExpression(expression) && calleeName(expression) === "makeMetadataFormula") {
    const [first] = expression.arguments;
    return first === undefined ? { ...at, kind: "unknown" } : { ...at, kind: "function", async: true };
  }
  return { ...at, kind: "unknown" };
}

/** The expression without parentheses, `as`, `satisfies` and `!`. */
export function unwrap(node: ts.Expression): ts.Expression {
  let expression = node;
  while (
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isTypeAssertionExpression(expression)
  ) {
    expression = expression.expression;
  }
  return expression;
}

export function calleeName(call: ts.CallExpression): string | undefined {
  const callee = unwrap(call.expression);
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : undefined;
}

type At = { readonly file: string; readonly start: number; readonly end: number };

function evaluateAccess(expression: ts.PropertyAccessExpression, at: At, context: EvaluateContext): Value {
  const path: string[] = [];
  let node: ts.Expression = expression;
  while (ts.isPropertyAccessExpression(node)) {
    path.unshift(node.name.text);
    node = unwrap(node.expression);
  }
  if (!ts.isIdentifier(node)) return { ...at, kind: "unknown" };
  path.unshift(node.text);
  const [name, enumName] = [path.at(-1), path.at(-2)];
  if (name !== undefined && enumName !== undefined && Object.hasOwn(ENUMS, enumName) && context.toolkitNames.has(path[0] ?? "")) {
    const nameSpan = { start: expression.name.getStart(context.source), end: expression.name.getEnd() };
    return { ...at, kind: "member", enum: enumName, name, prefix: context.source.text.slice(at.start, nameSpan.start), nameSpan };
  }
  return { ...at, kind: "reference", path };
}

function evaluateObject(expression: ts.ObjectLiteralExpression, at: At, context: EvaluateContext): Value {
  const properties: Property[] = [];
  let open = false;
  for (const property of expression.properties) {
    const span = { start: property.getStart(context.source), end: property.getEnd() };
    const name = property.name === undefined ? undefined : propertyName(property.name);
    if (ts.isSpreadAssignment(property)) {
      const spread = unwrap(property.expression);
      const value = ts.isObjectLiteralExpression(spread) ? evaluate(spread, context) : undefined;
      if (value?.kind === "object") {
        properties.push(...value.properties);
        open ||= value.open;
      } else open = true;
    } else if (name === undefined || property.name === undefined) open = true;
    else {
      const nameSpan = { start: property.name.getStart(context.source), end: property.name.getEnd() };
      const value: Value = ts.isPropertyAssignment(property)
        ? evaluate(property.initializer, context)
        : ts.isShorthandPropertyAssignment(property)
          ? { file: context.file, ...nameSpan, kind: "reference", path: [name] }
          : ts.isMethodDeclaration(property)
            ? { file: context.file, ...span, kind: "function", async: isAsync(property) }
            : { file: context.file, ...span, kind: "unknown" };
      properties.push({ name, nameSpan, span, value });
    }
  }
  return { ...at, kind: "object", properties, open, trailingComma: expression.properties.hasTrailingComma };
}

function propertyName(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

function flattenPlus(expression: ts.Expression, context: EvaluateContext): Value[] {
  const node = unwrap(expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return [...flattenPlus(node.left, context), ...flattenPlus(node.right, context)];
  const value = evaluate(node, context);
  return value.kind === "template" ? [...value.parts] : [value];
}

function isAsync(node: ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword) === true;
}
