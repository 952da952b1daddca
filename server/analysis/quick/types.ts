// Types, as far as packs write them. What is left out (conditional and mapped types, predicates …) makes the parser unsure.
import { ts } from "ts-morph";
import { parameters } from "./functions.ts";
import { propertyName } from "./objects.ts";
import * as token from "./tokens.ts";
import { at, atWord, commaSeparated, expect, following, followingOnLine, name, skip, startsLine, take, unsure } from "./tokens.ts";
import { list, own, ownAll, Tree, type Trees } from "./tree.ts";

const { SyntaxKind } = ts;

const KEYWORDS: ReadonlyMap<string, ts.SyntaxKind> = new Map([
  ["any", SyntaxKind.AnyKeyword],
  ["unknown", SyntaxKind.UnknownKeyword],
  ["string", SyntaxKind.StringKeyword],
  ["number", SyntaxKind.NumberKeyword],
  ["bigint", SyntaxKind.BigIntKeyword],
  ["symbol", SyntaxKind.SymbolKeyword],
  ["boolean", SyntaxKind.BooleanKeyword],
  ["undefined", SyntaxKind.UndefinedKeyword],
  ["never", SyntaxKind.NeverKeyword],
  ["object", SyntaxKind.ObjectKeyword],
]);

/** What these words begin is not read here. */
const OTHER_WORDS = /^(?:infer|asserts|unique|abstract|is)$/;

export function type(): Tree {
  if (at(SyntaxKind.NewKeyword) || at(SyntaxKind.LessThanToken)) unsure();
  const made = isFunctionType() ? functionType() : union();
  // Conditional types; `T!` and `T?`, which are written in comments alone.
  if (at(SyntaxKind.ExtendsKeyword) && !startsLine()) unsure();
  return made;
}

/** `: Type`, where it stands. */
export const annotation = (): Tree | undefined => (skip(SyntaxKind.ColonToken) ? type() : undefined);

/** `: Type` of a function, or `: name is Type`. */
export function result(): Tree | undefined {
  if (!skip(SyntaxKind.ColonToken)) return undefined;
  if (!at(SyntaxKind.Identifier) || !followingOnLine(/is\b/y)) return type();
  const full = token.full;
  const start = token.start;
  const called = name();
  token.next();
  const of = type();
  const node = new Tree(SyntaxKind.TypePredicate, full, start, token.full);
  node.parameterName = own(node, called);
  node.type = own(node, of);
  return node;
}

const isFunctionType = (): boolean => at(SyntaxKind.OpenParenToken) && following(/\)|\.\.\.|[\w$]+\s*(?:[?:,=]|\)\s*=>)/y);

function functionType(): Tree {
  const full = token.full;
  const start = token.start;
  const given = parameters();
  if (!at(SyntaxKind.EqualsGreaterThanToken)) unsure();
  token.next();
  if (at(SyntaxKind.Identifier) && followingOnLine(/is\b/y)) unsure();
  const gives = type();
  const node = new Tree(SyntaxKind.FunctionType, full, start, token.full);
  node.modifiers = undefined;
  node.typeParameters = undefined;
  node.parameters = ownAll(node, given);
  node.type = own(node, gives);
  return node;
}

const union = (): Tree => joined(SyntaxKind.BarToken, SyntaxKind.UnionType, intersection);
const intersection = (): Tree => joined(SyntaxKind.AmpersandToken, SyntaxKind.IntersectionType, operated);

function joined(operator: ts.SyntaxKind, kind: ts.SyntaxKind, part: () => Tree): Tree {
  const full = token.full;
  const start = token.start;
  const leading = skip(operator);
  if (isFunctionType()) unsure();
  const first = part();
  if (!leading && token.kind !== operator) return first;
  const types = [first];
  while (skip(operator)) {
    if (isFunctionType()) unsure();
    types.push(part());
  }
  const node = new Tree(kind, full, start, token.full);
  node.types = ownAll(node, list(types, full, token.full, false));
  return node;
}

function operated(): Tree {
  const full = token.full;
  const start = token.start;
  const value = token.value;
  const kind = token.kind;
  if (kind === SyntaxKind.Identifier && (value === "keyof" || value === "readonly")) {
    token.next();
    const inner = operated();
    const node = new Tree(SyntaxKind.TypeOperator, full, start, token.full);
    node.operator = value === "keyof" ? SyntaxKind.KeyOfKeyword : SyntaxKind.ReadonlyKeyword;
    node.type = own(node, inner);
    return node;
  }
  let made = simple();
  while (!startsLine()) {
    if (at(SyntaxKind.ExclamationToken) || at(SyntaxKind.QuestionToken)) unsure();
    if (!at(SyntaxKind.OpenBracketToken)) break;
    token.next();
    const index = at(SyntaxKind.CloseBracketToken) ? undefined : type();
    expect(SyntaxKind.CloseBracketToken);
    const node = new Tree(index === undefined ? SyntaxKind.ArrayType : SyntaxKind.IndexedAccessType, full, start, token.full);
    if (index === undefined) node.elementType = own(node, made);
    else {
      node.objectType = own(node, made);
      node.indexType = own(node, index);
    }
    made = node;
  }
  return made;
}

