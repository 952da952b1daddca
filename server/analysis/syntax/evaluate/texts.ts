// Texts that are put together, by templates, sums, `join` and `concat` → their parts in order.

import type { Value } from "../../model/values.ts";
import { endOf } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import { calleeName, unwrap } from "../nodes.ts";

const { SyntaxKind } = ts;

export function templateParts(expression: ts.TemplateExpression, context: EvaluateContext): readonly Value[] {
  const parts = [templatePart(expression.head, context)];
  for (const span of expression.templateSpans) parts.push(evaluate(span.expression, context), templatePart(span.literal, context));
  return parts;
}

function templatePart(node: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail, { places }: EvaluateContext): Value {
  return { kind: "string", place: places.of(node), value: node.text };
}

/** The operands from left to right; written as a loop, because sums of thousands of texts are a deep tree. */
export function flattenPlus(expression: ts.Expression, context: EvaluateContext): readonly Value[] {
  const parts: Value[] = [];
  let node = unwrap(expression);
  for (; isSum(node); node = unwrap(node.left)) parts.push(...partsOf(evaluate(node.right, context)).reverse());
  parts.push(...partsOf(evaluate(node, context)).reverse());
  return parts.reverse();
}

/** A sum of texts or numbers. */
export const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken;

const partsOf = (value: Value): Value[] => (value.kind === "template" ? [...value.parts] : [value]);

/** The parts of `["a", b].join("-")` and `"a".concat(b)`; undefined where the call is another. */
export function joinedTexts(call: ts.CallExpression, name: "join" | "concat", context: EvaluateContext): readonly Value[] | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const receiver = unwrap(callee.expression);
  const args = evaluateAll(call.arguments, context);
  if (name === "concat") return isConcatOfTexts(call) ? [evaluate(receiver, context), ...args].flatMap(partsOf) : undefined;
  const list = ts.isArrayLiteralExpression(receiver) ? evaluate(receiver, context) : undefined;
  const [separator] = args;
  // Of whatever list: it is a text.
  if (list === undefined && args.length === 1 && separator?.kind === "string" && !/\w/.test(separator.value))
    return [{ kind: "unknown", place: separator.place }];
  if (list?.kind !== "array" || list.open || separator?.kind !== "string") return undefined;
  // What stands between two items stands in the source where the first of them ends.
  return list.items.flatMap((item, index) =>
    index === list.items.length - 1 || separator.value === ""
      ? partsOf(item)
      : [...partsOf(item), { kind: "string" as const, place: endOf(item.place), value: separator.value }],
  );
}

/** `"a".concat(b)`, where all arguments are known. */
export function isConcatOfTexts(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || calleeName(node)?.text !== "concat") return false;
  const callee = unwrap(node.expression);
  const receiver = ts.isPropertyAccessExpression(callee) ? unwrap(callee.expression) : undefined;
  if (receiver === undefined || node.arguments.some(ts.isSpreadElement)) return false;
  return ts.isStringLiteralLike(receiver) || ts.isTemplateExpression(receiver) || isJoining(receiver);
}

/** A call that puts texts together. */
export function isJoining(node: ts.Node): boolean {
  const name = ts.isCallExpression(node) ? calleeName(node)?.text : undefined;
  return name === "join" || name === "concat";
}
