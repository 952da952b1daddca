// Types, as far as packs write them. What is left out (conditional and mapped types, predicates …) makes the parser unsure.
import { ts } from "ts-morph";
import { parameters } from "./functions.ts";
import { commaSeparated, expect, literal, name, skip, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, following, followingOnLine, startsLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree } from "./tree.ts";
import { mapped, typeMembers } from "./type-members.ts";
import { entityName, reference, typeArguments } from "./type-names.ts";

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

const DOT = 46;

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
  const node = newTree(SyntaxKind.TypePredicate, full, start, token.full);
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
  const node = newTree(SyntaxKind.FunctionType, full, start, token.full);
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
  const node = newTree(kind, full, start, token.full);
  node.types = ownAll(node, types);
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
    const node = newTree(SyntaxKind.TypeOperator, full, start, token.full);
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
    const node = newTree(index === undefined ? SyntaxKind.ArrayType : SyntaxKind.IndexedAccessType, full, start, token.full);
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
      if (keyword !== undefined && (token.nextCode() !== DOT || following(/\.\d/y))) {
        token.next();
        return newTree(keyword, full, start, token.full);
      }
      if (OTHER_WORDS.test(value)) unsure();
      return reference();
    }
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.NumericLiteral:
      return wrapped(literal(), full, start);
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
      if (at(SyntaxKind.ImportKeyword)) unsure();
      const of = entityName();
      const given = startsLine() ? undefined : typeArguments();
      const node = newTree(SyntaxKind.TypeQuery, full, start, token.full);
      node.exprName = own(node, of);
      node.typeArguments = ownAll(node, given);
      return node;
    }
    case SyntaxKind.OpenBraceToken: {
      if (following(/\[[\w$]+\s+in\s/y)) return mapped();
      const of = typeMembers();
      const node = newTree(SyntaxKind.TypeLiteral, full, start, token.full);
      node.members = ownAll(node, of);
      return node;
    }
    case SyntaxKind.OpenBracketToken: {
      token.next();
      const elements = commaSeparated(SyntaxKind.CloseBracketToken, tupleItem);
      expect(SyntaxKind.CloseBracketToken);
      const node = newTree(SyntaxKind.TupleType, full, start, token.full);
      node.elements = ownAll(node, elements);
      return node;
    }
    case SyntaxKind.OpenParenToken: {
      token.next();
      const inner = type();
      expect(SyntaxKind.CloseParenToken);
      const node = newTree(SyntaxKind.ParenthesizedType, full, start, token.full);
      node.type = own(node, inner);
      return node;
    }
    default:
      return unsure();
  }
}

/** Of named, optional and further items there is no tree here. */
function tupleItem(): Tree {
  if (at(SyntaxKind.DotDotDotToken) || at(SyntaxKind.ConstKeyword)) unsure();
  return at(SyntaxKind.Identifier) && following(/[?:]/y) ? unsure() : type();
}

function wrapped(literal: Tree, full: number, start: number): Tree {
  const node = newTree(SyntaxKind.LiteralType, full, start, literal.end);
  node.literal = own(node, literal);
  return node;
}
