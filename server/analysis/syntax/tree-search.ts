// Finds nodes by their text: it searches the source, and descends only to the matches. Most of a file is never visited.
import { ts } from "../typescript.ts";

/** Returns the tokens (names, literals, pieces of templates) in which the pattern matches, in order. Matches in comments are skipped. */
export function nodesAt(root: ts.Node, source: ts.SourceFile, pattern: RegExp): readonly ts.Node[] {
  const matches: ts.Node[] = [];
  const text = source.text.slice(root.pos, root.end);
  const offsets: number[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) offsets.push(root.pos + match.index);
  if (offsets.length === 0) return matches;
  let next = 0;
  const visit = (node: ts.Node): void => {
    for (;;) {
      const offset = offsets[next];
      if (offset === undefined || offset >= node.end) return;
      // The match is in a comment, or in a token without a node.
      if (offset < node.pos) {
        next++;
        continue;
      }
      const before = next;
      ts.forEachChild(node, visit);
      if (next !== before) continue;
      const isLeaf = node.kind < ts.SyntaxKind.FirstNode;
      if (isLeaf && offset >= node.getStart(source)) {
        // A long literal may contain several matches.
        matches.push(node);
        while ((offsets[next] ?? node.end) < node.end) next++;
      } else next++;
    }
  };
  visit(root);
  return matches;
}
