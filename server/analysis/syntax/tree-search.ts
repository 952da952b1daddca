// Nodes found by their text: a look through the source, then down to the few places that it names. Most of a file is never visited.
import { ts } from "../typescript.ts";

/** The tokens of a tree (names, literals, pieces of templates) in which the pattern matches, in order; what stands in comments is none. */
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
      // Before it: in a comment, or in something that has no node.
      if (offset < node.pos) {
        next++;
        continue;
      }
      const before = next;
      ts.forEachChild(node, visit);
      if (next !== before) continue;
      const isLeaf = node.kind < ts.SyntaxKind.FirstNode;
      if (isLeaf && offset >= node.getStart(source)) {
        // A long literal may hold several.
        matches.push(node);
        while ((offsets[next] ?? node.end) < node.end) next++;
      } else next++;
    }
  };
  visit(root);
  return matches;
}
