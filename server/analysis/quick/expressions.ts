// Expressions, as far as packs write them.
import { ts } from "ts-morph";
import { block, functionBody, isAsync, parameters, within } from "./functions.ts";
import * as token from "./tokens.ts";
import {
  at,
  commaSeparated,
  expect,
  followedBy,
  following,
  followingOnLine,
  literal,
  name,
  skip,
  startsLine,
  take,
  unsure,
} from "./tokens.ts";
import { list, own, ownAll, Tree, type Trees, Unsure } from "./tree.ts";
import { result, type, typeArguments } from "./types.ts";

const { SyntaxKind } = ts;

/** How deep in places where a colon behind parentheses is no type of an arrow function's result. */
let colonEnds = 0;
/** Where `in` is the loop's. */
let inEnds = false;

export function startExpressions(): void {
  colonEnds = 0;
  inEnds = false;
}

/** Inside brackets, all that holds outside is forgotten. */
function inside<T>(read: () => T): T {
  const before = colonEnds;
  const wasEnd = inEnds;
  colonEnds = 0;
  inEnds = false;
  const made = read();
  colonEnds = before;
  inEnds = wasEnd;
  return made;
}

// Without closures: nearly all of a pack stands inside brackets.
function listInside(close: ts.SyntaxKind, item: () => Tree): Trees {
  const before = colonEnds;
  const wasEnd = inEnds;
  colonEnds = 0;
  inEnds = false;
  const made = commaSeparated(close, item);
  colonEnds = before;
  inEnds = wasEnd;
  return made;
}

function insideFunction<T>(async: boolean, read: () => T): T {
  const before = colonEnds;
  const wasEnd = inEnds;
  colonEnds = 0;
  inEnds = false;
  const made = within(async, read);
  colonEnds = before;
  inEnds = wasEnd;
  return made;
}

export function beforeIn<T>(read: () => T): T {
  inEnds = true;
  const made = read();
  inEnds = false;
  return made;
}

export function beforeColon<T>(read: () => T): T {
  colonEnds++;
  const made = read();
  colonEnds--;
  return made;
}

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

function asyncModifier(): Tree {
  const node = new Tree(SyntaxKind.AsyncKeyword, token.full, token.start, token.end);
  token.next();
  return node;
}

