// The paths that a source calls or constructs. They are read from the tree on demand, since few files need them.
import type { CalledPath } from "../model/facts.ts";
import { ts } from "../typescript.ts";
import { pathOf } from "./nodes.ts";

export function calledPaths(tree: ts.SourceFile, file: string): readonly CalledPath[] {
  const paths: CalledPath[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const path = pathOf(node.expression);
      const place = { file, start: node.expression.getStart(tree), end: node.expression.end };
      if (path !== undefined) paths.push({ place, path });
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return paths;
}
