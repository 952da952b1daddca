// Statements, as far as packs write them.
import { ts } from "ts-morph";
import { assignment, beforeColon, beforeIn, expression, propertyName } from "./expressions.ts";
import { block, boundName, constructorParameters, functionBody, isAsync, parameters, within } from "./functions.ts";
import * as token from "./tokens.ts";
import {
  at,
  atWord,
  commaSeparated,
  endStatement,
  expect,
  followedBy,
  following,
  followingOnLine,
  name,
  skip,
  startsLine,
  take,
  unsure,
} from "./tokens.ts";
import { list, own, ownAll, Tree, type Trees } from "./tree.ts";
import { annotation, result, type, typeArguments, typeMembers, typeParameters } from "./types.ts";

const { SyntaxKind } = ts;

/** Up to a closing brace, a clause of a switch, or the end of the source. */
export function statementList(): Trees {
  const pos = token.full;
  const items: Tree[] = [];
  while (!at(SyntaxKind.CloseBraceToken) && !at(SyntaxKind.EndOfFileToken) && !at(SyntaxKind.CaseKeyword) && !at(SyntaxKind.DefaultKeyword))
    items.push(statement());
  return list(items, pos, token.full, false);
}

/** Words that begin declarations which are not read here, unless they are names. */
const OTHER_DECLARATIONS = /^(?:declare|abstract|namespace|module|global|using|accessor|async)$/;

