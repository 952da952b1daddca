// Declarations of variables, functions, interfaces, enums and types.
import { ts } from "ts-morph";
import { heritageClause } from "./classes.ts";
import { assignment } from "./expressions.ts";
import { boundName, functionBody, parameters, within } from "./functions.ts";
import { propertyName } from "./objects.ts";
import { commaSeparated, endStatement, expect, name, skip } from "./take.ts";
import * as token from "./tokens.ts";
import { at, startsLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees } from "./tree.ts";
import { typeMembers } from "./type-members.ts";
import { typeParameters } from "./type-names.ts";
import { annotation, result, type } from "./types.ts";

const { SyntaxKind } = ts;

export function variables(full: number, start: number, modifiers: Trees | undefined): Tree {
  const declared = declarationList();
  endStatement();
  const node = newTree(SyntaxKind.VariableStatement, full, start, token.full);
  node.modifiers = modifiers && ownAll(node, modifiers);
  node.declarationList = declared;
  declared.parent = node;
  return node;
}

export function declarationList(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  token.next();
  if (kind === SyntaxKind.ConstKeyword && at(SyntaxKind.EnumKeyword)) unsure();
  const items: Tree[] = [declaration()];
  while (skip(SyntaxKind.CommaToken)) items.push(declaration());
  const node = newTree(SyntaxKind.VariableDeclarationList, full, start, token.full);
  if (kind === SyntaxKind.LetKeyword) node.flags = ts.NodeFlags.Let;
  else if (kind === SyntaxKind.ConstKeyword) node.flags = ts.NodeFlags.Const;
  node.declarations = ownAll(node, items);
  return node;
}

export function declaration(): Tree {
  const full = token.full;
  const start = token.start;
  const called = boundName();
  const of = annotation();
  const initializer = skip(SyntaxKind.EqualsToken) ? assignment() : undefined;
  const node = newTree(SyntaxKind.VariableDeclaration, full, start, token.full);
  node.name = called;
  called.parent = node;
  node.type = of && own(node, of);
  node.initializer = initializer && own(node, initializer);
  return node;
}

/** `modifiers` are those before `async`. */
export function functionDeclaration(full: number, start: number, modifiers: Tree[]): Tree {
  const async = at(SyntaxKind.Identifier);
  if (async) {
    modifiers.push(newTree(SyntaxKind.AsyncKeyword, token.full, token.start, token.end));
    token.next();
  }
  expect(SyntaxKind.FunctionKeyword);
  const called = name();
  const generic = typeParameters();
  const given = within(async, parameters);
  const gives = result();
  // An overload has no body.
  const body = at(SyntaxKind.OpenBraceToken) ? functionBody(async) : void endStatement();
  const node = newTree(SyntaxKind.FunctionDeclaration, full, start, token.full);
  node.modifiers = modifiers.length === 0 ? undefined : ownAll(node, modifiers);
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
  const node = newTree(SyntaxKind.InterfaceDeclaration, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.name = own(node, called);
  node.typeParameters = ownAll(node, generic);
  node.heritageClauses = heritage && ownAll(node, [heritage]);
  node.members = ownAll(node, members);
  return node;
}

export function enumDeclaration(full: number, start: number, modifiers: Trees | undefined): Tree {
  token.next();
  const called = name();
  expect(SyntaxKind.OpenBraceToken);
  const members = commaSeparated(SyntaxKind.CloseBraceToken, enumMember);
  token.next();
  const node = newTree(SyntaxKind.EnumDeclaration, full, start, token.full);
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
  const node = newTree(SyntaxKind.EnumMember, full, start, token.full);
  node.name = own(node, member);
  node.initializer = own(node, initializer);
  return node;
}

/** `modifiers` are those before `declare`. */
export function ambient(full: number, start: number, modifiers: Tree[]): Tree {
  modifiers.push(modifier(SyntaxKind.DeclareKeyword));
  if (at(SyntaxKind.EnumKeyword)) return enumDeclaration(full, start, modifiers);
  return at(SyntaxKind.InterfaceKeyword) ? interfaceDeclaration(full, start, modifiers) : typeAlias(full, start, modifiers);
}

export function modifier(kind: ts.SyntaxKind): Tree {
  const node = newTree(kind, token.full, token.start, token.end);
  token.next();
  return node;
}

export function typeAlias(full: number, start: number, modifiers: Trees | undefined): Tree {
  token.next();
  if (startsLine()) unsure();
  const called = name();
  const generic = typeParameters();
  expect(SyntaxKind.EqualsToken);
  // A keyword of its own here, unless a dot follows.
  if (token.value === "intrinsic") unsure();
  const of = type();
  endStatement();
  const node = newTree(SyntaxKind.TypeAliasDeclaration, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.name = own(node, called);
  node.typeParameters = ownAll(node, generic);
  node.type = own(node, of);
  return node;
}