/** At an opening parenthesis: whether it begins an arrow function. */
function isArrow(): boolean {
  const mark = token.mark();
  const may = mayBeParameters();
  token.reset(mark);
  if (!may) return false;
  const closing: ts.SyntaxKind[] = [];
  let before = token.kind;
  do {
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
function arrow(full: number, start: number, modifiers: Trees | undefined): Tree {
  if (at(SyntaxKind.Identifier)) return arrowOf(full, start, modifiers, name());
  const async = modifiers !== undefined;
  const given = insideFunction(async, parameters);
  const gives = result();
  return arrowBody(full, start, modifiers, given, gives);
}

/** Of one parameter without parentheses. */
function arrowOf(full: number, start: number, modifiers: Trees | undefined, called: Tree): Tree {
  const parameter = new Tree(SyntaxKind.Parameter, called.pos, called.start, called.end);
  parameter.modifiers = undefined;
  parameter.dotDotDotToken = undefined;
  parameter.name = own(parameter, called);
  parameter.questionToken = undefined;
  parameter.type = undefined;
  parameter.initializer = undefined;
  return arrowBody(full, start, modifiers, list([parameter], parameter.pos, parameter.end, false), undefined);
}

function arrowBody(full: number, start: number, modifiers: Trees | undefined, given: Trees, gives: Tree | undefined): Tree {
  if (!at(SyntaxKind.EqualsGreaterThanToken) || startsLine()) unsure();
  const sign = take();
  const async = modifiers !== undefined;
  const body = at(SyntaxKind.OpenBraceToken) ? insideFunction(async, block) : within(async, assignment);
  const node = new Tree(SyntaxKind.ArrowFunction, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.typeParameters = undefined;
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  node.equalsGreaterThanToken = own(node, sign);
  node.body = own(node, body);
  return node;
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

/** A value with all that is read from it and called on it. */
function value(): Tree {
  const full = token.full;
  const start = token.start;
  return valueFrom(full, start, at(SyntaxKind.NewKeyword) ? construction() : primary());
}

function valueFrom(full: number, start: number, first: Tree): Tree {
  let made = first;
  for (;;) {
    switch (token.now()) {
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
  switch (token.now()) {
    case SyntaxKind.OpenBracketToken: {
      token.next();
      const argument = inside(expression);
      expect(SyntaxKind.CloseBracketToken);
      const node = new Tree(SyntaxKind.ElementAccessExpression, full, start, token.full);
      node.expression = own(node, of);
      node.questionDotToken = own(node, question);
      node.argumentExpression = own(node, argument);
      return node;
    }
    case SyntaxKind.ExclamationToken: {
      if (question !== undefined) unsure();
      if (startsLine()) return undefined;
      token.next();
      const node = new Tree(SyntaxKind.NonNullExpression, full, start, token.full);
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
  const node = new Tree(SyntaxKind.PropertyAccessExpression, full, start, token.full);
  node.expression = own(node, of);
  node.questionDotToken = own(node, question);
  node.name = own(node, called);
  return node;
}

function call(full: number, start: number, of: Tree, question: Tree | undefined, types: Trees | undefined): Tree {
  const given = args();
  const node = new Tree(SyntaxKind.CallExpression, full, start, token.full);
  node.expression = own(node, of);
  node.questionDotToken = own(node, question);
  node.typeArguments = ownAll(node, types);
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
  if (!at(SyntaxKind.DotDotDotToken)) return assignment();
  const full = token.full;
  const start = token.start;
  token.next();
  const of = assignment();
  const node = new Tree(SyntaxKind.SpreadElement, full, start, token.full);
  node.expression = own(node, of);
  return node;
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
  const node = new Tree(SyntaxKind.NewExpression, full, start, token.full);
  node.expression = own(node, made);
  node.typeArguments = ownAll(node, types);
  node.arguments = ownAll(node, given);
  return node;
}

function primary(): Tree {
  const full = token.full;
  const start = token.start;
  switch (token.now()) {
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
      const node = new Tree(SyntaxKind.ParenthesizedExpression, full, start, token.full);
      node.expression = own(node, inner);
      return node;
    }
    case SyntaxKind.OpenBracketToken: {
      token.next();
      const elements = listInside(SyntaxKind.CloseBracketToken, spreadOr);
      token.next();
      const node = new Tree(SyntaxKind.ArrayLiteralExpression, full, start, token.full);
      node.elements = ownAll(node, elements);
      return node;
    }
    case SyntaxKind.OpenBraceToken: {
      token.next();
      const properties = listInside(SyntaxKind.CloseBraceToken, property);
      token.next();
      const node = new Tree(SyntaxKind.ObjectLiteralExpression, full, start, token.full);
      node.properties = ownAll(node, properties);
      return node;
    }
    default:
      return unsure();
  }
}

function template(): Tree {
  const full = token.full;
  const start = token.start;
  const head = literal();
  const pos = head.end;
  const spans: Tree[] = [];
  for (let last = false; !last; ) {
    const begin = token.full;
    const from = token.start;
    const inner = inside(expression);
    token.continueTemplate();
    last = at(SyntaxKind.TemplateTail);
    const piece = literal();
    const span = new Tree(SyntaxKind.TemplateSpan, begin, from, piece.end);
    span.expression = own(span, inner);
    span.literal = own(span, piece);
    spans.push(span);
  }
  const node = new Tree(SyntaxKind.TemplateExpression, full, start, token.full);
  node.head = own(node, head);
  node.templateSpans = ownAll(node, list(spans, pos, token.full, false));
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
  const node = new Tree(SyntaxKind.FunctionExpression, full, start, token.full);
  node.modifiers = modifier && ownAll(node, list([modifier], full, modifier.end, false));
  node.asteriskToken = undefined;
  node.name = own(node, called);
  node.typeParameters = undefined;
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  node.body = own(node, body);
  return node;
}

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
function property(): Tree {
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
  node.name = own(node, called);
  node.initializer = own(node, given);
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