function simple(): Tree {
  const full = token.full;
  const start = token.start;
  const value = token.value;
  switch (token.now()) {
    case SyntaxKind.Identifier: {
      const keyword = KEYWORDS.get(value);
      if (keyword !== undefined && token.nextCode() !== 46) {
        token.next();
        return new Tree(keyword, full, start, token.full);
      }
      if (OTHER_WORDS.test(value)) unsure();
      return reference();
    }
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.NumericLiteral:
      return wrapped(token.literal(), full, start);
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
    case SyntaxKind.NullKeyword:
      return wrapped(take(), full, start);
    case SyntaxKind.VoidKeyword:
      return take();
    case SyntaxKind.ConstKeyword:
      return reference();
    case SyntaxKind.TypeOfKeyword: {
      token.next();
      const of = entityName();
      const given = startsLine() ? undefined : typeArguments();
      const node = new Tree(SyntaxKind.TypeQuery, full, start, token.full);
      node.exprName = own(node, of);
      node.typeArguments = ownAll(node, given);
      return node;
    }
    case SyntaxKind.OpenBraceToken: {
      if (following(/\[[\w$]+\s+in\s/y)) return mapped();
      const of = typeMembers();
      const node = new Tree(SyntaxKind.TypeLiteral, full, start, token.full);
      node.members = ownAll(node, of);
      return node;
    }
    case SyntaxKind.OpenBracketToken: {
      token.next();
      const elements = commaSeparated(SyntaxKind.CloseBracketToken, tupleItem);
      expect(SyntaxKind.CloseBracketToken);
      const node = new Tree(SyntaxKind.TupleType, full, start, token.full);
      node.elements = ownAll(node, elements);
      return node;
    }
    case SyntaxKind.OpenParenToken: {
      token.next();
      const inner = type();
      expect(SyntaxKind.CloseParenToken);
      const node = new Tree(SyntaxKind.ParenthesizedType, full, start, token.full);
      node.type = own(node, inner);
      return node;
    }
    default:
      return unsure();
  }
}

/** `{ [Key in Keys]?: Type }` */
function mapped(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  token.next();
  const begin = token.full;
  const from = token.start;
  const called = name();
  if (!skip(SyntaxKind.InKeyword)) unsure();
  const keys = type();
  const key = new Tree(SyntaxKind.TypeParameter, begin, from, token.full);
  key.modifiers = undefined;
  key.name = own(key, called);
  key.constraint = own(key, keys);
  key.default = undefined;
  expect(SyntaxKind.CloseBracketToken);
  const question = at(SyntaxKind.QuestionToken) ? take() : undefined;
  const held = annotation();
  token.endStatement();
  const members = list([], token.full, token.full, false);
  expect(SyntaxKind.CloseBraceToken);
  const node = new Tree(SyntaxKind.MappedType, full, start, token.full);
  node.typeParameter = own(node, key);
  node.questionToken = own(node, question);
  node.type = own(node, held);
  node.members = members;
  return node;
}

/** Of named, optional and further items there is no tree here. */
const tupleItem = (): Tree => (at(SyntaxKind.DotDotDotToken) || (at(SyntaxKind.Identifier) && following(/[?:]/y)) ? unsure() : type());

function wrapped(literal: Tree, full: number, start: number): Tree {
  const node = new Tree(SyntaxKind.LiteralType, full, start, literal.end);
  node.literal = own(node, literal);
  return node;
}

function reference(): Tree {
  const full = token.full;
  const start = token.start;
  const of = entityName();
  const given = startsLine() ? undefined : typeArguments();
  const node = new Tree(SyntaxKind.TypeReference, full, start, token.full);
  node.typeName = own(node, of);
  node.typeArguments = ownAll(node, given);
  return node;
}

function entityName(): Tree {
  const full = token.full;
  const start = token.start;
  let made = name(true);
  while (skip(SyntaxKind.DotToken)) {
    if (startsLine()) unsure();
    const right = name(true);
    const node = new Tree(SyntaxKind.QualifiedName, full, start, token.full);
    node.left = own(node, made);
    node.right = own(node, right);
    made = node;
  }
  return made;
}

/** `<A, B>`, where it stands. */
export function typeArguments(): Trees | undefined {
  if (!skip(SyntaxKind.LessThanToken)) return undefined;
  const made = commaSeparated(SyntaxKind.GreaterThanToken, type);
  if (made.length === 0) unsure();
  expect(SyntaxKind.GreaterThanToken);
  return made;
}

/** `<T extends A = B>` of a declaration, where it stands. */
export function typeParameters(): Trees | undefined {
  if (!skip(SyntaxKind.LessThanToken)) return undefined;
  const made = commaSeparated(SyntaxKind.GreaterThanToken, () => {
    const full = token.full;
    const start = token.start;
    const value = token.value;
    if (/^(?:in|out|const)$/.test(value)) unsure();
    const called = name();
    const constraint = skip(SyntaxKind.ExtendsKeyword) ? type() : undefined;
    const otherwise = skip(SyntaxKind.EqualsToken) ? type() : undefined;
    const node = new Tree(SyntaxKind.TypeParameter, full, start, token.full);
    node.modifiers = undefined;
    node.name = own(node, called);
    node.constraint = own(node, constraint);
    node.default = own(node, otherwise);
    return node;
  });
  if (made.length === 0) unsure();
  expect(SyntaxKind.GreaterThanToken);
  return made;
}

/** The members of a type literal or an interface, with their braces. */
export function typeMembers(): Trees {
  expect(SyntaxKind.OpenBraceToken);
  const pos = token.full;
  const items: Tree[] = [];
  while (!at(SyntaxKind.CloseBraceToken)) items.push(typeMember());
  const made = list(items, pos, token.full, false);
  token.next();
  return made;
}

function typeMember(): Tree {
  const full = token.full;
  const start = token.start;
  let modifiers: Trees | undefined;
  if (atWord("readonly") && followingOnLine(/[\w$"'[]/y)) {
    const readonly = new Tree(SyntaxKind.ReadonlyKeyword, full, start, token.end);
    token.next();
    modifiers = list([readonly], full, token.full, false);
  }
  // Of what stands in brackets, a path of names is a computed name.
  const isComputed = at(SyntaxKind.OpenBracketToken) && following(/[\w$.]+\]/y);
  if (at(SyntaxKind.OpenBracketToken) && !isComputed) return indexSignature(full, start, modifiers);
  if (at(SyntaxKind.NewKeyword) || at(SyntaxKind.StaticKeyword)) unsure();
  // Further modifiers and accessors, unless a property is called so.
  const isModified = !at(SyntaxKind.StringLiteral) && !isComputed && token.followedBy(`"'[`);
  if (isModified) unsure();
  const called = propertyName();
  const question = at(SyntaxKind.QuestionToken) ? take() : undefined;
  if (at(SyntaxKind.LessThanToken)) unsure();
  if (at(SyntaxKind.OpenParenToken)) {
    const given = parameters();
    const gives = result();
    endMember();
    const node = new Tree(SyntaxKind.MethodSignature, full, start, token.full);
    node.modifiers = ownAll(node, modifiers);
    node.name = own(node, called);
    node.questionToken = own(node, question);
    node.typeParameters = undefined;
    node.parameters = ownAll(node, given);
    node.type = own(node, gives);
    return node;
  }
  const of = annotation();
  endMember();
  const node = new Tree(SyntaxKind.PropertySignature, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.name = own(node, called);
  node.questionToken = own(node, question);
  node.type = own(node, of);
  return node;
}

/** `[key: string]: Type` */
function indexSignature(full: number, start: number, modifiers: Trees | undefined): Tree {
  if (!following(/[\w$]+\s*:/y)) unsure();
  token.next();
  const pos = token.full;
  const from = token.start;
  const called = name();
  const of = annotation();
  const parameter = new Tree(SyntaxKind.Parameter, pos, from, token.full);
  parameter.modifiers = undefined;
  parameter.dotDotDotToken = undefined;
  parameter.name = own(parameter, called);
  parameter.questionToken = undefined;
  parameter.type = own(parameter, of);
  parameter.initializer = undefined;
  const given = list([parameter], pos, token.full, false);
  expect(SyntaxKind.CloseBracketToken);
  const held = annotation();
  endMember();
  const node = new Tree(SyntaxKind.IndexSignature, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.parameters = ownAll(node, given);
  node.type = own(node, held);
  return node;
}

function endMember(): void {
  if (!skip(SyntaxKind.CommaToken)) token.endStatement();
}
