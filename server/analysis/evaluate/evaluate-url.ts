// `new URL(path, base)` → what it is made of.
import { ts } from "ts-morph";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import type { Value } from "../model.ts";

const { SyntaxKind } = ts;

/** What is made by `new`: known of URLs alone, unless that is a class of one's own. */
export function evaluateNew(node: ts.NewExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  const isUrl = node.expression.kind === SyntaxKind.Identifier && (node.expression as ts.Identifier).text === "URL";
  if (!isUrl || node.arguments === undefined) return { kind: "unknown", file, start, end };
  const callee = evaluate(node.expression, context);
  return { kind: "unknown", file, start, end, callee, call: { name: "URL", arguments: evaluateAll(node.arguments, context) } };
}
