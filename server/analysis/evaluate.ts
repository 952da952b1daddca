// An expression → a Value, syntactically: literals, objects, arrays, functions, enum members of the toolkit; names stay references.
import { ts } from "ts-morph";
import { ENUMS } from "../../spec/fields.ts";
import type { ImportFact, Place, Property, Value } from "./model.ts";

export interface EvaluateContext {
  readonly file: string;
  readonly source: ts.SourceFile;
  /** What is imported from the toolkit, by its local name. */
  readonly toolkitImports: ReadonlyMap<string, ImportFact>;
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
  if (isNumberNegated(expression)) return { ...at, kind: "boolean", value: Number(expression.operand.getText(context.source)) === 0 };
  if (ts.isIdentifier(expression) && expression.text === "undefined") return { ...at, kind: "undefined" };
  if (ts.isIdentifier(expression) || ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression))
    return evaluateName(expression, at, context);
  if (ts.isArrayLiteralExpression(expression)) {
    const items = expression.elements.filter((element) => !ts.isSpreadElement(element) && !ts.isOmittedExpression(element));
    return { ...at, kind: "array", items: items.map((item) => evaluate(item, context)), open: items.length !== expression.elements.length };
  }
  if (ts.isObjectLiteralExpression(expression)) return evaluateObject(expression, context);
  if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) return { ...at, kind: "function", async: isAsync(expression) };
  if (ts.isTemplateExpression(expression)) return { ...at, kind: "template", parts: templateParts(expression, context) };
  if (ts.isConditionalExpression(expression))
    return { ...at, kind: "choice", options: [evaluate(expression.whenTrue, context), evaluate(expression.whenFalse, context)] };
  if (ts.isBinaryExpression(expression)) return evaluateBinary(expression, at, context);
  if (ts.isCallExpression(expression)) return evaluateCall(expression, at, context);
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

/** The name that a call calls, with the node that it stands in; undefined where it is computed. */
export function calleeName(call: ts.CallExpression): { readonly name: string; readonly node: ts.Node } | undefined {
  const callee = unwrap(call.expression);
  if (ts.isPropertyAccessExpression(callee)) return { name: callee.name.text, node: callee.name };
  if (ts.isElementAccessExpression(callee) && ts.isStringLiteralLike(callee.argumentExpression))
    return { name: callee.argumentExpression.text, node: callee.argumentExpression };
  return ts.isIdentifier(callee) ? { name: callee.text, node: callee } : undefined;
}

/** `urls.oauth["token"]` → its names, `this` among them; undefined where one is computed. */
export function pathOf(node: ts.Expression): { readonly names: readonly string[]; readonly last: ts.Node } | undefined {
  const names: string[] = [];
  let last: ts.Node | undefined;
  for (let part = unwrap(node); ; ) {
    if (ts.isIdentifier(part) || part.kind === ts.SyntaxKind.ThisKeyword) {
      names.unshift(ts.isIdentifier(part) ? part.text : "this");
      return { names, last: last ?? part };
    }
    if (ts.isPropertyAccessExpression(part)) {
      names.unshift(part.name.text);
      last ??= part.name;
      part = unwrap(part.expression);
    } else if (ts.isElementAccessExpression(part) && ts.isStringLiteralLike(part.argumentExpression)) {
      names.unshift(part.argumentExpression.text);
      last ??= part.argumentExpression;
      part = unwrap(part.expression);
    } else return undefined;
  }
}

/** What a path means inside the toolkit: `coda.AuthenticationType.X` and `Auth.X` are both AuthenticationType, X. */
export function toolkitPath(names: readonly string[], imported: ImportFact): readonly string[] {
  return imported.name === "*" || imported.name === "default" ? names.slice(1) : [imported.name, ...names.slice(1)];
}

function evaluateName(
  expression: ts.Identifier | ts.PropertyAccessExpression | ts.ElementAccessExpression,
  at: Place,
  context: EvaluateContext,
): Value {
  const path = pathOf(expression);
  if (path === undefined) return { ...at, kind: "unknown" };
  // Of `["name"]` it is the text alone.
  const quote = ts.isStringLiteralLike(path.last) ? 1 : 0;
  const nameSpan = { start: path.last.getStart(context.source) + quote, end: path.last.getEnd() - quote };
  const reference: Value = { ...at, kind: "reference", path: path.names, nameSpan };
  const imported = context.toolkitImports.get(path.names[0] ?? "");
  const meant = imported === undefined ? [] : toolkitPath(path.names, imported);
  return enumMember(meant, reference, context.source.text) ?? reference;
}

