// Branches, loops, and what catches errors.
import { ts } from "ts-morph";
import { beforeColon, beforeIn } from "./brackets.ts";
import { declaration, declarationList } from "./declarations.ts";
import { assignment, expression } from "./expressions.ts";
import { block, isAsync } from "./functions.ts";
import { statement, statementList } from "./statements.ts";
import { expect, skip, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, atWord, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree } from "./tree.ts";

const { SyntaxKind } = ts;

export function inParentheses(): Tree {
  expect(SyntaxKind.OpenParenToken);
  const made = expression();
  expect(SyntaxKind.CloseParenToken);
  return made;
}

export function ifStatement(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const condition = inParentheses();
  const then = statement();
  const otherwise = skip(SyntaxKind.ElseKeyword) ? statement() : undefined;
  const node = newTree(SyntaxKind.IfStatement, full, start, token.full);
  node.expression = own(node, condition);
  node.thenStatement = own(node, then);
  node.elseStatement = own(node, otherwise);
  return node;
}

export function forStatement(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const waits = at(SyntaxKind.AwaitKeyword) ? (isAsync ? take() : unsure()) : undefined;
  expect(SyntaxKind.OpenParenToken);
  const isDeclared = at(SyntaxKind.VarKeyword) || at(SyntaxKind.LetKeyword) || at(SyntaxKind.ConstKeyword);
  if (at(SyntaxKind.Identifier) && /^(?:async|using)$/.test(token.value)) unsure();
  const initializer = at(SyntaxKind.SemicolonToken) ? undefined : beforeIn(isDeclared ? declarationList : expression);
  const isOf = atWord("of");
  if (isOf || at(SyntaxKind.InKeyword)) {
    if (initializer === undefined || (waits !== undefined && !isOf)) unsure();
    token.next();
    const of = isOf ? assignment() : expression();
    expect(SyntaxKind.CloseParenToken);
    const body = statement();
    const node = newTree(isOf ? SyntaxKind.ForOfStatement : SyntaxKind.ForInStatement, full, start, token.full);
    if (isOf) node.awaitModifier = own(node, waits);
    node.initializer = own(node, initializer);
    node.expression = own(node, of);
    node.statement = own(node, body);
    return node;
  }
  if (waits !== undefined) unsure();
  expect(SyntaxKind.SemicolonToken);
  const condition = at(SyntaxKind.SemicolonToken) ? undefined : expression();
  expect(SyntaxKind.SemicolonToken);
  const incrementor = at(SyntaxKind.CloseParenToken) ? undefined : expression();
  expect(SyntaxKind.CloseParenToken);
  const body = statement();
  const node = newTree(SyntaxKind.ForStatement, full, start, token.full);
  node.initializer = own(node, initializer);
  node.condition = own(node, condition);
  node.incrementor = own(node, incrementor);
  node.statement = own(node, body);
  return node;
}

export function tryStatement(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const tried = block();
  const caught = at(SyntaxKind.CatchKeyword) ? catchClause() : undefined;
  const last = skip(SyntaxKind.FinallyKeyword) ? block() : undefined;
  if (caught === undefined && last === undefined) unsure();
  const node = newTree(SyntaxKind.TryStatement, full, start, token.full);
  node.tryBlock = own(node, tried);
  node.catchClause = own(node, caught);
  node.finallyBlock = own(node, last);
  return node;
}

function catchClause(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  let caught: Tree | undefined;
  if (skip(SyntaxKind.OpenParenToken)) {
    caught = declaration();
    expect(SyntaxKind.CloseParenToken);
  }
  const body = block();
  const node = newTree(SyntaxKind.CatchClause, full, start, token.full);
  node.variableDeclaration = own(node, caught);
  node.block = own(node, body);
  return node;
}

export function switchStatement(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const of = inParentheses();
  const begin = token.full;
  const from = token.start;
  expect(SyntaxKind.OpenBraceToken);
  const clauses: Tree[] = [];
  while (!at(SyntaxKind.CloseBraceToken)) clauses.push(clause());
  token.next();
  const cases = newTree(SyntaxKind.CaseBlock, begin, from, token.full);
  cases.clauses = ownAll(cases, clauses);
  const node = newTree(SyntaxKind.SwitchStatement, full, start, token.full);
  node.expression = own(node, of);
  node.caseBlock = own(node, cases);
  return node;
}

function clause(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  if (kind !== SyntaxKind.CaseKeyword && kind !== SyntaxKind.DefaultKeyword) unsure();
  token.next();
  const of = kind === SyntaxKind.CaseKeyword ? beforeColon(expression) : undefined;
  expect(SyntaxKind.ColonToken);
  const statements = statementList();
  const node = newTree(kind === SyntaxKind.CaseKeyword ? SyntaxKind.CaseClause : SyntaxKind.DefaultClause, full, start, token.full);
  if (of !== undefined) node.expression = own(node, of);
  node.statements = ownAll(node, statements);
  return node;
}
