// Values, with all that is read from them and called on them.
import { ts } from "ts-morph";
import { asyncModifier } from "./arrows.ts";
import { inside, insideFunction, listInside } from "./brackets.ts";
import { assignment, expression } from "./expressions.ts";
import { block, parameters } from "./functions.ts";
import { property } from "./objects.ts";
import { expect, literal, name, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, following, followingOnLine, startsLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees, Unsure } from "./tree.ts";
import { typeArguments } from "./type-names.ts";
import { result } from "./types.ts";

const { SyntaxKind } = ts;

/** A value with all that is read from it and called on it. */
export function value(): Tree {
  const full = token.full;
  const start = token.start;
  return valueFrom(full, start, token.kind === SyntaxKind.NewKeyword ? construction() : primary());
}

export function valueFrom(full: number, start: number, first: Tree): Tree {
  let made = first;
  for (;;) {
    const kind = token.kind;
    switch (kind) {
      // What most often stands behind a value, first: its end, a name, a call.
      case SyntaxKind.CommaToken:
      case SyntaxKind.SemicolonToken:
      case SyntaxKind.CloseParenToken:
      case SyntaxKind.CloseBraceToken:
      case SyntaxKind.CloseBracketToken:
        return made;
      case SyntaxKind.DotToken:
        token.next();
        made = member(full, start, made, undefined);
        continue;
      case SyntaxKind.OpenParenToken:
        made = call(full, start, made, undefined, undefined);
        continue;
      case SyntaxKind.LessThanToken: {
        const given = callTypes();
        if (given === undefined) return made;
        made = call(full, start, made, undefined, given);
        continue;
      }
      case SyntaxKind.QuestionDotToken: {
        const question = take();
        if (at(SyntaxKind.LessThanToken)) unsure();
        if (at(SyntaxKind.OpenParenToken)) made = call(full, start, made, question, undefined);
        else made = access(full, start, made, question) ?? made;
        continue;
      }
    }
    const further = access(full, start, made, undefined);
    if (further === undefined) return made;
    made = further;
  }
}

/** `.name`, `[…]`, `!`, or undefined where nothing like it stands. */
function access(full: number, start: number, of: Tree, question: Tree | undefined): Tree | undefined {
  const kind = token.kind;
  switch (kind) {
    case SyntaxKind.OpenBracketToken: {
      token.next();
      const argument = inside(expression);
      expect(SyntaxKind.CloseBracketToken);
      const node = newTree(SyntaxKind.ElementAccessExpression, full, start, token.full);
      node.expression = own(node, of);
      node.questionDotToken = own(node, question);
      node.argumentExpression = own(node, argument);
      return node;
    }
    case SyntaxKind.ExclamationToken: {
      if (question !== undefined) unsure();
      if (startsLine()) return undefined;
      token.next();
      const node = newTree(SyntaxKind.NonNullExpression, full, start, token.full);
      node.expression = own(node, of);
      return node;
    }
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.TemplateHead:
      return unsure();
    case SyntaxKind.DotToken:
      if (question !== undefined) unsure();
      token.next();
      break;
    default:
      if (question === undefined) return undefined;
  }
  return member(full, start, of, question);
}

/** Behind the dot. */
function member(full: number, start: number, of: Tree, question: Tree | undefined): Tree {
  if (startsLine()) unsure();
  const called = name(true);
  const node = newTree(SyntaxKind.PropertyAccessExpression, full, start, token.full);
  node.expression = of;
  of.parent = node;
  if (question !== undefined) node.questionDotToken = own(node, question);
  node.name = called;
  called.parent = node;
  return node;
}

function call(full: number, start: number, of: Tree, question: Tree | undefined, types: Trees | undefined): Tree {
  const given = args();
  const node = newTree(SyntaxKind.CallExpression, full, start, token.full);
  node.expression = of;
  of.parent = node;
  if (question !== undefined) node.questionDotToken = own(node, question);
  if (types !== undefined) node.typeArguments = ownAll(node, types);
  node.arguments = ownAll(node, given);
  return node;
}

function args(): Trees {
  token.next();
  const made = listInside(SyntaxKind.CloseParenToken, spreadOr);
  token.next();
  return made;
}

function spreadOr(): Tree {
  if (token.kind !== SyntaxKind.DotDotDotToken) return assignment();
  const full = token.full;
  const start = token.start;
  token.next();
  const of = assignment();
  const node = newTree(SyntaxKind.SpreadElement, full, start, token.full);
  node.expression = own(node, of);
  return node;
}

/** Characters that may be read again in one text: types in types are read anew for each that they are in. */
const MOST_AGAIN = 200_000;
let again = 0;

