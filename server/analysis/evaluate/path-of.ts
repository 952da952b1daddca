// Expressions → the names that they are written with, whatever stands around them: paths of names, and the name that a call calls.
import { ts } from "ts-morph";

// Taken once: the compiler's namespace is a table of getters, and every keystroke comes through here.
const { SyntaxKind } = ts;

/** The expression without parentheses, `as`, `satisfies`, `!` and type assertions; `name` of `(0, name)`, as compilers write calls. */
export function unwrap(node: ts.Expression): ts.Expression {
  let expression = node;
  for (;;) {
    switch (expression.kind) {
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.AsExpression:
      case SyntaxKind.SatisfiesExpression:
      case SyntaxKind.NonNullExpression:
      case SyntaxKind.TypeAssertionExpression:
        expression = (expression as ts.ParenthesizedExpression).expression;
        break;
      case SyntaxKind.BinaryExpression: {
        const { left, operatorToken, right } = expression as ts.BinaryExpression;
        if (operatorToken.kind !== SyntaxKind.CommaToken || left.kind !== SyntaxKind.NumericLiteral) return expression;
        expression = right;
        break;
      }
      default:
        return expression;
    }
  }
}

/** What has the name that a call calls, as its text; undefined where it is computed. */
export function calleeName(call: ts.CallExpression | ts.NewExpression): Name | undefined {
  const callee = unwrap(call.expression);
  return callee.kind === SyntaxKind.Identifier ? (callee as ts.Identifier) : nameNodeOf(callee);
}

/** `urls.oauth["token"]` → its names, `this` among them; undefined where one is computed. */
export function pathOf(node: ts.Expression): readonly string[] | undefined {
  // `context`, `coda.name` and `coda.Enum.Member`, as most are: a list that grows takes room for more names than any path has.
  if (node.kind === SyntaxKind.Identifier) return [(node as ts.Identifier).text];
  if (node.kind === SyntaxKind.PropertyAccessExpression) {
    const { expression, name } = node as ts.PropertyAccessExpression;
    if (expression.kind === SyntaxKind.Identifier) return [(expression as ts.Identifier).text, name.text];
    if (expression.kind === SyntaxKind.PropertyAccessExpression) {
      const { expression: root, name: middle } = expression as ts.PropertyAccessExpression;
      if (root.kind === SyntaxKind.Identifier) return [(root as ts.Identifier).text, middle.text, name.text];
    }
  }
  const names: string[] = [];
  let part = unwrap(node);
  for (;;) {
    if (part.kind === SyntaxKind.Identifier || part.kind === SyntaxKind.ThisKeyword) {
      names.push(part.kind === SyntaxKind.Identifier ? (part as ts.Identifier).text : "this");
      return names.reverse();
    }
    const name = nameNodeOf(part);
    if (name === undefined) return undefined;
    names.push(name.text);
    part = unwrap((part as Access).expression);
  }
}

export type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

export type Name = ts.MemberName | ts.StringLiteralLike;

/** The node of `.name` or `["name"]`. */
export function nameNodeOf(node: ts.Expression): Name | undefined {
  if (node.kind === SyntaxKind.PropertyAccessExpression) return (node as ts.PropertyAccessExpression).name;
  if (node.kind !== SyntaxKind.ElementAccessExpression) return undefined;
  const argument = (node as ts.ElementAccessExpression).argumentExpression;
  return isText(argument) ? argument : undefined;
}

export const isText = (node: ts.Node): node is ts.StringLiteralLike =>
  node.kind === SyntaxKind.StringLiteral || node.kind === SyntaxKind.NoSubstitutionTemplateLiteral;
