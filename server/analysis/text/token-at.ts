// The token at an offset, with the whitespace and comments before it. It tells a comment from a string that looks like one.
import { ts } from "../typescript.ts";

/**
 * Returns the token whose full span, including leading trivia, contains the offset. It has its parents, and is valid until the next edit.
 */
export function tokenAt(source: ts.SourceFile, offset: number): ts.Node {
  let node: ts.Node = source;
  for (;;) {
    const child = childAt(node.getChildren(source), offset);
    if (child === undefined) return node === source ? source.endOfFileToken : node;
    node = child;
  }
}

/** Returns the child that contains the offset; the children are in order. */
function childAt(children: readonly ts.Node[], offset: number): ts.Node | undefined {
  let low = 0;
  for (let high = children.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (endOf(children[middle] as ts.Node) <= offset) low = middle + 1;
    else high = middle;
  }
  const child = children[low];
  return child !== undefined && child.pos <= offset ? child : undefined;
}

/** An empty token counts as one character long. */
const endOf = ({ pos, end }: ts.Node): number => Math.max(end, pos + 1);

/** Returns the comments between the previous token and this one. */
export function commentsBefore(source: ts.SourceFile, token: ts.Node): readonly ts.CommentRange[] {
  // JSX text cannot contain comments.
  if (token.kind === ts.SyntaxKind.JsxText) return [];
  const { text } = source;
  const starts = new Set<number>();
  return [...(ts.getTrailingCommentRanges(text, token.pos) ?? []), ...(ts.getLeadingCommentRanges(text, token.pos) ?? [])]
    .filter(({ pos }) => !starts.has(pos) && starts.add(pos))
    .sort((a, b) => a.pos - b.pos);
}

/** Returns the outermost template, string or similar node whose inside contains the offset, where no comment can be inserted. */
export function textAround(source: ts.SourceFile, offset: number): ts.Node | undefined {
  let outermost: ts.Node | undefined;
  for (let node: ts.Node | undefined = tokenAt(source, offset); node !== undefined; node = node.parent)
    if (isText(node) && node.getStart(source) < offset && offset < node.end) outermost = node;
  return outermost;
}

const isText = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTemplateLiteralTypeNode(node) ||
  node.kind === ts.SyntaxKind.RegularExpressionLiteral;
