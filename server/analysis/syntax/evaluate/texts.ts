// The parts, in order, of strings that are built by templates, sums, `join` and `concat`.

import type { Expression } from "../../model/values.ts";
import { endOf } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import { calleeName, unwrap } from "../nodes.ts";

const { SyntaxKind } = ts;

export function templateParts(expression: ts.TemplateExpression, context: EvaluateContext): readonly Expression[] {
  const parts = [templatePart(expression.head, context)];
  for (const span of expression.templateSpans) parts.push(evaluate(span.expression, context), templatePart(span.literal, context));
  return parts;
}

function templatePart(node: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail, { places }: EvaluateContext): Expression {
  return { kind: "string", place: places.of(node), value: node.text };
}

/** Returns the operands from left to right. A loop avoids recursion, since a sum of thousands of strings is a deep tree. */
export function flattenPlus(expression: ts.Expression, context: EvaluateContext): readonly Expression[] {
  const parts: Expression[] = [];
  let node = unwrap(expression);
  for (; isSum(node); node = unwrap(node.left)) parts.push(...partsOf(evaluate(node.right, context)).reverse());
  parts.push(...partsOf(evaluate(node, context)).reverse());
  return parts.reverse();
}

/** Whether the node is a sum of strings or numbers. */
export const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken;

const partsOf = (value: Expression): Expression[] => (value.kind === "template" ? [...value.parts] : [value]);

/** Returns the parts of `["a", b].join("-")` or `"a".concat(b)`, or undefined for another call. `called` is the call as it is. */
export function joinedTexts(
  call: ts.CallExpression,
  name: "join" | "concat",
  called: () => Expression,
  context: EvaluateContext,
): readonly Expression[] | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const receiver = unwrap(callee.expression);
  const args = evaluateAll(call.arguments, context);
  if (name === "concat") return isConcatOfTexts(call) ? [evaluate(receiver, context), ...args].flatMap(partsOf) : undefined;
  const list = ts.isArrayLiteralExpression(receiver) ? evaluate(receiver, context) : undefined;
  const [separator] = args;
  // For another list, the result is some string.
  if ((list?.kind !== "array" || list.open) && args.length === 1 && separator?.kind === "string" && !/\w/.test(separator.value))
    return [called()];
  if (list?.kind !== "array" || list.open || separator?.kind !== "string") return undefined;
  // A separator is placed at the end of the item before it.
  return list.items.flatMap((item, index) =>
    index === list.items.length - 1 || separator.value === ""
      ? partsOf(item)
      : [...partsOf(item), { kind: "string" as const, place: endOf(item.place), value: separator.value }],
  );
}

/** Whether the node is `"a".concat(b)` without spread arguments. */
export function isConcatOfTexts(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || calleeName(node)?.text !== "concat") return false;
  const callee = unwrap(node.expression);
  const receiver = ts.isPropertyAccessExpression(callee) ? unwrap(callee.expression) : undefined;
  if (receiver === undefined || node.arguments.some(ts.isSpreadElement)) return false;
  return ts.isStringLiteralLike(receiver) || ts.isTemplateExpression(receiver) || isJoining(receiver);
}

/** Whether the node is a call that joins strings. */
export function isJoining(node: ts.Node): boolean {
  const name = ts.isCallExpression(node) ? calleeName(node)?.text : undefined;
  return name === "join" || name === "concat";
}
