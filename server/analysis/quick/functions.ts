// Parameters, the names that they and declarations bind, and the bodies of functions.
import { ts } from "ts-morph";
import { assignment } from "./expressions.ts";
import { propertyName } from "./objects.ts";
import { statementList } from "./statements.ts";
import { commaSeparated, expect, name, skip, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, atWord, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees } from "./tree.ts";
import { annotation } from "./types.ts";

const { SyntaxKind } = ts;

/** Whether `await` is a word of its own here. */
export let isAsync = false;

/** At the outermost level of a source. */
export function leaveFunctions(): void {
  isAsync = false;
}

/** Reads a part of a function that is async, or is not. */
export function within<T>(async: boolean, read: () => T): T {
  const before = isAsync;
  isAsync = async;
  const made = read();
  isAsync = before;
  return made;
}

/** With their parentheses. */
export function parameters(): Trees {
  expect(SyntaxKind.OpenParenToken);
  const made = commaSeparated(SyntaxKind.CloseParenToken, plainParameter);
  token.next();
  return made;
}

/** Of a constructor, where they may be properties too. */
export function constructorParameters(): Trees {
  expect(SyntaxKind.OpenParenToken);
  const made = commaSeparated(SyntaxKind.CloseParenToken, propertyParameter);
  token.next();
  return made;
}

const plainParameter = (): Tree => parameter(false);
const propertyParameter = (): Tree => parameter(true);

const MODIFIERS: ReadonlySet<ts.SyntaxKind> = new Set([SyntaxKind.PublicKeyword, SyntaxKind.PrivateKeyword, SyntaxKind.ProtectedKeyword]);

function parameter(mayBeProperty: boolean): Tree {
  const full = token.full;
  const start = token.start;
  let modifiers: Trees | undefined;
  if (mayBeProperty && (MODIFIERS.has(token.kind) || (token.value === "readonly" && token.followedBy("")))) {
    const found: Tree[] = [];
    while (MODIFIERS.has(token.kind)) found.push(take());
    if (atWord("readonly") && token.followedBy("")) {
      found.push(newTree(SyntaxKind.ReadonlyKeyword, token.full, token.start, token.end));
      token.next();
    }
    modifiers = found;
  }
  // Behind a modifier that is none of these stands a name, and behind a name none.
  const dots = at(SyntaxKind.DotDotDotToken) ? take() : undefined;
  const called = boundName();
  const question = at(SyntaxKind.QuestionToken) ? take() : undefined;
  const of = annotation();
  const initializer = skip(SyntaxKind.EqualsToken) ? assignment() : undefined;
  const node = newTree(SyntaxKind.Parameter, full, start, token.full);
  if (modifiers !== undefined) node.modifiers = ownAll(node, modifiers);
  if (dots !== undefined) node.dotDotDotToken = own(node, dots);
  node.name = called;
  called.parent = node;
  if (question !== undefined) node.questionToken = own(node, question);
  node.type = of && own(node, of);
  node.initializer = initializer && own(node, initializer);
  return node;
}

/** A name, or a pattern of names. */
export function boundName(): Tree {
  if (token.kind === SyntaxKind.Identifier) return name();
  if (at(SyntaxKind.OpenBraceToken)) return pattern(SyntaxKind.ObjectBindingPattern, SyntaxKind.CloseBraceToken, objectElement);
  if (at(SyntaxKind.OpenBracketToken)) return pattern(SyntaxKind.ArrayBindingPattern, SyntaxKind.CloseBracketToken, arrayElement);
  return name();
}

function pattern(kind: ts.SyntaxKind, close: ts.SyntaxKind, element: () => Tree): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const elements = commaSeparated(close, element);
  token.next();
  const node = newTree(kind, full, start, token.full);
  node.elements = ownAll(node, elements);
  return node;
}

function objectElement(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  const dots = kind === SyntaxKind.DotDotDotToken ? take() : undefined;
  const isName = at(SyntaxKind.Identifier);
  const first = propertyName();
  const hasBoth = dots === undefined && skip(SyntaxKind.ColonToken);
  if (!hasBoth && !isName) unsure();
  return element(full, start, dots, hasBoth ? first : undefined, hasBoth ? boundName() : first);
}

function arrayElement(): Tree {
  const full = token.full;
  const start = token.start;
  if (at(SyntaxKind.CommaToken)) return newTree(SyntaxKind.OmittedExpression, full, full, full);
  const dots = at(SyntaxKind.DotDotDotToken) ? take() : undefined;
  return element(full, start, dots, undefined, boundName());
}

function element(full: number, start: number, dots: Tree | undefined, property: Tree | undefined, called: Tree): Tree {
  const initializer = skip(SyntaxKind.EqualsToken) ? assignment() : undefined;
  const node = newTree(SyntaxKind.BindingElement, full, start, token.full);
  node.dotDotDotToken = own(node, dots);
  node.propertyName = own(node, property);
  node.name = own(node, called);
  node.initializer = own(node, initializer);
  return node;
}

/** The braces of a function and what is in them. */
export function functionBody(async: boolean): Tree {
  return within(async, block);
}

export function block(): Tree {
  const full = token.full;
  const start = token.start;
  expect(SyntaxKind.OpenBraceToken);
  const statements = statementList();
  expect(SyntaxKind.CloseBraceToken);
  const node = newTree(SyntaxKind.Block, full, start, token.full);
  node.statements = ownAll(node, statements);
  return node;
}
