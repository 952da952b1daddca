// Helpers for syntax nodes: expressions without wrappers, names and paths, functions.
import { ts } from "../typescript.ts";

const { SyntaxKind } = ts;

/**
 * Returns the expression without parentheses, `as`, `satisfies`, `!` and type assertions. Also unwraps `(0, name)`, as compilers write
 * calls.
 */
export function unwrap(node: ts.Expression): ts.Expression {
  let expression = node;
  for (;;)
    if (isWrapper(expression)) expression = expression.expression;
    else if (isCommaOfNumber(expression)) expression = expression.right;
    else return expression;
}

/** Returns the expression including the parentheses and assertions around it. */
export function outermost(node: ts.Node): ts.Node {
  let outer = node;
  while (ts.isExpression(outer.parent) && unwrap(outer.parent) === node) outer = outer.parent;
  return outer;
}

export const isWrapper = (
  node: ts.Node,
): node is ts.ParenthesizedExpression | ts.AssertionExpression | ts.SatisfiesExpression | ts.NonNullExpression =>
  ts.isParenthesizedExpression(node) || ts.isAssertionExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node);

const isCommaOfNumber = (node: ts.Expression): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.CommaToken && ts.isNumericLiteral(node.left);

/** Returns the node of the called name, or undefined if it is computed. */
export function calleeName(call: ts.CallExpression | ts.NewExpression): Name | undefined {
  const callee = unwrap(call.expression);
  return ts.isIdentifier(callee) ? callee : nameNodeOf(callee);
}

/** Returns the names of `urls.oauth["token"]`, including `this`, or undefined if one is computed. */
export function pathOf(node: ts.Expression): readonly string[] | undefined {
  const names: string[] = [];
  let part = unwrap(node);
  while (isAccess(part)) {
    const name = nameNodeOf(part);
    if (name === undefined) return undefined;
    names.push(name.text);
    part = unwrap(part.expression);
  }
  if (!ts.isIdentifier(part) && part.kind !== SyntaxKind.ThisKeyword) return undefined;
  names.push(ts.isIdentifier(part) ? part.text : "this");
  return names.reverse();
}

export type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

export const isAccess = (node: ts.Node): node is Access => ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);

export type Name = ts.MemberName | ts.StringLiteralLike;

/** Returns the node of `.name` or `["name"]`, or undefined for `coda.`, whose name is still to be typed. */
export function nameNodeOf(node: ts.Expression): Name | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === "" ? undefined : node.name;
  return ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression : undefined;
}

export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.GetAccessorDeclaration;

export const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isGetAccessor(node);

export const isAsync = ({ modifiers }: FunctionNode | ts.ConstructorDeclaration): boolean =>
  modifiers?.some(({ kind }) => kind === SyntaxKind.AsyncKeyword) === true;

/** Whether the operator assigns to its left side. */
export const isAssignment = (operator: ts.SyntaxKind): boolean =>
  operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment;

/** `a && b`, `a || b`, `a ?? b`. */
export const isShortCircuit = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken || isDefaulting(node);

/** `a || b`, `a ?? b`. */
export const isDefaulting = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind === SyntaxKind.BarBarToken || kind === SyntaxKind.QuestionQuestionToken;

export function parameterAround(node: ts.Node, name: string): ts.ParameterDeclaration | undefined {
  const isNamed = (parameter: ts.ParameterDeclaration): boolean => ts.isIdentifier(parameter.name) && parameter.name.text === name;
  const owns = (around: ts.Node): around is ts.SignatureDeclaration => ts.isFunctionLike(around) && around.parameters.some(isNamed);
  return ts.findAncestor(node.parent, owns)?.parameters.find(isNamed);
}

/** Whether an expression may contain names without being one. */
export const isHolder = ({ kind }: ts.Node): boolean =>
  kind === SyntaxKind.ObjectLiteralExpression ||
  kind === SyntaxKind.ArrayLiteralExpression ||
  kind === SyntaxKind.ConditionalExpression ||
  kind === SyntaxKind.BinaryExpression;
