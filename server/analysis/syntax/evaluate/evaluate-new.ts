// Evaluates `new URL(path, base)` to a call with its arguments, `new coda.PackDefinitionBuilder()` to a pack, and `new Name()` to its
// class.
import type { ts } from "ts-morph";
import type { Expression, ObjectValue, Place, Reference } from "../../model/values.ts";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import { makesPack } from "./builder-class.ts";

export function evaluateNew(node: ts.NewExpression, place: Place, context: EvaluateContext): Expression {
  if (makesPack(node, context.toolkitImports)) return { kind: "builder", place, builds: "pack" };
  const callee = evaluate(node.expression, context);
  if (callee.kind !== "reference") return { kind: "unknown", place };
  if (callee.path.length === 1 && callee.path[0] === "Map") return evaluateMap(node.arguments?.[0], place, context);
  // This is the built-in URL, unless the file declares a class of that name.
  if (callee.path.length === 1 && callee.path[0] === "URL" && node.arguments !== undefined)
    return {
      kind: "newUrl",
      place,
      class: callee,
      url: { kind: "url", place, arguments: evaluateAll(node.arguments, context), isText: false },
    };
  return { kind: "instance", place, class: callee };
}

/** Evaluates `new Map([["key", value]])` to an object of its values. */
function evaluateMap(entries: ts.Expression | undefined, place: Place, context: EvaluateContext): Expression {
  const list = entries && evaluate(entries, context);
  const object: ObjectValue = { kind: "object", place, properties: [], spreads: [], open: false, trailingComma: false };
  if (list === undefined) return object;
  const fromEntries: Reference = { kind: "reference", place, path: ["Object", "fromEntries"], nameSpan: place };
  return { ...object, open: true, spreads: [{ before: 0, value: { kind: "call", place, callee: fromEntries, arguments: [list] } }] };
}

/** Returns a member of an object at its creation: `new Name().method`. */
export function partOfNew(receiver: Expression, name: string, place: Place): Expression | undefined {
  if (receiver.kind !== "instance") return undefined;
  return { ...receiver.class, place, path: [...receiver.class.path, "prototype", name] };
}
