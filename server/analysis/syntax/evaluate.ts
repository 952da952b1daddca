// An expression → a Value, syntactically: literals, lists and what has a room of its own beside this; names stay references.

import type { ImportFact } from "../model/facts.ts";
import type { Place, Value } from "../model/values.ts";
import type { Placing } from "../text/place.ts";
import { ts } from "../typescript.ts";
import { assignedExports } from "./commonjs.ts";
import { evaluateAccess } from "./evaluate/evaluate-access.ts";
import { evaluateCall } from "./evaluate/evaluate-call.ts";
import { evaluateNew } from "./evaluate/evaluate-new.ts";
import { evaluateObject, MOST_MEMBERS } from "./evaluate/evaluate-object.ts";
import { isAsync } from "./evaluate/is-async.ts";
import { flattenPlus, templateParts } from "./evaluate/texts.ts";

const { SyntaxKind } = ts;

export interface EvaluateContext {
  readonly file: string;
  readonly source: ts.SourceFile;
  readonly places: Placing;
  /** What is imported from the toolkit, by its local name. */
  readonly toolkitImports: ReadonlyMap<string, ImportFact>;
}

export function evaluate(node: ts.Expression, context: EvaluateContext): Value {
  const place = context.places.of(node);
  if (depth > DEEPEST) return { kind: "unknown", place };
  depth++;
  try {
    return evaluateKind(node, place, context);
  } finally {
    depth--;
  }
}

export const evaluateAll = (nodes: readonly ts.Expression[], context: EvaluateContext): readonly Value[] =>
  nodes.map((node) => evaluate(node, context));

/**
 * Of what is being evaluated; what is nested deeper is no configuration, and is not known. Each of an expression's parts may be asked for by
 * itself: without an end, that takes the square of the depth.
 */
let depth = 0;
const DEEPEST = 50;

/** `place`: of the whole expression, with the parentheses around it. As a method it takes nodes of one kind. */
type Evaluator = { evaluate(node: ts.Expression, place: Place, context: EvaluateContext): Value }["evaluate"];

const EVALUATORS: { readonly [Kind in ts.SyntaxKind]?: Evaluator } = {
  [SyntaxKind.ParenthesizedExpression]: evaluateInner,
  [SyntaxKind.AsExpression]: evaluateInner,
  [SyntaxKind.SatisfiesExpression]: evaluateInner,
  [SyntaxKind.NonNullExpression]: evaluateInner,
  [SyntaxKind.TypeAssertionExpression]: evaluateInner,
  [SyntaxKind.Identifier]: evaluateName,
  [SyntaxKind.PropertyAccessExpression]: evaluateAccess,
  [SyntaxKind.ElementAccessExpression]: evaluateAccess,
  [SyntaxKind.CallExpression]: evaluateCall,
  [SyntaxKind.NewExpression]: evaluateNew,
  [SyntaxKind.ObjectLiteralExpression]: evaluateObject,
  [SyntaxKind.ArrayLiteralExpression]: evaluateArray,
  [SyntaxKind.StringLiteral]: evaluateText,
  [SyntaxKind.NoSubstitutionTemplateLiteral]: evaluateText,
  [SyntaxKind.TemplateExpression]: (node: ts.TemplateExpression, place, context) => ({
    kind: "template",
    place,
    parts: templateParts(node, context),
  }),
  [SyntaxKind.NumericLiteral]: (node: ts.NumericLiteral, place) => ({ kind: "number", place, value: Number(node.text) }),
  [SyntaxKind.TrueKeyword]: (_, place) => ({ kind: "boolean", place, value: true }),
  [SyntaxKind.FalseKeyword]: (_, place) => ({ kind: "boolean", place, value: false }),
  [SyntaxKind.NullKeyword]: (_, place) => ({ kind: "null", place }),
  [SyntaxKind.RegularExpressionLiteral]: (_, place) => ({ kind: "unknown", place, builtIn: "a regular expression" }),
  [SyntaxKind.BigIntLiteral]: (_, place) => ({ kind: "unknown", place, builtIn: "a bigint" }),
  [SyntaxKind.FunctionExpression]: evaluateFunction,
  [SyntaxKind.ArrowFunction]: evaluateFunction,
  [SyntaxKind.BinaryExpression]: evaluateBinary,
  [SyntaxKind.PrefixUnaryExpression]: evaluateNegation,
  [SyntaxKind.ConditionalExpression]: ({ whenTrue, whenFalse }: ts.ConditionalExpression, place, context) => ({
    kind: "choice",
    place,
    options: [evaluate(whenTrue, context), evaluate(whenFalse, context)],
  }),
};

