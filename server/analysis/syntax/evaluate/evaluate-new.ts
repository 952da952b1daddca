// Evaluates `new URL(path, base)` to a call with its arguments, `new coda.PackDefinitionBuilder()` to a pack, and `new Name()` to its
// class.
import type { ts } from "ts-morph";
import type { Place, Value } from "../../model/values.ts";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import { makesPack } from "./builder-class.ts";

export function evaluateNew(node: ts.NewExpression, place: Place, context: EvaluateContext): Value {
  if (makesPack(node, context.toolkitImports)) return { kind: "unknown", place, builder: "pack" };
  const callee = evaluate(node.expression, context);
  if (callee.kind !== "reference") return { kind: "unknown", place };
  // This is the built-in URL, unless the file declares a class of that name.
  if (callee.path.length === 1 && callee.path[0] === "URL" && node.arguments !== undefined)
    return {
      kind: "unknown",
      place,
      callee,
      builtIn: "URL",
      call: { name: "URL", arguments: evaluateAll(node.arguments, context) },
    };
  if (callee.path.length === 1 && callee.path[0] === "Date") return { kind: "unknown", place, classValue: callee, builtIn: "Date" };
  return { kind: "unknown", place, classValue: callee };
}

/** Returns a member of an object at its creation: `new Name().method`. */
export function partOfNew(receiver: Value, name: string, place: Place): Value | undefined {
  const classValue = receiver.kind === "unknown" ? receiver.classValue : undefined;
  if (classValue?.kind !== "reference") return undefined;
  return { ...classValue, place, path: [...classValue.path, "prototype", name] };
}
