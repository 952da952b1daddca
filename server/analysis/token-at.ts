// The token at an offset, with the blanks and comments before it: what tells a comment from a text that looks like one.
import { ts } from "ts-morph";

/** The token whose full span (with the trivia before it) holds the offset. Its parents are in reach; it lives until the next edit. */
export function tokenAt(source: ts.SourceFile, offset: number): ts.Node {
  let node: ts.Node = source;
  for (;;) {
    const child: ts.Node | undefined = node
      .getChildren(source)
      .find((candidate) => !isDocumentation(candidate) && candidate.pos <= offset && offset < Math.max(candidate.end, candidate.pos + 1));
    if (child === undefined) return node === source ? source.endOfFileToken : node;
    node = child;
  }
}

/** The comments between the token before this one and this one. */
export function commentsBefore(source: ts.SourceFile, token: ts.Node): readonly ts.CommentRange[] {
  // What stands in JSX text is text.
  if (token.kind === ts.SyntaxKind.JsxText) return [];
  const { text } = source;
  return [...(ts.getTrailingCommentRanges(text, token.pos) ?? []), ...(ts.getLeadingCommentRanges(text, token.pos) ?? [])]
    .filter((comment, index, all) => all.findIndex((other) => other.pos === comment.pos) === index)
    .sort((a, b) => a.pos - b.pos);
}

/** The start of the outermost template, JSX text or the like that spans over the offset, seen from within: no comment can stand there. */
export function textAround(source: ts.SourceFile, offset: number): ts.Node | undefined {
  let found: ts.Node | undefined;
  for (let node: ts.Node | undefined = tokenAt(source, offset); node !== undefined; node = node.parent)
    if (isText(node) && node.getStart(source) < offset && offset < node.end) found = node;
  return found;
}

const isText = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTemplateLiteralTypeNode(node) ||
  node.kind === ts.SyntaxKind.RegularExpressionLiteral;

const isDocumentation = (node: ts.Node): boolean => node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode;
