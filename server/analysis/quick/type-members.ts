// What stands between the braces of a type: its members, or the one for which all of them stand.
import { ts } from "ts-morph";
import { parameters } from "./functions.ts";
import { propertyName } from "./objects.ts";
import { endStatement, expect, name, skip, take } from "./take.ts";
import * as token from "./tokens.ts";
import { at, atWord, following, followingOnLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees } from "./tree.ts";
import { annotation, result, type } from "./types.ts";

const { SyntaxKind } = ts;

/** The members of a type literal or an interface, with their braces. */
export function typeMembers(): Trees {
  expect(SyntaxKind.OpenBraceToken);
  const made: Tree[] = [];
  while (!at(SyntaxKind.CloseBraceToken)) made.push(typeMember());
  token.next();
  return made;
}

function typeMember(): Tree {
  const full = token.full;
  const start = token.start;
  let modifiers: Trees | undefined;
  if (atWord("readonly") && followingOnLine(/[\w$"'[]/y)) {
    const readonly = newTree(SyntaxKind.ReadonlyKeyword, full, start, token.end);
    token.next();
    modifiers = [readonly];
  }
  // Of what stands in brackets, a path of names is a computed name.
  const isComputed = at(SyntaxKind.OpenBracketToken) && following(/[\w$.]+\]/y);
  if (at(SyntaxKind.OpenBracketToken) && !isComputed) return indexSignature(full, start, modifiers);
  if (at(SyntaxKind.NewKeyword) || at(SyntaxKind.StaticKeyword)) unsure();
  // Behind `get`, on its line or not.
  if (at(SyntaxKind.NumericLiteral)) unsure();
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
    const node = newTree(SyntaxKind.MethodSignature, full, start, token.full);
    node.modifiers = ownAll(node, modifiers);
    node.name = own(node, called);
    node.questionToken = own(node, question);
    node.parameters = ownAll(node, given);
    node.type = own(node, gives);
    return node;
  }
  const of = annotation();
  endMember();
  const node = newTree(SyntaxKind.PropertySignature, full, start, token.full);
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
  const parameter = newTree(SyntaxKind.Parameter, pos, from, token.full);
  parameter.name = own(parameter, called);
  parameter.type = own(parameter, of);
  expect(SyntaxKind.CloseBracketToken);
  const held = annotation();
  endMember();
  const node = newTree(SyntaxKind.IndexSignature, full, start, token.full);
  node.modifiers = ownAll(node, modifiers);
  node.parameters = ownAll(node, [parameter]);
  node.type = own(node, held);
  return node;
}

function endMember(): void {
  if (!skip(SyntaxKind.CommaToken)) endStatement();
}

/** `{ [Key in Keys]?: Type }` */
export function mapped(): Tree {
  const full = token.full;
  const start = token.start;
  token.next();
  token.next();
  const begin = token.full;
  const from = token.start;
  const called = name();
  if (!skip(SyntaxKind.InKeyword)) unsure();
  const keys = type();
  const key = newTree(SyntaxKind.TypeParameter, begin, from, token.full);
  key.modifiers = undefined;
  key.name = own(key, called);
  key.constraint = own(key, keys);
  key.default = undefined;
  expect(SyntaxKind.CloseBracketToken);
  const question = at(SyntaxKind.QuestionToken) ? take() : undefined;
  const held = annotation();
  endStatement();
  expect(SyntaxKind.CloseBraceToken);
  const node = newTree(SyntaxKind.MappedType, full, start, token.full);
  node.typeParameter = own(node, key);
  node.questionToken = own(node, question);
  node.type = own(node, held);
  node.members = [];
  return node;
}