export function statement(): Tree {
  const full = token.full;
  const start = token.start;
  switch (token.now()) {
    case SyntaxKind.OpenBraceToken:
      return block();
    case SyntaxKind.SemicolonToken:
      token.next();
      return new Tree(SyntaxKind.EmptyStatement, full, start, token.full);
    case SyntaxKind.VarKeyword:
    case SyntaxKind.LetKeyword:
    case SyntaxKind.ConstKeyword:
      return variables(full, start, undefined);
    case SyntaxKind.FunctionKeyword:
      return functionDeclaration(full, start, []);
    case SyntaxKind.ImportKeyword:
      return importDeclaration();
    case SyntaxKind.ExportKeyword:
      return exported();
    case SyntaxKind.InterfaceKeyword:
      return interfaceDeclaration(full, start, undefined);
    case SyntaxKind.IfKeyword:
      return ifStatement();
    case SyntaxKind.ForKeyword:
      return forStatement();
    case SyntaxKind.WhileKeyword: {
      token.next();
      const condition = inParentheses();
      const body = statement();
      const node = new Tree(SyntaxKind.WhileStatement, full, start, token.full);
      node.expression = own(node, condition);
      node.statement = own(node, body);
      return node;
    }
    case SyntaxKind.DoKeyword: {
      token.next();
      const body = statement();
      expect(SyntaxKind.WhileKeyword);
      const condition = inParentheses();
      skip(SyntaxKind.SemicolonToken);
      const node = new Tree(SyntaxKind.DoStatement, full, start, token.full);
      node.statement = own(node, body);
      node.expression = own(node, condition);
      return node;
    }
    case SyntaxKind.ReturnKeyword:
    case SyntaxKind.ThrowKeyword: {
      const kind = at(SyntaxKind.ReturnKeyword) ? SyntaxKind.ReturnStatement : SyntaxKind.ThrowStatement;
      token.next();
      const isBare = endsHere();
      if (isBare && kind === SyntaxKind.ThrowStatement) unsure();
      const given = isBare ? undefined : expression();
      endStatement();
      const node = new Tree(kind, full, start, token.full);
      node.expression = own(node, given);
      return node;
    }
    case SyntaxKind.BreakKeyword:
    case SyntaxKind.ContinueKeyword: {
      const kind = at(SyntaxKind.BreakKeyword) ? SyntaxKind.BreakStatement : SyntaxKind.ContinueStatement;
      token.next();
      const label = endsHere() ? undefined : name();
      endStatement();
      const node = new Tree(kind, full, start, token.full);
      node.label = own(node, label);
      return node;
    }
    case SyntaxKind.TryKeyword:
      return tryStatement();
    case SyntaxKind.SwitchKeyword:
      return switchStatement();
    case SyntaxKind.Identifier:
      if (token.value === "async" && followingOnLine(/function\b/y)) return functionDeclaration(full, start, []);
      if (token.value === "type" && following(/[\w$]/y)) return typeAlias(full, start, undefined);
      if (token.value === "abstract" && followingOnLine(/class\b/y)) return classDeclaration(full, start, []);
      if (token.value === "declare" && followingOnLine(/(?:enum|interface|type)\b/y)) return ambient(full, start, []);
      if (OTHER_DECLARATIONS.test(token.value) && following(/[\w$"'[{@*]/y)) unsure();
      break;
    case SyntaxKind.EnumKeyword:
      return enumDeclaration(full, start, undefined);
    case SyntaxKind.ClassKeyword:
      return classDeclaration(full, start, []);
  }
  const of = expression();
  if (at(SyntaxKind.ColonToken)) unsure();
  endStatement();
  const node = new Tree(SyntaxKind.ExpressionStatement, full, start, token.full);
  node.expression = own(node, of);
  return node;
}

const endsHere = (): boolean =>
  at(SyntaxKind.SemicolonToken) || at(SyntaxKind.CloseBraceToken) || at(SyntaxKind.EndOfFileToken) || startsLine();

function inParentheses(): Tree {
  expect(SyntaxKind.OpenParenToken);
  const made = expression();
  expect(SyntaxKind.CloseParenToken);
  return made;
}

function variables(full: number, start: number, modifiers: Trees | undefined): Tree {
  const declared = declarationList();
  endStatement();
  const node = new Tree(SyntaxKind.VariableStatement, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.declarationList = own(node, declared);
  return node;
}

function declarationList(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  token.next();
  if (kind === SyntaxKind.ConstKeyword && at(SyntaxKind.EnumKeyword)) unsure();
  const pos = token.full;
  const items: Tree[] = [];
  do items.push(declaration());
  while (skip(SyntaxKind.CommaToken));
  const node = new Tree(SyntaxKind.VariableDeclarationList, full, start, token.full);
  if (kind === SyntaxKind.LetKeyword) node.flags = ts.NodeFlags.Let;
  else if (kind === SyntaxKind.ConstKeyword) node.flags = ts.NodeFlags.Const;
  node.declarations = ownAll(node, list(items, pos, token.full, false));
  return node;
}

function declaration(): Tree {
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
function functionDeclaration(full: number, start: number, modifiers: Tree[]): Tree {
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

function interfaceDeclaration(full: number, start: number, modifiers: Trees | undefined): Tree {
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

function enumDeclaration(full: number, start: number, modifiers: Trees | undefined): Tree {
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
function ambient(full: number, start: number, modifiers: Tree[]): Tree {
  modifiers.push(modifier(SyntaxKind.DeclareKeyword));
  const words = list(modifiers, full, token.full, false);
  if (at(SyntaxKind.EnumKeyword)) return enumDeclaration(full, start, words);
  return at(SyntaxKind.InterfaceKeyword) ? interfaceDeclaration(full, start, words) : typeAlias(full, start, words);
}

/** `modifiers` are those before `abstract`. */
function classDeclaration(full: number, start: number, modifiers: Tree[]): Tree {
  if (at(SyntaxKind.Identifier)) modifiers.push(modifier(SyntaxKind.AbstractKeyword));
  const end = token.full;
  expect(SyntaxKind.ClassKeyword);
  if (token.value === "implements") unsure();
  const called = name();
  const generic = typeParameters();
  const heritage = at(SyntaxKind.ExtendsKeyword) ? heritageClause() : undefined;
  if (at(SyntaxKind.CommaToken) || (heritage?.types.length ?? 1) > 1) unsure();
  expect(SyntaxKind.OpenBraceToken);
  const pos = token.full;
  const items: Tree[] = [];
  while (!at(SyntaxKind.CloseBraceToken)) items.push(within(false, member));
  const members = list(items, pos, token.full, false);
  token.next();
  const node = new Tree(SyntaxKind.ClassDeclaration, full, start, token.full);
  node.modifiers = modifiers.length === 0 ? undefined : ownAll(node, list(modifiers, full, end, false));
  node.name = own(node, called);
  node.typeParameters = ownAll(node, generic);
  node.heritageClauses = heritage && ownAll(node, list([heritage], heritage.pos, heritage.end, false));
  node.members = ownAll(node, members);
  return node;
}

function modifier(kind: ts.SyntaxKind): Tree {
  const node = new Tree(kind, token.full, token.start, token.end);
  token.next();
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
  if (at(SyntaxKind.SemicolonToken)) return unsure();
  const modifiers: Tree[] = [];
  let async = false;
  // A word before a name, on its line.
  while (!at(SyntaxKind.StringLiteral) && !at(SyntaxKind.OpenBracketToken) && followedBy(`"'[{*`)) {
    const kind = MEMBER_MODIFIERS.get(token.value) ?? unsure();
    if (!followedBy(`"'[`)) unsure();
    if (kind === SyntaxKind.AsyncKeyword) async = true;
    modifiers.push(modifier(kind));
    if (startsLine()) unsure();
  }
  const words = modifiers.length === 0 ? undefined : list(modifiers, full, token.full, false);
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
    const node = new Tree(isConstructor ? SyntaxKind.Constructor : SyntaxKind.MethodDeclaration, full, start, token.full);
    node.modifiers = ownAll(node, words);
    if (!isConstructor) {
      node.asteriskToken = undefined;
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
  const node = new Tree(SyntaxKind.PropertyDeclaration, full, start, token.full);
  node.modifiers = ownAll(node, words);
  node.name = own(node, called);
  node.questionToken = own(node, question);
  node.exclamationToken = own(node, exclamation);
  node.type = own(node, of);
  node.initializer = own(node, initializer);
  return node;
}

function heritageClause(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const pos = token.full;
  const items: Tree[] = [];
  do {
    const begin = token.full;
    const from = token.start;
    let of = name();
    while (skip(SyntaxKind.DotToken)) {
      const called = name(true);
      const node = new Tree(SyntaxKind.PropertyAccessExpression, begin, from, token.full);
      node.expression = own(node, of);
      node.questionDotToken = undefined;
      node.name = own(node, called);
      of = node;
    }
    const given = typeArguments();
    const node = new Tree(SyntaxKind.ExpressionWithTypeArguments, begin, from, token.full);
    node.expression = own(node, of);
    node.typeArguments = ownAll(node, given);
    items.push(node);
  } while (skip(SyntaxKind.CommaToken));
  const node = new Tree(SyntaxKind.HeritageClause, full, start, token.full);
  node.token = SyntaxKind.ExtendsKeyword;
  node.types = ownAll(node, list(items, pos, token.full, false));
  return node;
}

function typeAlias(full: number, start: number, modifiers: Trees | undefined): Tree {
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

function ifStatement(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const condition = inParentheses();
  const then = statement();
  const otherwise = skip(SyntaxKind.ElseKeyword) ? statement() : undefined;
  const node = new Tree(SyntaxKind.IfStatement, full, start, token.full);
  node.expression = own(node, condition);
  node.thenStatement = own(node, then);
  node.elseStatement = own(node, otherwise);
  return node;
}

function forStatement(): Tree {
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
    const node = new Tree(isOf ? SyntaxKind.ForOfStatement : SyntaxKind.ForInStatement, full, start, token.full);
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
  const node = new Tree(SyntaxKind.ForStatement, full, start, token.full);
  node.initializer = own(node, initializer);
  node.condition = own(node, condition);
  node.incrementor = own(node, incrementor);
  node.statement = own(node, body);
  return node;
}

function tryStatement(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const tried = block();
  const caught = at(SyntaxKind.CatchKeyword) ? catchClause() : undefined;
  const last = skip(SyntaxKind.FinallyKeyword) ? block() : undefined;
  if (caught === undefined && last === undefined) unsure();
  const node = new Tree(SyntaxKind.TryStatement, full, start, token.full);
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
  const node = new Tree(SyntaxKind.CatchClause, full, start, token.full);
  node.variableDeclaration = own(node, caught);
  node.block = own(node, body);
  return node;
}

function switchStatement(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  const of = inParentheses();
  const begin = token.full;
  const from = token.start;
  expect(SyntaxKind.OpenBraceToken);
  const pos = token.full;
  const items: Tree[] = [];
  while (!at(SyntaxKind.CloseBraceToken)) items.push(clause());
  const clauses = list(items, pos, token.full, false);
  token.next();
  const cases = new Tree(SyntaxKind.CaseBlock, begin, from, token.full);
  cases.clauses = ownAll(cases, clauses);
  const node = new Tree(SyntaxKind.SwitchStatement, full, start, token.full);
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
  const node = new Tree(kind === SyntaxKind.CaseKeyword ? SyntaxKind.CaseClause : SyntaxKind.DefaultClause, full, start, token.full);
  if (of !== undefined) node.expression = own(node, of);
  node.statements = ownAll(node, statements);
  return node;
}

function moduleName(): Tree {
  return at(SyntaxKind.StringLiteral) ? token.literal() : unsure();
}

function importDeclaration(): Tree {
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
    importClause = new Tree(SyntaxKind.ImportClause, begin, from, token.full);
    importClause.isTypeOnly = isTypeOnly;
    importClause.name = own(importClause, called);
    importClause.namedBindings = own(importClause, bindings);
    if (!at(SyntaxKind.Identifier) || token.value !== "from") unsure();
    token.next();
  }
  const module = moduleName();
  if (at(SyntaxKind.WithKeyword) || atWord("assert")) unsure();
  endStatement();
  const node = new Tree(SyntaxKind.ImportDeclaration, full, start, token.full);
  node.modifiers = undefined;
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
  const node = new Tree(SyntaxKind.NamespaceImport, full, start, token.full);
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
    const node = new Tree(item, begin, from, token.full);
    node.isTypeOnly = isTypeOnly;
    node.propertyName = own(node, called === undefined ? undefined : first);
    node.name = own(node, called ?? first);
    return node;
  });
  token.next();
  const node = new Tree(kind, full, start, token.full);
  node.elements = ownAll(node, elements);
  return node;
}

function exported(): Tree {
  const full = token.full;
  const start = token.start;
  const word = take();
  const modifiers = (): Trees => list([word], full, word.end, false);
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
      const node = new Tree(SyntaxKind.ExportAssignment, full, start, token.full);
      node.modifiers = undefined;
      node.isExportEquals = undefined;
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
      clause = new Tree(SyntaxKind.NamespaceExport, begin, from, token.full);
      clause.name = own(clause, called);
    }
  }
  const hasModule = atWord("from") && !(startsLine() && clause?.kind === SyntaxKind.NamedExports);
  if (!hasModule && clause?.kind !== SyntaxKind.NamedExports) unsure();
  if (hasModule) token.next();
  const module = hasModule ? moduleName() : undefined;
  if (at(SyntaxKind.WithKeyword)) unsure();
  endStatement();
  const node = new Tree(SyntaxKind.ExportDeclaration, full, start, token.full);
  node.modifiers = undefined;
  node.isTypeOnly = false;
  node.exportClause = own(node, clause);
  node.moduleSpecifier = own(node, module);
  return node;
}
