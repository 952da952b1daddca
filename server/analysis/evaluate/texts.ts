// Texts that are put together, by templates, sums, `join` and `concat` → their parts in order.
import { ts } from "ts-morph";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import type { Value } from "../model.ts";
import { calleeName, isText, unwrap } from "./path-of.ts";

// Taken once: the compiler's namespace is a table of getters, and every keystroke comes through here.
const { SyntaxKind } = ts;

export function templateParts(expression: ts.TemplateExpression, context: EvaluateContext): readonly Value[] {
  const parts = [templatePart(expression.head, context)];
  for (const span of expression.templateSpans) parts.push(evaluate(span.expression, context), templatePart(span.literal, context));
  return parts;
}

function templatePart(node: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail, { file, source }: EvaluateContext): Value {
  return { kind: "string", file, start: node.getStart(source), end: node.end, value: node.text };
}

/** The operands from left to right; written as a loop, because sums of thousands of texts are a deep tree. */
export function flattenPlus(expression: ts.Expression, context: EvaluateContext): readonly Value[] {
  const parts: Value[] = [];
  let node = unwrap(expression);
  for (; isSum(node); node = unwrap(node.left)) pushFromLast(parts, evaluate(node.right, context));
  pushFromLast(parts, evaluate(node, context));
  return parts.reverse();
}

function pushFromLast(parts: Value[], value: Value): void {
  if (value.kind !== "template") parts.push(value);
  else for (let index = value.parts.length - 1; index >= 0; index--) parts.push(value.parts[index] as Value);
}

/** A sum of texts or numbers. */
export const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  node.kind === SyntaxKind.BinaryExpression && (node as ts.BinaryExpression).operatorToken.kind === SyntaxKind.PlusToken;

const partsOf = (value: Value): Value[] => (value.kind === "template" ? [...value.parts] : [value]);

/** The parts of `["a", b].join("-")` and `"a".concat(b)`; undefined where the call is another. */
export function joinedTexts(call: ts.CallExpression, name: "join" | "concat", context: EvaluateContext): readonly Value[] | undefined {
  const callee = unwrap(call.expression);
  if (callee.kind !== SyntaxKind.PropertyAccessExpression) return undefined;
  const receiver = unwrap((callee as ts.PropertyAccessExpression).expression);
  const given = evaluateAll(call.arguments, context);
  if (name === "concat") return isConcatOfTexts(call) ? [evaluate(receiver, context), ...given].flatMap(partsOf) : undefined;
  const list = receiver.kind === SyntaxKind.ArrayLiteralExpression ? evaluate(receiver, context) : undefined;
  const [separator] = given;
  if (list?.kind !== "array" || list.open || separator?.kind !== "string") return undefined;
  // What stands between two items stands in the source where the first of them ends.
  return list.items.flatMap((item, index) =>
    index === list.items.length - 1 || separator.value === ""
      ? partsOf(item)
      : [...partsOf(item), { kind: "string" as const, file: item.file, start: item.end, end: item.end, value: separator.value }],
  );
}

/** `"a".concat(b)`, where all that is given is known. */
export function isConcatOfTexts(node: ts.Node): node is ts.CallExpression {
  if (node.kind !== SyntaxKind.CallExpression) return false;
  const call = node as ts.CallExpression;
  const callee = unwrap(call.expression);
  if (callee.kind !== SyntaxKind.PropertyAccessExpression || calleeName(call)?.text !== "concat") return false;
  const receiver = unwrap((callee as ts.PropertyAccessExpression).expression);
  const isTexts = isText(receiver) || receiver.kind === SyntaxKind.TemplateExpression || isJoining(receiver);
  return isTexts && !call.arguments.some(ts.isSpreadElement);
}

/** A call that puts texts together. */
export function isJoining(node: ts.Node): boolean {
  if (node.kind !== SyntaxKind.CallExpression) return false;
  const name = calleeName(node as ts.CallExpression)?.text;
  return name === "join" || name === "concat";
}
