// The names whose values an expression contains: `{ auth: config }`, `[first, second]`, `a ?? b`. Code that receives the expression can
// write to them.
import { ts } from "../../typescript.ts";
import { propertyName } from "../evaluate.ts";
import { unwrap } from "../nodes.ts";
import { stepsOf } from "../walk/steps-of.ts";
import { ANY } from "./mutations.ts";

const { SyntaxKind } = ts;

/** Receives a name with its path, and the path in the expression where its value is. */
type NameVisitor = (path: readonly string[], inside: readonly string[]) => void;

export function forEachAliasedName(node: ts.Expression, visit: NameVisitor): void {
  look(node, visit, []);
}

/** `steps` is the path to the node. It is restored on the way out instead of copied, since most members contain no name. */
function look(node: ts.Expression, visit: NameVisitor, steps: string[]): void {
  const expression = unwrap(node);
  switch (expression.kind) {
    case SyntaxKind.Identifier:
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
    case SyntaxKind.CallExpression: {
      const names = stepsOf(expression)?.names;
      if (names !== undefined) visit(names, steps.slice());
      return;
    }
    case SyntaxKind.ObjectLiteralExpression:
      for (const property of (expression as ts.ObjectLiteralExpression).properties) {
        if (property.kind === SyntaxKind.ShorthandPropertyAssignment) visit([property.name.text], [...steps, property.name.text]);
        else if (property.kind === SyntaxKind.PropertyAssignment && CONTAINER_KINDS.has(property.initializer.kind)) {
          steps.push(propertyName(property.name) ?? ANY);
          look(property.initializer, visit, steps);
          steps.pop();
        }
      }
      return;
    case SyntaxKind.ArrayLiteralExpression:
      steps.push(ANY);
      for (const element of (expression as ts.ArrayLiteralExpression).elements)
        if (CONTAINER_KINDS.has(element.kind)) look(element, visit, steps);
      steps.pop();
      return;
    case SyntaxKind.ConditionalExpression:
      look((expression as ts.ConditionalExpression).whenTrue, visit, steps);
      look((expression as ts.ConditionalExpression).whenFalse, visit, steps);
      return;
    case SyntaxKind.BinaryExpression: {
      const { left, operatorToken, right } = expression as ts.BinaryExpression;
      switch (operatorToken.kind) {
        case SyntaxKind.BarBarToken:
        case SyntaxKind.QuestionQuestionToken:
        case SyntaxKind.AmpersandAmpersandToken:
          look(left, visit, steps);
          look(right, visit, steps);
      }
    }
  }
}

/** Kinds of expressions that may contain names; most members of literals are of other kinds. */
const CONTAINER_KINDS: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PropertyAccessExpression,
  SyntaxKind.ElementAccessExpression,
  SyntaxKind.CallExpression,
  SyntaxKind.ObjectLiteralExpression,
  SyntaxKind.ArrayLiteralExpression,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.BinaryExpression,
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.AsExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.NonNullExpression,
  SyntaxKind.TypeAssertionExpression,
]);
