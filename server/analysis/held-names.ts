// The names whose values an expression holds: `{ auth: config }`, `[first, second]`, `a ?? b`. Whoever gets the expression can write to them.
import { ts } from "ts-morph";
import { ANY } from "./changes.ts";
import { pathOf, propertyName, unwrap } from "./evaluate.ts";

const { SyntaxKind } = ts;

/** A name with the path to what is meant of it, and where in the expression that lies. */
export type HoldsName = (path: readonly string[], inside: readonly string[]) => void;

export function forEachHeldName(node: ts.Expression, visit: HoldsName, inside: readonly string[] = []): void {
  const expression = unwrap(node);
  switch (expression.kind) {
    case SyntaxKind.Identifier:
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression: {
      const names = pathOf(expression)?.names;
      if (names !== undefined) visit(names, inside);
      return;
    }
    case SyntaxKind.ObjectLiteralExpression:
      for (const property of (expression as ts.ObjectLiteralExpression).properties) {
        if (property.kind === SyntaxKind.ShorthandPropertyAssignment) visit([property.name.text], [...inside, property.name.text]);
        else if (property.kind === SyntaxKind.PropertyAssignment)
          forEachHeldName(property.initializer, visit, [...inside, propertyName(property.name) ?? ANY]);
      }
      return;
    case SyntaxKind.ArrayLiteralExpression:
      for (const element of (expression as ts.ArrayLiteralExpression).elements) forEachHeldName(element, visit, [...inside, ANY]);
      return;
    case SyntaxKind.ConditionalExpression:
      forEachHeldName((expression as ts.ConditionalExpression).whenTrue, visit, inside);
      forEachHeldName((expression as ts.ConditionalExpression).whenFalse, visit, inside);
      return;
    case SyntaxKind.BinaryExpression: {
      const { left, operatorToken, right } = expression as ts.BinaryExpression;
      switch (operatorToken.kind) {
        case SyntaxKind.BarBarToken:
        case SyntaxKind.QuestionQuestionToken:
        case SyntaxKind.AmpersandAmpersandToken:
          forEachHeldName(left, visit, inside);
          forEachHeldName(right, visit, inside);
      }
    }
  }
}

/** Whether an expression holds names without being one. */
export const isHolder = ({ kind }: ts.Node): boolean =>
  kind === SyntaxKind.ObjectLiteralExpression ||
  kind === SyntaxKind.ArrayLiteralExpression ||
  kind === SyntaxKind.ConditionalExpression ||
  kind === SyntaxKind.BinaryExpression;
