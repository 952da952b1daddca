// `Object.assign(name, { … })` → what it writes into the name's object: each property of the literals. What it takes them from is only read.
import type { ts } from "ts-morph";
import { pathOf } from "../evaluate/path-of.ts";
import { type EvaluateContext, evaluateAll } from "../evaluate.ts";
import type { Property } from "../model.ts";
import { definitionWith } from "./assigned.ts";
import { letGoOfAll } from "./let-go.ts";
import { stepsOf } from "./steps-of.ts";
import type { Frame, Walking } from "./walked.ts";

/** False where that is not what the call does. */
export function assignsObjects(node: ts.CallExpression, frame: Frame, context: EvaluateContext, walked: Walking): boolean {
  if (pathOf(node.expression)?.join(".") !== "Object.assign") return false;
  const [target, ...given] = node.arguments;
  for (const one of node.arguments) {
    const path = pathOf(one);
    if (path === undefined) letGoOfAll(one, "Object", walked);
    else if (path.length === 1 || path[0] === "this") walked.handedOver.push({ to: "Object", what: path[0] ?? "" });
  }
  const steps = target && stepsOf(target);
  if (steps === undefined) return true;
  const [name = "", ...path] = steps.names;
  const offset = steps.root.end;
  const properties = propertiesOf(given, context);
  if (properties === undefined) walked.declarations.change({ kind: "escaped", name, offset, path });
  for (const { name: property, nameSpan, span, value } of properties ?? []) {
    const definition = definitionWith(value, node, frame.body);
    walked.declarations.change({ kind: "written", name, offset, path, property, given: { definition, nameSpan, span } });
  }
  return true;
}

/** Of literals; undefined where something else is given too. */
function propertiesOf(given: readonly ts.Expression[], context: EvaluateContext): readonly Property[] | undefined {
  const known: Property[] = [];
  for (const value of evaluateAll(given, context)) {
    if (value.kind !== "object" || value.spreads.length > 0) return undefined;
    known.push(...value.properties);
  }
  return known;
}
