// Names that are written to.
import { ts } from "ts-morph";
import type { Change } from "../changes.ts";
import { isExportPath } from "../commonjs.ts";
import { nameNodeOf, unwrap } from "../evaluate/path-of.ts";
import { forEachHeldName } from "../held-names.ts";
import type { Definition } from "../reaching-definitions.ts";
import { isDefined } from "./defined.ts";
import { letGo } from "./let-go.ts";
import { stepsOf } from "./steps-of.ts";
import type { Walking } from "./walked.ts";

/** A name that is assigned to, written into, deleted from or counted; with what it is given, where that is known. */
export function changed(target: ts.Node, walked: Walking, kind: "written" | "deleted" = "written", definition?: Definition): void {
  const { declarations } = walked;
  const expression = unwrap(target as ts.Expression);
  if (ts.isArrayLiteralExpression(expression) || ts.isObjectLiteralExpression(expression)) {
    // Destructured into: every name in it is assigned.
    const assign = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) declarations.change({ kind: "assigned", name: node.text, offset: node.pos, path: [] });
      else ts.forEachChild(node, assign);
    };
    ts.forEachChild(expression, assign);
    return;
  }
  const steps = stepsOf(expression);
  if (steps === undefined) {
    // `(a ?? b).name = …`: either.
    const of = ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression) ? expression.expression : undefined;
    if (of !== undefined) forEachHeldName(of, ([name = "", ...path]) => letGo(name, path, of.end, undefined, walked));
    return;
  }
  const [name = "", ...path] = steps.names;
  const property = path.pop();
  if (property === undefined)
    declarations.change({ kind: "assigned", name, offset: steps.root.end, path, ...(definition === undefined ? {} : { definition }) });
  else {
    const change = { name, offset: steps.root.end, path, property };
    const given = definition === undefined ? undefined : givenTo(expression, definition);
    declarations.change(kind === "deleted" ? { ...change, kind } : given === undefined ? { ...change, kind } : { ...change, kind, given });
    // What is exported, or read of a definition, is the pack's own.
    if (!isExportPath(steps.names) && !isDefined(steps.names)) walked.handedOver.push({ to: undefined, what: name });
  }
}

/** Where a property is written: its name without quotes, and the assignment. */
function givenTo(target: ts.Expression, definition: Definition): (Change & { readonly kind: "written" })["given"] {
  const source = target.getSourceFile();
  const name = ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target) ? nameNodeOf(target) : undefined;
  if (name === undefined) return undefined;
  const quote = ts.isStringLiteralLike(name) ? 1 : 0;
  return {
    definition,
    nameSpan: { start: name.getStart(source) + quote, end: name.end - quote },
    span: { start: target.getStart(source), end: definition.offset },
  };
}
