// The token that the parser stands at, taken as it is expected: as a node, as an item of a list, as the end of a statement.
import { ts } from "ts-morph";
import * as token from "./tokens.ts";
import { startsLine, unsure } from "./tokens.ts";
import { newTree, type Tree, type Trees } from "./tree.ts";

const { SyntaxKind } = ts;

/** The token as a node, and on to the next one. */
export function take(): Tree {
  const node = newTree(token.kind, token.full, token.start, token.end);
  token.next();
  return node;
}

export function expect(what: ts.SyntaxKind): void {
  if (token.kind !== what) unsure();
  token.next();
}

/** Goes over the token if it is the one. */
export function skip(what: ts.SyntaxKind): boolean {
  if (token.kind !== what) return false;
  token.next();
  return true;
}

/** The end of a statement, written or not. */
export function endStatement(): void {
  if (skip(SyntaxKind.SemicolonToken)) return;
  if (token.kind !== SyntaxKind.CloseBraceToken && token.kind !== SyntaxKind.EndOfFileToken && !startsLine()) unsure();
}

const atKeyword = (): boolean => token.kind >= SyntaxKind.FirstReservedWord && token.kind <= SyntaxKind.LastKeyword;

/** Reserved or not. */
export const atAnyWord = (): boolean => token.kind === SyntaxKind.Identifier || atKeyword();

/** A name as a node; reserved words are names behind a dot and before a colon. */
export function name(anyWord = false): Tree {
  if (token.kind !== SyntaxKind.Identifier && !(anyWord && atKeyword())) unsure();
  const node = newTree(SyntaxKind.Identifier, token.full, token.start, token.end);
  node.text = token.value;
  token.next();
  return node;
}

/** A text, a number, a regular expression or a piece of a template as a node. */
export function literal(): Tree {
  const node = newTree(token.kind, token.full, token.start, token.end);
  node.text = token.value;
  token.next();
  return node;
}

/** Items up to the closing token, with commas between them; the closing token is left. */
export function commaSeparated(close: ts.SyntaxKind, item: () => Tree): Trees {
  if (token.kind === close) return [];
  // A list of one or two takes the room of these; one that grows takes that of seventeen.
  const first = item();
  let items: Trees;
  let trailing = skip(SyntaxKind.CommaToken);
  if (!trailing || token.kind === close) items = [first];
  else {
    items = [first, item()];
    trailing = skip(SyntaxKind.CommaToken);
    while (trailing && token.kind !== close) {
      items.push(item());
      trailing = skip(SyntaxKind.CommaToken);
    }
  }
  if (token.kind !== close) unsure();
  if (trailing) items.hasTrailingComma = true;
  return items;
}
