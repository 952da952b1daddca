// Reads `Object.assign(name, { … })` as writes of each literal's properties to the name's object. The sources are only read.
import type { ts } from "ts-morph";
import type { Property } from "../../model/values.ts";
import { type EvaluateContext, evaluateAll } from "../evaluate.ts";
import { pathOf } from "../nodes.ts";
import { definitionWith } from "./definitions.ts";
import { escapeAll } from "./escapes.ts";
import { stepsOf } from "./steps-of.ts";
import type { Walk } from "./walked.ts";

/** Returns false if the call is not `Object.assign`. */
export function assignsObjects(node: ts.CallExpression, walk: Walk): boolean {
  const { context, facts } = walk;
  if (pathOf(node.expression)?.join(".") !== "Object.assign") return false;
  const [target, ...sources] = node.arguments;
  for (const one of node.arguments) {
    const path = pathOf(one);
    if (path === undefined) escapeAll(one, "Object", walk);
    else if (path.length === 1 || path[0] === "this") facts.escapes.push({ to: "Object", what: path[0] ?? "" });
  }
  const steps = target && stepsOf(target);
  if (steps === undefined) return true;
  const [name = "", ...path] = steps.names;
  const at = context.places.point(steps.root.end);
  const properties = propertiesOf(sources, context);
  if (properties === undefined) facts.declarations.change({ kind: "escaped", name, at, path });
  for (const { name: property, nameSpan, span, value } of properties ?? []) {
    const definition = definitionWith(value, node, walk);
    facts.declarations.change({ kind: "written", name, at, path, property, assignment: { definition, nameSpan, span } });
  }
  return true;
}

/** Returns the properties of the literals, or undefined if there is another argument. */
function propertiesOf(sources: readonly ts.Expression[], context: EvaluateContext): readonly Property[] | undefined {
  const properties: Property[] = [];
  for (const value of evaluateAll(sources, context)) {
    if (value.kind !== "object" || value.spreads.length > 0) return undefined;
    properties.push(...value.properties);
  }
  return properties;
}
