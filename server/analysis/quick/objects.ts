// Object literals and the names of their properties.
import { ts } from "ts-morph";
import { asyncModifier } from "./arrows.ts";
import { inside } from "./brackets.ts";
import { assignment, expression } from "./expressions.ts";
import { functionBody, parameters, within } from "./functions.ts";
import { expect, literal, name, skip } from "./take.ts";
import * as token from "./tokens.ts";
import { at, followedBy, startsLine, unsure } from "./tokens.ts";
import { list, own, ownAll, Tree } from "./tree.ts";
import { result } from "./types.ts";

const { SyntaxKind } = ts;

/** A property's name: a word, a text, a number or `[…]`. */
export function propertyName(): Tree {
  switch (token.now()) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NumericLiteral:
      return literal();
    case SyntaxKind.OpenBracketToken: {
      const full = token.full;
      const start = token.start;
      token.next();
      const inner = inside(expression);
      expect(SyntaxKind.CloseBracketToken);
      const node = new Tree(SyntaxKind.ComputedPropertyName, full, start, token.full);
      node.expression = own(node, inner);
      return node;
    }
    default:
      return name(true);
  }
}

const COLON = 58;

/** Of an object literal. */
export function property(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  if (kind === SyntaxKind.DotDotDotToken) {
    token.next();
    const of = assignment();
    const node = new Tree(SyntaxKind.SpreadAssignment, full, start, token.full);
    node.expression = own(node, of);
    return node;
  }
  // `name: value`, as most are.
  if (kind === SyntaxKind.Identifier && token.nextCode() === COLON) {
    const called = name();
    token.next();
    return assigned(full, start, called);
  }
  // A word before the name; of these `async` is read.
  const isModified = kind !== SyntaxKind.StringLiteral && kind !== SyntaxKind.OpenBracketToken && followedBy(`"'[*`);
  if (isModified && (kind !== SyntaxKind.Identifier || token.value !== "async")) unsure();
  const modifier = isModified ? asyncModifier() : undefined;
  if (modifier !== undefined && startsLine()) unsure();
  const isName = at(SyntaxKind.Identifier);
  const called = propertyName();
  if (at(SyntaxKind.OpenParenToken)) return method(full, start, modifier, called);
  if (modifier !== undefined) unsure();
  if (!skip(SyntaxKind.ColonToken)) {
    if (!isName || (!at(SyntaxKind.CommaToken) && !at(SyntaxKind.CloseBraceToken))) unsure();
    const node = new Tree(SyntaxKind.ShorthandPropertyAssignment, full, start, token.full);
    node.name = own(node, called);
    return node;
  }
  return assigned(full, start, called);
}

/** Behind the colon. */
function assigned(full: number, start: number, called: Tree): Tree {
  const given = assignment();
  const node = new Tree(SyntaxKind.PropertyAssignment, full, start, token.full);
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
  const node = new Tree(SyntaxKind.MethodDeclaration, full, start, token.full);
  node.modifiers = modifier && ownAll(node, list([modifier], full, modifier.end, false));
  node.asteriskToken = undefined;
  node.name = own(node, called);
  node.questionToken = undefined;
  node.typeParameters = undefined;
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  node.body = own(node, body);
  return node;
}
