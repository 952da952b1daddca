// Expressions, as far as packs write them: assignments, conditions and operators.
import { ts } from "ts-morph";
import { arrow, arrowOf, asyncModifier, isArrow } from "./arrows.ts";
import { beforeColon, inEnds } from "./brackets.ts";
import { isAsync } from "./functions.ts";
import { literal, name, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, following, followingOnLine, startsLine, unsure } from "./tokens.ts";
import { list, own, Tree } from "./tree.ts";
import { type } from "./types.ts";
import { value, valueFrom } from "./values.ts";

const { SyntaxKind } = ts;

/** With commas. */
export function expression(): Tree {
  const full = token.full;
  const start = token.start;
  let made = assignment();
  while (at(SyntaxKind.CommaToken)) made = binaryNode(full, start, made, take(), assignment());
  return made;
}

function binaryNode(full: number, start: number, left: Tree, operator: Tree, right: Tree): Tree {
  const node = new Tree(SyntaxKind.BinaryExpression, full, start, token.full);
  node.left = own(node, left);
  node.operatorToken = own(node, operator);
  node.right = own(node, right);
  return node;
}

export function assignment(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  if (kind === SyntaxKind.OpenParenToken && isArrow()) return arrow(full, start, undefined);
  if (kind === SyntaxKind.Identifier && token.value === "async") {
    if (following(/=>/y)) unsure();
    if (followingOnLine(/(?:\(|[\w$]+\s*=>)/y) && !following(/function\b/y)) {
      const mark = token.mark();
      const modifier = asyncModifier();
      if (startsLine()) unsure();
      if (at(SyntaxKind.Identifier) || isArrow()) return arrow(full, start, list([modifier], full, modifier.end, false));
      token.reset(mark);
    }
  }
  const left = simpleOr(full, start, kind);
  if (endsAll(token.kind)) return left;
  if (left.kind === SyntaxKind.Identifier && at(SyntaxKind.EqualsGreaterThanToken)) return arrowOf(full, start, undefined, left);
  if (token.kind >= SyntaxKind.FirstAssignment && token.kind <= SyntaxKind.LastAssignment) {
    if (!isTarget(left)) unsure();
    return binaryNode(full, start, left, take(), assignment());
  }
  if (!at(SyntaxKind.QuestionToken)) return left;
  const question = take();
  const whenTrue = beforeColon(assignment);
  const colon = at(SyntaxKind.ColonToken) ? take() : unsure();
  const whenFalse = assignment();
  const node = new Tree(SyntaxKind.ConditionalExpression, full, start, token.full);
  node.condition = own(node, left);
  node.questionToken = own(node, question);
  node.whenTrue = own(node, whenTrue);
  node.colonToken = own(node, colon);
  node.whenFalse = own(node, whenFalse);
  return node;
}

/** What most expressions are is read without a look at all that they could be: a name or a literal, and the end of it. */
function simpleOr(full: number, start: number, kind: ts.SyntaxKind): Tree {
  let first: Tree;
  if (kind === SyntaxKind.Identifier && token.value !== "async") first = name();
  else if (kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NumericLiteral) first = literal();
  else return binaryFrom(full, start, unary(), 0);
  return endsAll(token.kind) ? first : binaryFrom(full, start, counted(full, start, valueFrom(full, start, first)), 0);
}

/** Behind these tokens no expression goes on. */
function endsAll(kind: ts.SyntaxKind): boolean {
  switch (kind) {
    case SyntaxKind.CommaToken:
    case SyntaxKind.SemicolonToken:
    case SyntaxKind.CloseParenToken:
    case SyntaxKind.CloseBraceToken:
    case SyntaxKind.CloseBracketToken:
      return true;
    default:
      return false;
  }
}

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
  switch (token.now()) {
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
    case SyntaxKind.InstanceOfKeyword:
      return RELATIONAL;
    case SyntaxKind.InKeyword:
      return inEnds ? 0 : RELATIONAL;
    case SyntaxKind.Identifier:
      return (token.value === "as" || token.value === "satisfies") && !startsLine() ? RELATIONAL : 0;
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
    if (at(SyntaxKind.GreaterThanToken)) token.readGreater();
    const binds = precedence();
    if (binds <= least) return left;
    if (!at(SyntaxKind.Identifier)) left = binaryNode(full, start, left, take(), binary(binds));
    else {
      const kind = token.value === "as" ? SyntaxKind.AsExpression : SyntaxKind.SatisfiesExpression;
      token.next();
      const to = type();
      const node = new Tree(kind, full, start, token.full);
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
  switch (kind) {
    case SyntaxKind.PlusToken:
    case SyntaxKind.MinusToken:
    case SyntaxKind.TildeToken:
    case SyntaxKind.ExclamationToken:
    case SyntaxKind.PlusPlusToken:
    case SyntaxKind.MinusMinusToken: {
      token.next();
      const operand = kind === SyntaxKind.PlusPlusToken || kind === SyntaxKind.MinusMinusToken ? value() : unary();
      const node = new Tree(SyntaxKind.PrefixUnaryExpression, full, start, token.full);
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
  if ((!at(SyntaxKind.PlusPlusToken) && !at(SyntaxKind.MinusMinusToken)) || startsLine()) return operand;
  const operator = token.kind;
  token.next();
  const node = new Tree(SyntaxKind.PostfixUnaryExpression, full, start, token.full);
  node.operand = own(node, operand);
  node.operator = operator;
  return node;
}

function prefixed(kind: ts.SyntaxKind): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const operand = unary();
  const node = new Tree(kind, full, start, token.full);
  node.expression = own(node, operand);
  return node;
}
