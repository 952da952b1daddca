// `new URL(path, base)` → what it is made of; `new coda.PackDefinitionBuilder()` → a pack; `new Name()` → the class.
import type { ts } from "ts-morph";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import type { Value } from "../model.ts";
import { makesPack } from "./builder-class.ts";

export function evaluateNew(node: ts.NewExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  if (makesPack(node, context.toolkitImports)) return { kind: "unknown", file, start, end, isPack: true };
  const callee = evaluate(node.expression, context);
  if (callee.kind !== "reference") return { kind: "unknown", file, start, end };
  // A URL, unless that is a class of one's own.
  if (callee.path.length === 1 && callee.path[0] === "URL" && node.arguments !== undefined)
    return { kind: "unknown", file, start, end, callee, call: { name: "URL", arguments: evaluateAll(node.arguments, context) } };
  return { kind: "unknown", file, start, end, made: callee };
}

/** A method or property of what is made in its place: `new Name().method`. */
export function partOfNew(receiver: Value, name: string, at: { readonly start: number; readonly end: number }): Value | undefined {
  const made = receiver.kind === "unknown" ? receiver.made : undefined;
  if (made?.kind !== "reference") return undefined;
  const { start, end } = at;
  return { ...made, start, end, path: [...made.path, "prototype", name] };
}
