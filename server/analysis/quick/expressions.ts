// Expressions, as far as packs write them: assignments, conditions and operators.
import { ts } from "ts-morph";
import { arrow, arrowOf, asyncModifier, isArrow } from "./arrows.ts";
import { beforeColon, inEnds } from "./brackets.ts";
import { isAsync } from "./functions.ts";
import { literal, name, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, following, followingOnLine, startsLine, unsure } from "./tokens.ts";
import { newTree, own, type Tree } from "./tree.ts";
import { type } from "./types.ts";
import { objectLiteral, value, valueFrom } from "./values.ts";

const { SyntaxKind } = ts;

/** With commas. */
export function expression(): Tree {
  const full = token.full;
  const start = token.start;
  let made = assignment();
  while (token.kind === SyntaxKind.CommaToken) made = binaryNode(full, start, made, take(), assignment());
  return made;
}

function binaryNode(full: number, start: number, left: Tree, operator: Tree, right: Tree): Tree {
  const node = newTree(SyntaxKind.BinaryExpression, full, start, token.full);
  node.left = own(node, left);
  node.operatorToken = own(node, operator);
  node.right = own(node, right);
  return node;
}

// What may stand behind `async`.
const SIGN = /=>/y;
const PARAMETERS = /(?:\(|[\w$]+\s*=>)/y;
const FUNCTION = /function\b/y;

export function assignment(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  if (kind === SyntaxKind.OpenParenToken && isArrow()) return arrow(full, start, undefined);
  if (kind === SyntaxKind.Identifier && token.value === "async") {
    if (following(SIGN)) unsure();
    if (followingOnLine(PARAMETERS) && !following(FUNCTION)) {
      const mark = token.mark();
      const modifier = asyncModifier();
      if (startsLine()) unsure();
      if (at(SyntaxKind.Identifier) || isArrow()) return arrow(full, start, [modifier]);
      token.reset(mark);
    }
  }
  const left = simpleOr(full, start, kind);
  const behind = token.kind;
  // As most expressions end.
  if (behind === SyntaxKind.CommaToken || behind === SyntaxKind.SemicolonToken || behind === SyntaxKind.CloseParenToken) return left;
  if (left.kind === SyntaxKind.Identifier && behind === SyntaxKind.EqualsGreaterThanToken) return arrowOf(full, start, undefined, left);
  if (behind >= SyntaxKind.FirstAssignment && behind <= SyntaxKind.LastAssignment) {
    if (!isTarget(left)) unsure();
    return binaryNode(full, start, left, take(), assignment());
  }
  if (behind !== SyntaxKind.QuestionToken) return left;
  const question = take();
  const whenTrue = beforeColon(assignment);
  const colon = at(SyntaxKind.ColonToken) ? take() : unsure();
  const whenFalse = assignment();
  const node = newTree(SyntaxKind.ConditionalExpression, full, start, token.full);
  node.condition = own(node, left);
  node.questionToken = own(node, question);
  node.whenTrue = own(node, whenTrue);
  node.colonToken = own(node, colon);
  node.whenFalse = own(node, whenFalse);
  return node;
}

/** What most expressions are is read without a look at all that they could be: a name, a literal or an object, and the end of it. */
function simpleOr(full: number, start: number, kind: ts.SyntaxKind): Tree {
  let made: Tree;
  if (kind === SyntaxKind.Identifier && token.value !== "async") made = name();
  else if (kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NumericLiteral) made = literal();
  else if (kind === SyntaxKind.OpenBraceToken) made = objectLiteral();
  else return binaryFrom(full, start, unary(), 0);
  if (endsAll(token.kind)) return made;
  made = valueFrom(full, start, made);
  return endsAll(token.kind) ? made : binaryFrom(full, start, counted(full, start, made), 0);
}

/** Behind these tokens no expression goes on. */
const endsAll = (kind: ts.SyntaxKind): boolean =>
  kind === SyntaxKind.CommaToken ||
  kind === SyntaxKind.SemicolonToken ||
  kind === SyntaxKind.CloseParenToken ||
  kind === SyntaxKind.CloseBraceToken ||
  kind === SyntaxKind.CloseBracketToken;

function isTarget({ kind }: Tree): boolean {
  switch (kind) {
    case SyntaxKind.Identifier:
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
    case SyntaxKind.ObjectLiteralExpression:
    case SyntaxKind.ArrayLiteralExpression:
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.NonNullExpression:
      return true;
    default:
      return false;
  }
}

const RELATIONAL = 9;

/** How tightly operators bind; 0 for what is none. `as` and `satisfies` are names here. */
function precedence(): number {
  const kind = token.kind;
  if (kind === SyntaxKind.Identifier) return (token.value === "as" || token.value === "satisfies") && !startsLine() ? RELATIONAL : 0;
  if (kind === SyntaxKind.InKeyword) return inEnds ? 0 : RELATIONAL;
  if (kind === SyntaxKind.InstanceOfKeyword) return RELATIONAL;
  // The others lie close together: one jump.
  switch (kind) {
    case SyntaxKind.QuestionQuestionToken:
    case SyntaxKind.BarBarToken:
      return 3;
    case SyntaxKind.AmpersandAmpersandToken:
      return 4;
    case SyntaxKind.BarToken:
      return 5;
    case SyntaxKind.CaretToken:
      return 6;
    case SyntaxKind.AmpersandToken:
      return 7;
    case SyntaxKind.EqualsEqualsToken:
    case SyntaxKind.ExclamationEqualsToken:
    case SyntaxKind.EqualsEqualsEqualsToken:
    case SyntaxKind.ExclamationEqualsEqualsToken:
      return 8;
    case SyntaxKind.LessThanToken:
    case SyntaxKind.LessThanEqualsToken:
    case SyntaxKind.GreaterThanToken:
    case SyntaxKind.GreaterThanEqualsToken:
      return RELATIONAL;
    case SyntaxKind.LessThanLessThanToken:
      return 10;
    case SyntaxKind.PlusToken:
    case SyntaxKind.MinusToken:
      return 11;
    case SyntaxKind.AsteriskToken:
    case SyntaxKind.SlashToken:
    case SyntaxKind.PercentToken:
      return 12;
    case SyntaxKind.AsteriskAsteriskToken:
      return unsure();
    default:
      return 0;
  }
}

const binary = (least: number): Tree => binaryFrom(token.full, token.start, unary(), least);

function binaryFrom(full: number, start: number, first: Tree, least: number): Tree {
  let left = first;
  for (;;) {
    if (endsAll(token.kind)) return left;
    if (token.kind === SyntaxKind.GreaterThanToken) token.readGreater();
    const binds = precedence();
    if (binds <= least) return left;
    if (token.kind !== SyntaxKind.Identifier) left = binaryNode(full, start, left, take(), binary(binds));
    else {
      const kind = token.value === "as" ? SyntaxKind.AsExpression : SyntaxKind.SatisfiesExpression;
      token.next();
      const to = type();
      const node = newTree(kind, full, start, token.full);
      node.expression = own(node, left);
      node.type = own(node, to);
      left = node;
    }
  }
}

function unary(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  // Names, literals and what begins with a bracket.
  if (kind === SyntaxKind.Identifier || kind < SyntaxKind.LessThanToken) return counted(full, start, value());
  switch (kind) {
    case SyntaxKind.PlusToken:
    case SyntaxKind.MinusToken:
    case SyntaxKind.TildeToken:
    case SyntaxKind.ExclamationToken:
    case SyntaxKind.PlusPlusToken:
    case SyntaxKind.MinusMinusToken: {
      token.next();
      const operand = kind === SyntaxKind.PlusPlusToken || kind === SyntaxKind.MinusMinusToken ? value() : unary();
      const node = newTree(SyntaxKind.PrefixUnaryExpression, full, start, token.full);
      node.operator = kind;
      node.operand = own(node, operand);
      return node;
    }
    case SyntaxKind.TypeOfKeyword:
      return prefixed(SyntaxKind.TypeOfExpression);
    case SyntaxKind.VoidKeyword:
      return prefixed(SyntaxKind.VoidExpression);
    case SyntaxKind.DeleteKeyword:
      return prefixed(SyntaxKind.DeleteExpression);
    case SyntaxKind.AwaitKeyword:
      return isAsync ? prefixed(SyntaxKind.AwaitExpression) : unsure();
    case SyntaxKind.LessThanToken:
      return unsure();
  }
  return counted(full, start, value());
}

/** With `++` or `--` behind it, where that stands. */
function counted(full: number, start: number, operand: Tree): Tree {
  const operator = token.kind;
  if ((operator !== SyntaxKind.PlusPlusToken && operator !== SyntaxKind.MinusMinusToken) || startsLine()) return operand;
  token.next();
  const node = newTree(SyntaxKind.PostfixUnaryExpression, full, start, token.full);
  node.operand = own(node, operand);
  node.operator = operator;
  return node;
}

function prefixed(kind: ts.SyntaxKind): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const operand = unary();
  const node = newTree(kind, full, start, token.full);
  node.expression = own(node, operand);
  return node;
}
