// ts-morph's wrappers around a tree, for features that find their way through a source when somebody asks for one. They know no types: no
// program is made. The command line has TypeScript alone, so nothing that it reaches may import this: its bundle would not be built.
import { createWrappedNode, type SourceFile, type ts } from "ts-morph";

export { Node, type SourceFile } from "ts-morph";

export const wrap = (tree: ts.SourceFile): SourceFile => createWrappedNode(tree);
