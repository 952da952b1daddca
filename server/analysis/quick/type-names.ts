// Types by their names, with what they are given and what they are declared with.
import { ts } from "ts-morph";
import { commaSeparated, expect, name, skip } from "./take.ts";
import * as token from "./tokens.ts";
import { at, startsLine, unsure } from "./tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees } from "./tree.ts";
import { type } from "./types.ts";

const { SyntaxKind } = ts;

export function reference(): Tree {
  const full = token.full;
  const start = token.start;
  const of = entityName();
  const given = startsLine() ? undefined : typeArguments();
  const node = newTree(SyntaxKind.TypeReference, full, start, token.full);
  node.typeName = own(node, of);
  node.typeArguments = ownAll(node, given);
  return node;
}

export function entityName(): Tree {
  const full = token.full;
  const start = token.start;
  let made = name(true);
  while (skip(SyntaxKind.DotToken)) {
    if (startsLine()) unsure();
    const right = name(true);
    const node = newTree(SyntaxKind.QualifiedName, full, start, token.full);
    node.left = own(node, made);
    node.right = own(node, right);
    made = node;
  }
  return made;
}

/** `<A, B>`, where it stands. */
export function typeArguments(): Trees | undefined {
  if (at(SyntaxKind.LessThanLessThanToken)) unsure();
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
    const node = newTree(SyntaxKind.TypeParameter, full, start, token.full);
    node.name = own(node, called);
    node.constraint = own(node, constraint);
    node.default = own(node, otherwise);
    return node;
  });
  if (made.length === 0) unsure();
  expect(SyntaxKind.GreaterThanToken);
  return made;
}
