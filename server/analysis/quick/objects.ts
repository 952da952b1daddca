// Object literals and the names of their properties.
import { ts } from "ts-morph";
import { asyncModifier } from "./arrows.ts";
import { inside } from "./brackets.ts";
import { assignment, expression } from "./expressions.ts";
import { functionBody, parameters, within } from "./functions.ts";
import { expect, literal, name } from "./take.ts";
import * as token from "./tokens.ts";
import { followedBy, startsLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree } from "./tree.ts";
import { result } from "./types.ts";

const { SyntaxKind } = ts;

/** A property's name: a word, a text, a number or `[…]`. */
export function propertyName(): Tree {
  const kind = token.kind;
  switch (kind) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NumericLiteral:
      return literal();
    case SyntaxKind.OpenBracketToken: {
      const full = token.full;
      const start = token.start;
      token.next();
      const inner = inside(expression);
      expect(SyntaxKind.CloseBracketToken);
      const node = newTree(SyntaxKind.ComputedPropertyName, full, start, token.full);
      node.expression = own(node, inner);
      return node;
    }
    default:
      return name(true);
  }
}

/** Of an object literal. */
export function property(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  if (kind === SyntaxKind.DotDotDotToken) {
    token.next();
    const of = assignment();
    const node = newTree(SyntaxKind.SpreadAssignment, full, start, token.full);
    node.expression = own(node, of);
    return node;
  }
  // Of the words before a name `async` is read; behind the others stands none of what is looked for below.
  let modifier: Tree | undefined;
  if (kind === SyntaxKind.Identifier && token.value === "async" && followedBy(`"'[*`)) {
    modifier = asyncModifier();
    if (startsLine()) unsure();
  }
  const called = propertyName();
  const behind = token.kind;
  if (behind === SyntaxKind.OpenParenToken) return method(full, start, modifier, called);
  if (modifier !== undefined) unsure();
  if (behind === SyntaxKind.ColonToken) {
    token.next();
    return assigned(full, start, called);
  }
  if (kind !== SyntaxKind.Identifier) unsure();
  if (behind !== SyntaxKind.CommaToken && behind !== SyntaxKind.CloseBraceToken) unsure();
  const node = newTree(SyntaxKind.ShorthandPropertyAssignment, full, start, token.full);
  node.name = own(node, called);
  return node;
}

/** Behind the colon. */
function assigned(full: number, start: number, called: Tree): Tree {
  const given = assignment();
  const node = newTree(SyntaxKind.PropertyAssignment, full, start, token.full);
  node.name = called;
  called.parent = node;
  node.initializer = given;
  given.parent = node;
  return node;
}

function method(full: number, start: number, modifier: Tree | undefined, called: Tree): Tree {
  const async = modifier !== undefined;
  const given = within(async, parameters);
  const gives = result();
  const body = functionBody(async);
  const node = newTree(SyntaxKind.MethodDeclaration, full, start, token.full);
  if (modifier !== undefined) node.modifiers = ownAll(node, [modifier]);
  node.name = own(node, called);
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  node.body = own(node, body);
  return node;
}
