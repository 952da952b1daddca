// Classes and their members.
import { ts } from "ts-morph";
import { modifier } from "./declarations.ts";
import { assignment } from "./expressions.ts";
import { constructorParameters, functionBody, parameters, within } from "./functions.ts";
import { propertyName } from "./objects.ts";
import { atAnyWord, endStatement, expect, name, skip, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, followedBy, startsLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree } from "./tree.ts";
import { typeArguments, typeParameters } from "./type-names.ts";
import { annotation, result } from "./types.ts";

const { SyntaxKind } = ts;

/** `modifiers` are those before `abstract`. */
export function classDeclaration(full: number, start: number, modifiers: Tree[]): Tree {
  if (at(SyntaxKind.Identifier)) modifiers.push(modifier(SyntaxKind.AbstractKeyword));
  expect(SyntaxKind.ClassKeyword);
  if (token.value === "implements") unsure();
  const called = name();
  const generic = typeParameters();
  const heritage = at(SyntaxKind.ExtendsKeyword) ? heritageClause() : undefined;
  if (at(SyntaxKind.CommaToken) || (heritage?.types.length ?? 1) > 1) unsure();
  expect(SyntaxKind.OpenBraceToken);
  const members: Tree[] = [];
  while (!at(SyntaxKind.CloseBraceToken)) members.push(within(false, member));
  token.next();
  const node = newTree(SyntaxKind.ClassDeclaration, full, start, token.full);
  node.modifiers = modifiers.length === 0 ? undefined : ownAll(node, modifiers);
  node.name = own(node, called);
  node.typeParameters = ownAll(node, generic);
  node.heritageClauses = heritage && ownAll(node, [heritage]);
  node.members = ownAll(node, members);
  return node;
}

const MEMBER_MODIFIERS: ReadonlyMap<string, ts.SyntaxKind> = new Map([
  ["public", SyntaxKind.PublicKeyword],
  ["private", SyntaxKind.PrivateKeyword],
  ["protected", SyntaxKind.ProtectedKeyword],
  ["static", SyntaxKind.StaticKeyword],
  ["readonly", SyntaxKind.ReadonlyKeyword],
  ["abstract", SyntaxKind.AbstractKeyword],
  ["async", SyntaxKind.AsyncKeyword],
]);

/** Of a class. */
function member(): Tree {
  const full = token.full;
  const start = token.start;
  // A number may stand behind `get`, on its line or not.
  if (at(SyntaxKind.SemicolonToken) || at(SyntaxKind.NumericLiteral)) return unsure();
  const modifiers: Tree[] = [];
  let async = false;
  // A word before a name, on its line.
  while (atAnyWord() && followedBy(`"'[{*`)) {
    const kind = MEMBER_MODIFIERS.get(token.value) ?? unsure();
    if (!followedBy(`"'[`) || modifiers.some((other) => other.kind === kind)) unsure();
    if (kind === SyntaxKind.AsyncKeyword) async = true;
    modifiers.push(modifier(kind));
    if (startsLine()) unsure();
  }
  const words = modifiers.length === 0 ? undefined : modifiers;
  const isConstructor = token.value === "constructor";
  if (isConstructor && !at(SyntaxKind.Identifier)) unsure();
  const called = propertyName();
  const question = at(SyntaxKind.QuestionToken) ? take() : undefined;
  if (at(SyntaxKind.OpenParenToken) || at(SyntaxKind.LessThanToken)) {
    const generic = typeParameters();
    if (isConstructor && (generic !== undefined || question !== undefined || async)) unsure();
    const given = within(async, isConstructor ? constructorParameters : parameters);
    const gives = result();
    if (isConstructor && gives !== undefined) unsure();
    const body = at(SyntaxKind.OpenBraceToken) ? functionBody(async) : void endStatement();
    const node = newTree(isConstructor ? SyntaxKind.Constructor : SyntaxKind.MethodDeclaration, full, start, token.full);
    node.modifiers = ownAll(node, words);
    if (!isConstructor) {
      node.name = own(node, called);
      node.questionToken = own(node, question);
      node.typeParameters = ownAll(node, generic);
    }
    node.parameters = ownAll(node, given);
    node.type = own(node, gives);
    node.body = own(node, body ?? undefined);
    return node;
  }
  if (isConstructor) unsure();
  const exclamation = question === undefined && at(SyntaxKind.ExclamationToken) && !startsLine() ? take() : undefined;
  const of = annotation();
  const initializer = skip(SyntaxKind.EqualsToken) ? assignment() : undefined;
  endStatement();
  const node = newTree(SyntaxKind.PropertyDeclaration, full, start, token.full);
  node.modifiers = ownAll(node, words);
  node.name = own(node, called);
  node.questionToken = own(node, question);
  node.exclamationToken = own(node, exclamation);
  node.type = own(node, of);
  node.initializer = own(node, initializer);
  return node;
}

export function heritageClause(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const items: Tree[] = [];
  do {
    const begin = token.full;
    const from = token.start;
    let of = name();
    while (skip(SyntaxKind.DotToken)) {
      const called = name(true);
      const node = newTree(SyntaxKind.PropertyAccessExpression, begin, from, token.full);
      node.expression = own(node, of);
      node.name = own(node, called);
      of = node;
    }
    const given = typeArguments();
    const node = newTree(SyntaxKind.ExpressionWithTypeArguments, begin, from, token.full);
    node.expression = own(node, of);
    node.typeArguments = ownAll(node, given);
    items.push(node);
  } while (skip(SyntaxKind.CommaToken));
  const node = newTree(SyntaxKind.HeritageClause, full, start, token.full);
  node.token = SyntaxKind.ExtendsKeyword;
  node.types = ownAll(node, items);
  return node;
}
