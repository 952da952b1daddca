// An expression → a Value, syntactically: literals, lists and what has a room of its own beside this; names stay references.
import { ts } from "ts-morph";
import { assignedExports } from "./commonjs.ts";
import { evaluateAccess } from "./evaluate/evaluate-access.ts";
import { evaluateCall } from "./evaluate/evaluate-call.ts";
import { evaluateNew } from "./evaluate/evaluate-new.ts";
import { evaluateObject, MOST_MEMBERS } from "./evaluate/evaluate-object.ts";
import { isAsync } from "./evaluate/is-async.ts";
import type { Access } from "./evaluate/path-of.ts";
import { flattenPlus, templateParts } from "./evaluate/texts.ts";
import type { ImportFact, Value } from "./model.ts";

// Taken once: the compiler's namespace is a table of getters, and every keystroke comes through here.
const { SyntaxKind } = ts;

export interface EvaluateContext {
  readonly file: string;
  readonly source: ts.SourceFile;
  /** What is imported from the toolkit, by its local name. */
  readonly toolkitImports: ReadonlyMap<string, ImportFact>;
}

// Every value is written out where it is made, place and all: a spread makes an object that is larger, and takes longer. The most frequent
// kinds come first, and what `unwrap` takes off is taken off here.
export function evaluate(node: ts.Expression, context: EvaluateContext): Value {
  if (depth > DEEPEST) return { kind: "unknown", file: context.file, start: node.getStart(context.source), end: node.end };
  depth++;
  try {
    return evaluateNode(node, context);
  } finally {
    depth--;
  }
}

/**
 * Of what is being evaluated; what is nested deeper is no configuration, and is not known. Each of an expression's parts may be asked for by
 * itself: without an end, that takes the square of the depth.
 */
let depth = 0;
const DEEPEST = 50;

function evaluateNode(node: ts.Expression, context: EvaluateContext): Value {
  const { file, source } = context;
  const start = node.getStart(source);
  const { end } = node;
  let expression = node;
  for (;;)
    switch (expression.kind) {
      case SyntaxKind.StringLiteral:
      case SyntaxKind.NoSubstitutionTemplateLiteral: {
        const { text } = expression as ts.StringLiteralLike;
        if (text.includes("${") && SNIPPET_SLOT.test(text)) return { kind: "unknown", file, start, end };
        return { kind: "string", file, start, end, value: text };
      }
      case SyntaxKind.PropertyAccessExpression:
      case SyntaxKind.ElementAccessExpression:
        return evaluateAccess(expression as Access, start, end, context);
      case SyntaxKind.ObjectLiteralExpression:
        return evaluateObject(expression as ts.ObjectLiteralExpression, expression === node ? start : expression.getStart(source), context);
      case SyntaxKind.Identifier: {
        const { text } = expression as ts.Identifier;
        if (text === "undefined") return { kind: "undefined", file, start, end };
        const path = [text];
        const nameSpan = { start: expression === node ? start : expression.getStart(source), end: expression.end };
        return { kind: "reference", file, start, end, path, nameSpan };
      }
      case SyntaxKind.CallExpression:
        return evaluateCall(expression as ts.CallExpression, start, end, context);
      case SyntaxKind.ArrayLiteralExpression:
        return evaluateArray(expression as ts.ArrayLiteralExpression, start, end, context);
      case SyntaxKind.TrueKeyword:
        return { kind: "boolean", file, start, end, value: true };
      case SyntaxKind.FunctionExpression:
      case SyntaxKind.ArrowFunction:
        return { kind: "function", file, start, end, async: isAsync(expression as ts.ArrowFunction | ts.FunctionExpression) };
      case SyntaxKind.NumericLiteral:
        return { kind: "number", file, start, end, value: Number((expression as ts.NumericLiteral).text) };
      case SyntaxKind.BinaryExpression:
        return evaluateBinary(expression as ts.BinaryExpression, start, end, context);
      case SyntaxKind.TemplateExpression:
        return { kind: "template", file, start, end, parts: templateParts(expression as ts.TemplateExpression, context) };
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.AsExpression:
      case SyntaxKind.SatisfiesExpression:
      case SyntaxKind.NonNullExpression:
      case SyntaxKind.TypeAssertionExpression:
        expression = (expression as ts.ParenthesizedExpression).expression;
        continue;
      case SyntaxKind.NewExpression:
        return evaluateNew(expression as ts.NewExpression, start, end, context);
      case SyntaxKind.FalseKeyword:
        return { kind: "boolean", file, start, end, value: false };
      case SyntaxKind.NullKeyword:
        return { kind: "null", file, start, end };
      case SyntaxKind.PrefixUnaryExpression:
        return evaluateNegation(expression as ts.PrefixUnaryExpression, file, start, end);
      case SyntaxKind.ConditionalExpression: {
        const { whenTrue, whenFalse } = expression as ts.ConditionalExpression;
        return { kind: "choice", file, start, end, options: [evaluate(whenTrue, context), evaluate(whenFalse, context)] };
      }
      default:
        return { kind: "unknown", file, start, end };
    }
}

/** Without a function of its own in the callers, which would be given room for what both see at each call. */
export function evaluateAll(nodes: readonly ts.Expression[], context: EvaluateContext): readonly Value[] {
  return nodes.map((node) => evaluate(node, context));
}

/** `"${1:MyToken}"` in a snippet file: what will stand there, nobody knows yet. */
const SNIPPET_SLOT = /\$\{\d+[:|}]/;

function evaluateBinary(expression: ts.BinaryExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  switch (expression.operatorToken.kind) {
    case SyntaxKind.PlusToken:
      return { kind: "template", file, start, end, parts: flattenPlus(expression, context) };
    case SyntaxKind.AmpersandAmpersandToken:
      // Where it is spread, a condition that does not hold is nothing.
      return { kind: "choice", file, start, end, options: [evaluate(expression.right, context), { kind: "undefined", file, start, end }] };
    case SyntaxKind.BarBarToken:
    case SyntaxKind.QuestionQuestionToken: {
      const by = expression.operatorToken.kind === SyntaxKind.BarBarToken ? "||" : "??";
      return { kind: "choice", file, start, end, by, options: [evaluate(expression.left, context), evaluate(expression.right, context)] };
    }
    case SyntaxKind.EqualsToken: {
      const assigned = assignedExports(expression);
      return assigned === undefined ? { kind: "unknown", file, start, end } : evaluate(assigned.value, context);
    }
    default:
      return { kind: "unknown", file, start, end };
  }
}

function evaluateArray(expression: ts.ArrayLiteralExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  const items: Value[] = [];
  let spreads: { before: number; value: Value }[] | undefined;
  const { elements } = expression;
  if (elements.length > MOST_MEMBERS) return { kind: "unknown", file, start, end };
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index] as ts.Expression;
    if (element.kind === SyntaxKind.SpreadElement) {
      spreads ??= [];
      spreads.push({ before: items.length, value: evaluate((element as ts.SpreadElement).expression, context) });
    } else items.push(evaluate(element, context));
  }
  if (spreads === undefined) return { kind: "array", file, start, end, items, open: false };
  return { kind: "array", file, start, end, items, open: true, spreads };
}

/** `!0` and `!1`, as minifiers write them. */
function evaluateNegation(node: ts.PrefixUnaryExpression, file: string, start: number, end: number): Value {
  const isNumber = node.operator === SyntaxKind.ExclamationToken && node.operand.kind === SyntaxKind.NumericLiteral;
  if (!isNumber) return { kind: "unknown", file, start, end };
  return { kind: "boolean", file, start, end, value: Number((node.operand as ts.NumericLiteral).text) === 0 };
}
