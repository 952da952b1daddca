// ts-morph's wrappers around a tree, for features that navigate a source on demand. They have no types, since no program is created. The
// command line bundles TypeScript alone: nothing that it reaches may import this file, or its bundle fails to build.
import { createWrappedNode, type SourceFile, type ts } from "ts-morph";

export { Node, type SourceFile } from "ts-morph";

export const wrap = (tree: ts.SourceFile): SourceFile => createWrappedNode(tree);
