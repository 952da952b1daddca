// Evaluates `new URL(path, base)` to a call with its arguments, `new coda.PackDefinitionBuilder()` to a pack, and `new Name()` to its
// class.

import type { Expression, ObjectValue, Place, Reference } from "../../model/values.ts";
import type { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate, evaluateAll, evaluateArguments, spreadOf } from "../evaluate.ts";
import { makesPack } from "./builder-class.ts";

export function evaluateNew(node: ts.NewExpression, place: Place, context: EvaluateContext): Expression {
  if (makesPack(node, context.toolkitImports)) return { kind: "builder", place, builds: "pack" };
  const callee = evaluate(node.expression, context);
  const args = node.arguments ?? [];
  const instance: Expression = {
    kind: "instance",
    place,
    class: callee,
    arguments: evaluateArguments(args, context),
  };
  if (callee.kind !== "reference") return callee.kind === "object" ? instance : { kind: "unknown", place };
  if (callee.path.join(".") === "Set") {
    const none = { kind: "array", place, items: [], spreads: [], open: false } as const;
    return args[0] === undefined ? none : { ...spreadOf(evaluate(args[0], context), place), isSet: true };
  }
  if (callee.path.length === 1 && callee.path[0] === "Map") return evaluateMap(node.arguments?.[0], place, context);
  // This is the built-in URL, unless the file declares a class of that name.
  if (callee.path.length === 1 && callee.path[0] === "URL" && node.arguments !== undefined)
    return {
      kind: "newUrl",
      place,
      class: callee,
      url: { kind: "url", place, arguments: evaluateAll(node.arguments, context), isText: false },
    };
  return instance;
}

/** Evaluates `new Map([["key", value]])` to an object of its values. */
function evaluateMap(entries: ts.Expression | undefined, place: Place, context: EvaluateContext): Expression {
  const list = entries && evaluate(entries, context);
  const object: ObjectValue = { kind: "object", place, properties: [], spreads: [], open: false, trailingComma: false };
  if (list === undefined) return object;
  const fromEntries: Reference = { kind: "reference", place, path: ["Object", "fromEntries"], nameSpan: place };
  return { ...object, open: true, spreads: [{ before: 0, value: { kind: "call", place, callee: fromEntries, arguments: [list] } }] };
}
