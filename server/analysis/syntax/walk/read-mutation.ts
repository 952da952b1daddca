// Mutations of names by assignments, deletions and increments.

import type { Definition, PropertyWrite } from "../../model/mutations.ts";
import { between, type Placing } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { isExportPath } from "../commonjs.ts";
import { isAccess, nameNodeOf, unwrap } from "../nodes.ts";
import { escapeAll } from "./escapes.ts";
import { isOtherProperty, isPackProperty } from "./pack-properties.ts";
import { stepsOf } from "./steps-of.ts";
import type { Walk } from "./walked.ts";

/** Records a mutation of a name or its property, with the assigned value if it is known. */
export function readMutation(target: ts.Node, walk: Walk, kind: "written" | "deleted" = "written", definition?: Definition): void {
  const { context, facts } = walk;
  const { places } = context;
  const expression = unwrap(target as ts.Expression);
  if (ts.isArrayLiteralExpression(expression) || ts.isObjectLiteralExpression(expression)) {
    // Destructuring assigns every name in the pattern.
    const assign = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) facts.declarations.change({ kind: "assigned", name: node.text, at: places.point(node.pos), path: [] });
      else ts.forEachChild(node, assign);
    };
    ts.forEachChild(expression, assign);
    return;
  }
  const steps = stepsOf(expression);
  if (steps === undefined) {
    // `(a ?? b).name = …` may write to either.
    if (isAccess(expression)) escapeAll(expression.expression, undefined, walk);
    return;
  }
  const [name = "", ...path] = steps.names;
  const property = path.pop();
  const at = places.point(steps.root.end);
  if (property === undefined) {
    facts.declarations.change({ kind: "assigned", name, at, path, ...(definition && { definition }) });
    return;
  }
  const assignment = definition && assignmentTo(expression, definition, places);
  facts.declarations.change({ name, at, path, property, kind, ...(assignment && { assignment }) });
  // Exports and members of a definition belong to the pack itself.
  if (!isExportPath(steps.names) && !isPackProperty(steps.names) && !isOtherProperty(steps.names))
    facts.escapes.push({ to: undefined, what: name });
}

/** Returns the places of a property write: the name without quotes, and the whole assignment. */
function assignmentTo(target: ts.Expression, definition: Definition, places: Placing): PropertyWrite["assignment"] {
  const name = nameNodeOf(target);
  if (name === undefined) return undefined;
  const quote = ts.isStringLiteralLike(name) ? 1 : 0;
  return { definition, nameSpan: places.span(name.getStart() + quote, name.end - quote), span: between(places.of(target), definition.at) };
}