export function startCallTypes(): void {
  again = 0;
}

/** At `<`: the types that a call is given, or undefined where it compares. */
function callTypes(): Trees | undefined {
  const mark = token.mark();
  try {
    const made = typeArguments();
    if (at(SyntaxKind.OpenParenToken)) return made;
  } catch (error) {
    // No types that are read here; they may be such all the same where the sign that ends them comes.
    if (!(error instanceof Unsure)) throw error;
    again += token.mark().end - mark.start;
    if (again > MOST_AGAIN) throw error;
    token.reset(mark);
    if (following(/[^;{}()&|?]*>/y)) throw error;
    return undefined;
  }
  return unsure();
}

function construction(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const begin = token.full;
  const from = token.start;
  if (at(SyntaxKind.DotToken) || at(SyntaxKind.NewKeyword) || at(SyntaxKind.ImportKeyword)) unsure();
  let made = primary();
  for (let further = access(begin, from, made, undefined); further !== undefined; further = access(begin, from, made, undefined))
    made = further;
  const types = at(SyntaxKind.LessThanToken) ? typeArguments() : undefined;
  if (at(SyntaxKind.QuestionDotToken) || (types !== undefined && !at(SyntaxKind.OpenParenToken))) unsure();
  const given = at(SyntaxKind.OpenParenToken) ? args() : undefined;
  const node = newTree(SyntaxKind.NewExpression, full, start, token.full);
  node.expression = own(node, made);
  node.typeArguments = ownAll(node, types);
  node.arguments = ownAll(node, given);
  return node;
}

function primary(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  switch (kind) {
    case SyntaxKind.Identifier:
      if (token.value === "async" && followingOnLine(/function\b/y)) return functionExpression();
      return name();
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NumericLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      return literal();
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
    case SyntaxKind.NullKeyword:
    case SyntaxKind.ThisKeyword:
      return take();
    case SyntaxKind.SuperKeyword: {
      const made = take();
      if (!at(SyntaxKind.OpenParenToken) && !at(SyntaxKind.DotToken)) unsure();
      return made;
    }
    case SyntaxKind.SlashToken:
      token.readRegularExpression();
      return literal();
    case SyntaxKind.TemplateHead:
      return template();
    case SyntaxKind.FunctionKeyword:
      return functionExpression();
    case SyntaxKind.OpenParenToken: {
      token.next();
      const inner = inside(expression);
      expect(SyntaxKind.CloseParenToken);
      const node = newTree(SyntaxKind.ParenthesizedExpression, full, start, token.full);
      node.expression = own(node, inner);
      return node;
    }
    case SyntaxKind.OpenBracketToken: {
      token.next();
      const elements = listInside(SyntaxKind.CloseBracketToken, spreadOr);
      token.next();
      const node = newTree(SyntaxKind.ArrayLiteralExpression, full, start, token.full);
      node.elements = ownAll(node, elements);
      return node;
    }
    case SyntaxKind.OpenBraceToken:
      return objectLiteral();
    default:
      return unsure();
  }
}

/** At its brace. */
export function objectLiteral(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const properties = listInside(SyntaxKind.CloseBraceToken, property);
  token.next();
  const node = newTree(SyntaxKind.ObjectLiteralExpression, full, start, token.full);
  node.properties = ownAll(node, properties);
  return node;
}

function template(): Tree {
  const full = token.full;
  const start = token.start;
  const head = literal();
  const spans: Tree[] = [];
  for (let last = false; !last; ) {
    const begin = token.full;
    const from = token.start;
    const inner = inside(expression);
    token.continueTemplate();
    last = at(SyntaxKind.TemplateTail);
    const piece = literal();
    const span = newTree(SyntaxKind.TemplateSpan, begin, from, piece.end);
    span.expression = own(span, inner);
    span.literal = own(span, piece);
    spans.push(span);
  }
  const node = newTree(SyntaxKind.TemplateExpression, full, start, token.full);
  node.head = own(node, head);
  node.templateSpans = ownAll(node, spans);
  return node;
}

function functionExpression(): Tree {
  const full = token.full;
  const start = token.start;
  const modifier = at(SyntaxKind.Identifier) ? asyncModifier() : undefined;
  const async = modifier !== undefined;
  expect(SyntaxKind.FunctionKeyword);
  const called = at(SyntaxKind.Identifier) ? name() : undefined;
  const given = insideFunction(async, parameters);
  const gives = result();
  const body = insideFunction(async, block);
  const node = newTree(SyntaxKind.FunctionExpression, full, start, token.full);
  node.modifiers = modifier && ownAll(node, [modifier]);
  node.name = own(node, called);
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  node.body = own(node, body);
  return node;
}