/** The member that a path inside the toolkit names, as the reference writes it. */
export function enumMember(path: readonly string[], reference: Value & { kind: "reference" }, text: string): Value | undefined {
  const [enumName, name] = path;
  if (path.length !== 2 || enumName === undefined || name === undefined || !Object.hasOwn(ENUMS, enumName)) return undefined;
  const { file, start, end, nameSpan } = reference;
  return { kind: "member", file, start, end, enum: enumName, name, prefix: text.slice(start, nameSpan.start), nameSpan };
}

function evaluateBinary(expression: ts.BinaryExpression, at: Place, context: EvaluateContext): Value {
  switch (expression.operatorToken.kind) {
    case ts.SyntaxKind.PlusToken:
      return { ...at, kind: "template", parts: flattenPlus(expression, context) };
    case ts.SyntaxKind.AmpersandAmpersandToken:
      // Where it is spread, a condition that does not hold is nothing.
      return { ...at, kind: "choice", options: [evaluate(expression.right, context), { ...at, kind: "undefined" }] };
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken:
      return { ...at, kind: "choice", options: [evaluate(expression.left, context), evaluate(expression.right, context)] };
    default:
      return { ...at, kind: "unknown" };
  }
}

function evaluateCall(call: ts.CallExpression, at: Place, context: EvaluateContext): Value {
  const [first] = call.arguments;
  const name = calleeName(call)?.name;
  if (first === undefined) return { ...at, kind: "unknown" };
  if (name === "makeMetadataFormula") return { ...at, kind: "function", async: true };
  if (name === "freeze") return evaluate(first, context);
  return { ...at, kind: "unknown" };
}

function evaluateObject(expression: ts.ObjectLiteralExpression, context: EvaluateContext): Value {
  // The braces alone: edits go inside them.
  const at = { file: context.file, start: expression.getStart(context.source), end: expression.getEnd() };
  const properties: Property[] = [];
  const spreads: { before: number; value: Value }[] = [];
  for (const property of expression.properties) {
    const span = { start: property.getStart(context.source), end: property.getEnd() };
    const name = property.name === undefined ? undefined : propertyName(property.name);
    if (ts.isSpreadAssignment(property)) spreads.push({ before: properties.length, value: evaluate(property.expression, context) });
    else if (name === undefined || property.name === undefined)
      // A computed name may be any.
      spreads.push({ before: properties.length, value: { file: context.file, ...span, kind: "unknown" } });
    else {
      const nameSpan = { start: property.name.getStart(context.source), end: property.name.getEnd() };
      const value: Value = ts.isPropertyAssignment(property)
        ? evaluate(property.initializer, context)
        : ts.isShorthandPropertyAssignment(property)
          ? evaluate(property.name, context)
          : ts.isMethodDeclaration(property)
            ? { file: context.file, ...span, kind: "function", async: isAsync(property) }
            : { file: context.file, ...span, kind: "unknown" };
      properties.push({ name, nameSpan, span, value });
    }
  }
  const [first, last] = [expression.properties.at(0), expression.properties.at(-1)];
  return {
    ...at,
    kind: "object",
    properties,
    spreads,
    open: spreads.length > 0,
    trailingComma: expression.properties.hasTrailingComma === true,
    ...(first && last ? { members: { start: first.getStart(context.source), end: last.getEnd() } } : {}),
  };
}

export function propertyName(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

function templateParts(expression: ts.TemplateExpression, context: EvaluateContext): readonly Value[] {
  const literal = (node: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail): Value => ({
    file: context.file,
    start: node.getStart(context.source),
    end: node.getEnd(),
    kind: "string",
    value: node.text,
  });
  return [
    literal(expression.head),
    ...expression.templateSpans.flatMap((span) => [evaluate(span.expression, context), literal(span.literal)]),
  ];
}

/** The operands from left to right; written as a loop, because sums of thousands of texts are a deep tree. */
function flattenPlus(expression: ts.Expression, context: EvaluateContext): readonly Value[] {
  const operands: Value[][] = [];
  let node = unwrap(expression);
  for (; ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken; node = unwrap(node.left))
    operands.push(partsOf(evaluate(node.right, context)));
  operands.push(partsOf(evaluate(node, context)));
  return operands.reverse().flat();
}

const partsOf = (value: Value): Value[] => (value.kind === "template" ? [...value.parts] : [value]);

/** `!0` and `!1`, as minifiers write them. */
function isNumberNegated(node: ts.Expression): node is ts.PrefixUnaryExpression {
  return ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken && ts.isNumericLiteral(node.operand);
}

function isAsync(node: ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword) === true;
}
