// What a source takes from others and gives to them.
import { ts } from "ts-morph";
import { classDeclaration } from "./classes.ts";
import { ambient, enumDeclaration, functionDeclaration, interfaceDeclaration, typeAlias, variables } from "./declarations.ts";
import { assignment } from "./expressions.ts";
import { commaSeparated, endStatement, expect, literal, name, skip, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, atWord, following, followingOnLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees } from "./tree.ts";

const { SyntaxKind } = ts;

function moduleName(): Tree {
  return at(SyntaxKind.StringLiteral) ? literal() : unsure();
}

export function importDeclaration(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  let importClause: Tree | undefined;
  if (!at(SyntaxKind.StringLiteral)) {
    const begin = token.full;
    const from = token.start;
    const isTypeOnly = atWord("type") && following(/[{*]/y);
    if (isTypeOnly) token.next();
    else if (/^(?:type|defer|source)$/.test(token.value)) unsure();
    const called = at(SyntaxKind.Identifier) ? name() : undefined;
    if (called !== undefined && isTypeOnly) unsure();
    const bindings = called === undefined || skip(SyntaxKind.CommaToken) ? importedNames() : undefined;
    importClause = newTree(SyntaxKind.ImportClause, begin, from, token.full);
    importClause.isTypeOnly = isTypeOnly;
    importClause.name = own(importClause, called);
    importClause.namedBindings = own(importClause, bindings);
    if (!at(SyntaxKind.Identifier) || token.value !== "from") unsure();
    token.next();
  }
  const module = moduleName();
  if (at(SyntaxKind.WithKeyword) || atWord("assert")) unsure();
  endStatement();
  const node = newTree(SyntaxKind.ImportDeclaration, full, start, token.full);
  node.importClause = own(node, importClause);
  node.moduleSpecifier = own(node, module);
  return node;
}

function importedNames(): Tree {
  const full = token.full;
  const start = token.start;
  if (at(SyntaxKind.OpenBraceToken)) return specifiers(SyntaxKind.NamedImports, SyntaxKind.ImportSpecifier);
  expect(SyntaxKind.AsteriskToken);
  expectAs();
  const called = name();
  const node = newTree(SyntaxKind.NamespaceImport, full, start, token.full);
  node.name = own(node, called);
  return node;
}

function expectAs(): void {
  if (!at(SyntaxKind.Identifier) || token.value !== "as") unsure();
  token.next();
}

/** `{ name, name as other }` */
function specifiers(kind: ts.SyntaxKind, item: ts.SyntaxKind): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const elements = commaSeparated(SyntaxKind.CloseBraceToken, () => {
    const begin = token.full;
    const from = token.start;
    const isTypeOnly = atWord("type");
    if (isTypeOnly) {
      if (!following(/(?!as\b)[\w$]/y)) unsure();
      token.next();
    }
    if (atWord("as")) unsure();
    const isReserved = !at(SyntaxKind.Identifier);
    const first = name(true);
    let called: Tree | undefined;
    if (atWord("as")) {
      token.next();
      called = name(item === SyntaxKind.ExportSpecifier || token.value === "default");
    } else if (isReserved) unsure();
    const node = newTree(item, begin, from, token.full);
    node.isTypeOnly = isTypeOnly;
    node.propertyName = own(node, called === undefined ? undefined : first);
    node.name = own(node, called ?? first);
    return node;
  });
  token.next();
  const node = newTree(kind, full, start, token.full);
  node.elements = ownAll(node, elements);
  return node;
}

export function exported(): Tree {
  const full = token.full;
  const start = token.start;
  const word = take();
  const modifiers = (): Trees => [word];
  switch (token.now()) {
    case SyntaxKind.VarKeyword:
    case SyntaxKind.LetKeyword:
    case SyntaxKind.ConstKeyword:
      return variables(full, start, modifiers());
    case SyntaxKind.FunctionKeyword:
      return functionDeclaration(full, start, [word]);
    case SyntaxKind.InterfaceKeyword:
      return interfaceDeclaration(full, start, modifiers());
    case SyntaxKind.EnumKeyword:
      return enumDeclaration(full, start, modifiers());
    case SyntaxKind.ClassKeyword:
      return classDeclaration(full, start, [word]);
    case SyntaxKind.OpenBraceToken:
    case SyntaxKind.AsteriskToken:
      return reexport(full, start);
    case SyntaxKind.DefaultKeyword: {
      const second = take();
      if (at(SyntaxKind.FunctionKeyword) || (token.value === "async" && followingOnLine(/function\b/y)))
        return functionDeclaration(full, start, [word, second]);
      if (at(SyntaxKind.Identifier) && following(/[\w$@]/y)) unsure();
      const of = assignment();
      endStatement();
      const node = newTree(SyntaxKind.ExportAssignment, full, start, token.full);
      node.expression = own(node, of);
      return node;
    }
    case SyntaxKind.Identifier:
      if (token.value === "async" && followingOnLine(/function\b/y)) return functionDeclaration(full, start, [word]);
      if (token.value === "type" && following(/[\w$]/y)) return typeAlias(full, start, modifiers());
      if (token.value === "abstract" && followingOnLine(/class\b/y)) return classDeclaration(full, start, [word]);
      if (token.value === "declare" && followingOnLine(/(?:enum|interface|type)\b/y)) return ambient(full, start, [word]);
  }
  return unsure();
}

function reexport(full: number, start: number): Tree {
  let clause: Tree | undefined;
  const begin = token.full;
  const from = token.start;
  if (at(SyntaxKind.OpenBraceToken)) clause = specifiers(SyntaxKind.NamedExports, SyntaxKind.ExportSpecifier);
  else {
    token.next();
    if (atWord("as")) {
      token.next();
      const called = name(true);
      clause = newTree(SyntaxKind.NamespaceExport, begin, from, token.full);
      clause.name = own(clause, called);
    }
  }
  const hasModule = atWord("from");
  if (!hasModule && clause?.kind !== SyntaxKind.NamedExports) unsure();
  if (hasModule) token.next();
  const module = hasModule ? moduleName() : undefined;
  if (at(SyntaxKind.WithKeyword)) unsure();
  endStatement();
  const node = newTree(SyntaxKind.ExportDeclaration, full, start, token.full);
  node.isTypeOnly = false;
  node.exportClause = own(node, clause);
  node.moduleSpecifier = own(node, module);
  return node;
}
