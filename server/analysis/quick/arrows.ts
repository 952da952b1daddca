// Arrow functions, and how they are told from what stands in parentheses.
import { ts } from "ts-morph";
import { colonEnds, insideFunction } from "./brackets.ts";
import { assignment } from "./expressions.ts";
import { block, parameters, within } from "./functions.ts";
import { name, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, startsLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees } from "./tree.ts";
import { result } from "./types.ts";

const { SyntaxKind } = ts;

export function asyncModifier(): Tree {
  const node = newTree(SyntaxKind.AsyncKeyword, token.full, token.start, token.end);
  token.next();
  return node;
}

/** Tokens that may be looked at ahead in one text: parentheses in parentheses are looked through again at each. */
const MOST_AHEAD = 2_000_000;
let ahead = 0;

export function startArrows(): void {
  ahead = 0;
}

/** At an opening parenthesis: whether it begins an arrow function. */
export function isArrow(): boolean {
  const mark = token.mark();
  const may = mayBeParameters();
  token.reset(mark);
  if (!may) return false;
  const closing: ts.SyntaxKind[] = [];
  let before = token.kind;
  do {
    if (++ahead > MOST_AHEAD) unsure();
    switch (token.now()) {
      case SyntaxKind.OpenParenToken:
        closing.push(SyntaxKind.CloseParenToken);
        break;
      case SyntaxKind.OpenBracketToken:
        closing.push(SyntaxKind.CloseBracketToken);
        break;
      case SyntaxKind.OpenBraceToken:
        closing.push(SyntaxKind.CloseBraceToken);
        break;
      case SyntaxKind.TemplateHead:
        closing.push(SyntaxKind.TemplateTail);
        break;
      case SyntaxKind.CloseBraceToken:
        if (closing.at(-1) === SyntaxKind.TemplateTail) {
          token.continueTemplate();
          if (at(SyntaxKind.TemplateTail)) closing.pop();
        } else if (closing.pop() !== SyntaxKind.CloseBraceToken) unsure();
        break;
      case SyntaxKind.CloseParenToken:
      case SyntaxKind.CloseBracketToken:
        if (closing.pop() !== token.kind) unsure();
        break;
      case SyntaxKind.SlashToken:
        if (before === SyntaxKind.CloseParenToken || before === SyntaxKind.CloseBraceToken || before > SyntaxKind.Identifier) unsure();
        if (!endsValue(before)) token.readRegularExpression();
        break;
      case SyntaxKind.EndOfFileToken:
        unsure();
    }
    before = token.kind;
    token.next();
  } while (closing.length > 0);
  const isFollowed = at(SyntaxKind.EqualsGreaterThanToken) || at(SyntaxKind.ColonToken);
  // Whether it is the colon of a condition or of a type is not looked into.
  if (at(SyntaxKind.ColonToken) && colonEnds > 0) unsure();
  if (at(SyntaxKind.OpenBraceToken)) unsure();
  token.reset(mark);
  return isFollowed;
}

/** By the first two tokens behind the parenthesis, as TypeScript looks at them. */
function mayBeParameters(): boolean {
  token.next();
  switch (token.now()) {
    case SyntaxKind.CloseParenToken:
    case SyntaxKind.OpenBracketToken:
    case SyntaxKind.OpenBraceToken:
    case SyntaxKind.DotDotDotToken:
      return true;
    case SyntaxKind.Identifier:
    case SyntaxKind.ThisKeyword:
      break;
    default:
      return false;
  }
  token.next();
  switch (token.now()) {
    case SyntaxKind.ColonToken:
    case SyntaxKind.QuestionToken:
    case SyntaxKind.CommaToken:
    case SyntaxKind.EqualsToken:
    case SyntaxKind.CloseParenToken:
      return true;
    default:
      return false;
  }
}

const endsValue = (kind: ts.SyntaxKind): boolean =>
  kind === SyntaxKind.Identifier ||
  kind === SyntaxKind.CloseBracketToken ||
  kind === SyntaxKind.NumericLiteral ||
  kind === SyntaxKind.StringLiteral ||
  kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
  kind === SyntaxKind.TemplateTail;

/** From its parameters. */
export function arrow(full: number, start: number, modifiers: Trees | undefined): Tree {
  if (at(SyntaxKind.Identifier)) return arrowOf(full, start, modifiers, name());
  const async = modifiers !== undefined;
  const given = insideFunction(async, parameters);
  const gives = result();
  return arrowBody(full, start, modifiers, given, gives);
}

/** Of one parameter without parentheses. */
export function arrowOf(full: number, start: number, modifiers: Trees | undefined, called: Tree): Tree {
  const parameter = newTree(SyntaxKind.Parameter, called.pos, called.start, called.end);
  parameter.name = own(parameter, called);
  return arrowBody(full, start, modifiers, [parameter], undefined);
}

function arrowBody(full: number, start: number, modifiers: Trees | undefined, given: Trees, gives: Tree | undefined): Tree {
  if (!at(SyntaxKind.EqualsGreaterThanToken) || startsLine()) unsure();
  const sign = take();
  const async = modifiers !== undefined;
  const body = at(SyntaxKind.OpenBraceToken) ? insideFunction(async, block) : within(async, assignment);
  const node = newTree(SyntaxKind.ArrowFunction, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  node.equalsGreaterThanToken = own(node, sign);
  node.body = own(node, body);
  return node;
}