const evaluateKind: Evaluator = (node, place, context) => EVALUATORS[node.kind]?.(node, place, context) ?? { kind: "unknown", place };

function evaluateInner({ expression }: ts.ParenthesizedExpression | ts.AssertionExpression, place: Place, context: EvaluateContext): Value {
  return evaluateKind(expression, place, context);
}

function evaluateName(node: ts.Identifier, place: Place, context: EvaluateContext): Value {
  if (node.text === "undefined") return { kind: "undefined", place };
  return { kind: "reference", place, path: [node.text], nameSpan: context.places.of(node) };
}

function evaluateText({ text }: ts.StringLiteralLike, place: Place): Value {
  return SNIPPET_SLOT.test(text) ? { kind: "unknown", place } : { kind: "string", place, value: text };
}

function evaluateFunction(node: ts.ArrowFunction | ts.FunctionExpression, place: Place): Value {
  return { kind: "function", place, async: isAsync(node) };
}

/** `"${1:MyToken}"` in a snippet file: what will stand there, nobody knows yet. */
const SNIPPET_SLOT = /\$\{\d+[:|}]/;

function evaluateBinary(expression: ts.BinaryExpression, place: Place, context: EvaluateContext): Value {
  switch (expression.operatorToken.kind) {
    case SyntaxKind.PlusToken:
      return { kind: "template", place, parts: flattenPlus(expression, context) };
    case SyntaxKind.AmpersandAmpersandToken:
      // Where it is spread, a condition that does not hold is nothing.
      return { kind: "choice", place, options: [evaluate(expression.right, context), { kind: "undefined", place }] };
    case SyntaxKind.BarBarToken:
    case SyntaxKind.QuestionQuestionToken: {
      const by = expression.operatorToken.kind === SyntaxKind.BarBarToken ? "||" : "??";
      return { kind: "choice", place, by, options: [evaluate(expression.left, context), evaluate(expression.right, context)] };
    }
    case SyntaxKind.EqualsToken: {
      const assigned = assignedExports(expression);
      return assigned === undefined ? { kind: "unknown", place } : evaluate(assigned.value, context);
    }
    default:
      return { kind: "unknown", place };
  }
}

function evaluateArray({ elements }: ts.ArrayLiteralExpression, place: Place, context: EvaluateContext): Value {
  if (elements.length > MOST_MEMBERS) return { kind: "unknown", place };
  const items: Value[] = [];
  const spreads: { before: number; value: Value }[] = [];
  for (const element of elements)
    if (ts.isSpreadElement(element)) spreads.push({ before: items.length, value: evaluate(element.expression, context) });
    else items.push(evaluate(element, context));
  return spreads.length === 0 ? { kind: "array", place, items, open: false } : { kind: "array", place, items, open: true, spreads };
}

/** `-1`, and `!0` and `!1`, as minifiers write them. */
function evaluateNegation({ operator, operand }: ts.PrefixUnaryExpression, place: Place): Value {
  const number = ts.isNumericLiteral(operand) ? Number(operand.text) : undefined;
  if (number !== undefined && operator === SyntaxKind.ExclamationToken) return { kind: "boolean", place, value: number === 0 };
  if (number !== undefined && operator === SyntaxKind.MinusToken) return { kind: "number", place, value: -number };
  if (ts.isBigIntLiteral(operand) && operator === SyntaxKind.MinusToken) return { kind: "unknown", place, builtIn: "a bigint" };
  return { kind: "unknown", place };
}
