// Declarations of variables, functions, interfaces, enums and types.
import { ts } from "ts-morph";
import { heritageClause } from "./classes.ts";
import { assignment } from "./expressions.ts";
import { boundName, functionBody, parameters, within } from "./functions.ts";
import { propertyName } from "./objects.ts";
import { commaSeparated, endStatement, expect, name, skip } from "./take.ts";
import * as token from "./tokens.ts";
import { at, startsLine, unsure } from "./tokens.ts";
import { list, own, ownAll, Tree, type Trees } from "./tree.ts";
import { typeMembers } from "./type-members.ts";
import { typeParameters } from "./type-names.ts";
import { annotation, result, type } from "./types.ts";

const { SyntaxKind } = ts;

export function variables(full: number, start: number, modifiers: Trees | undefined): Tree {
  const declared = declarationList();
  endStatement();
  const node = new Tree(SyntaxKind.VariableStatement, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.declarationList = own(node, declared);
  return node;
}

export function declarationList(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  token.next();
  if (kind === SyntaxKind.ConstKeyword && at(SyntaxKind.EnumKeyword)) unsure();
  const pos = token.full;
  const items: Tree[] = [declaration()];
  while (skip(SyntaxKind.CommaToken)) items.push(declaration());
  const node = new Tree(SyntaxKind.VariableDeclarationList, full, start, token.full);
  if (kind === SyntaxKind.LetKeyword) node.flags = ts.NodeFlags.Let;
  else if (kind === SyntaxKind.ConstKeyword) node.flags = ts.NodeFlags.Const;
  node.declarations = ownAll(node, list(items, pos, token.full, false));
  return node;
}

export function declaration(): Tree {
  const full = token.full;
  const start = token.start;
  const called = boundName();
  const of = annotation();
  const initializer = skip(SyntaxKind.EqualsToken) ? assignment() : undefined;
  const node = new Tree(SyntaxKind.VariableDeclaration, full, start, token.full);
  node.name = own(node, called);
  node.exclamationToken = undefined;
  node.type = own(node, of);
  node.initializer = own(node, initializer);
  return node;
}

/** `modifiers` are those before `async`. */
export function functionDeclaration(full: number, start: number, modifiers: Tree[]): Tree {
  const async = at(SyntaxKind.Identifier);
  if (async) {
    modifiers.push(new Tree(SyntaxKind.AsyncKeyword, token.full, token.start, token.end));
    token.next();
  }
  const end = token.full;
  expect(SyntaxKind.FunctionKeyword);
  const called = name();
  const generic = typeParameters();
  const given = within(async, parameters);
  const gives = result();
  // An overload has no body.
  const body = at(SyntaxKind.OpenBraceToken) ? functionBody(async) : void endStatement();
  const node = new Tree(SyntaxKind.FunctionDeclaration, full, start, token.full);
  node.modifiers = modifiers.length === 0 ? undefined : ownAll(node, list(modifiers, full, end, false));
  node.asteriskToken = undefined;
  node.name = own(node, called);
  node.typeParameters = ownAll(node, generic);
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  node.body = own(node, body ?? undefined);
  return node;
}

export function interfaceDeclaration(full: number, start: number, modifiers: Trees | undefined): Tree {
  token.next();
  if (startsLine()) unsure();
  const called = name();
  const generic = typeParameters();
  const heritage = at(SyntaxKind.ExtendsKeyword) ? heritageClause() : undefined;
  const members = typeMembers();
  const node = new Tree(SyntaxKind.InterfaceDeclaration, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.name = own(node, called);
  node.typeParameters = ownAll(node, generic);
  node.heritageClauses = heritage && ownAll(node, list([heritage], heritage.pos, heritage.end, false));
  node.members = ownAll(node, members);
  return node;
}

export function enumDeclaration(full: number, start: number, modifiers: Trees | undefined): Tree {
  token.next();
  const called = name();
  expect(SyntaxKind.OpenBraceToken);
  const members = commaSeparated(SyntaxKind.CloseBraceToken, enumMember);
  token.next();
  const node = new Tree(SyntaxKind.EnumDeclaration, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.name = own(node, called);
  node.members = ownAll(node, members);
  return node;
}

function enumMember(): Tree {
  const full = token.full;
  const start = token.start;
  const member = at(SyntaxKind.OpenBracketToken) ? unsure() : propertyName();
  const initializer = skip(SyntaxKind.EqualsToken) ? assignment() : undefined;
  const node = new Tree(SyntaxKind.EnumMember, full, start, token.full);
  node.name = own(node, member);
  node.initializer = own(node, initializer);
  return node;
}

/** `modifiers` are those before `declare`. */
export function ambient(full: number, start: number, modifiers: Tree[]): Tree {
  modifiers.push(modifier(SyntaxKind.DeclareKeyword));
  const words = list(modifiers, full, token.full, false);
  if (at(SyntaxKind.EnumKeyword)) return enumDeclaration(full, start, words);
  return at(SyntaxKind.InterfaceKeyword) ? interfaceDeclaration(full, start, words) : typeAlias(full, start, words);
}

export function modifier(kind: ts.SyntaxKind): Tree {
  const node = new Tree(kind, token.full, token.start, token.end);
  token.next();
  return node;
}

export function typeAlias(full: number, start: number, modifiers: Trees | undefined): Tree {
  token.next();
  if (startsLine()) unsure();
  const called = name();
  const generic = typeParameters();
  expect(SyntaxKind.EqualsToken);
  const of = type();
  endStatement();
  const node = new Tree(SyntaxKind.TypeAliasDeclaration, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.name = own(node, called);
  node.typeParameters = ownAll(node, generic);
  node.type = own(node, of);
  return node;
}
