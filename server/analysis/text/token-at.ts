// The token at an offset, with the blanks and comments before it: what tells a comment from a text that looks like one.
import { ts } from "../typescript.ts";

/** The token whose full span (with the trivia before it) holds the offset. Its parents are in reach; it lives until the next edit. */
export function tokenAt(source: ts.SourceFile, offset: number): ts.Node {
  let node: ts.Node = source;
  for (;;) {
    const child = childAt(node.getChildren(source), offset);
    if (child === undefined) return node === source ? source.endOfFileToken : node;
    node = child;
  }
}

/** The first that holds the offset; they stand in order. */
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

/** One without a sign of its own stands at the sign behind it. */
const endOf = ({ pos, end }: ts.Node): number => Math.max(end, pos + 1);

/** The comments between the token before this one and this one. */
export function commentsBefore(source: ts.SourceFile, token: ts.Node): readonly ts.CommentRange[] {
  // What stands in JSX text is text.
  if (token.kind === ts.SyntaxKind.JsxText) return [];
  const { text } = source;
  const starts = new Set<number>();
  return [...(ts.getTrailingCommentRanges(text, token.pos) ?? []), ...(ts.getLeadingCommentRanges(text, token.pos) ?? [])]
    .filter(({ pos }) => !starts.has(pos) && starts.add(pos))
    .sort((a, b) => a.pos - b.pos);
}

/** The start of the outermost template, JSX text or the like that spans over the offset, seen from within: no comment can stand there. */
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
