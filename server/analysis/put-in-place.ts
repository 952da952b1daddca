// Statements that were parsed from a piece of a text are put where they stand in the whole, so that whoever reads them finds the positions
// and the text of the file: what is read need not be moved afterwards.
import { ts } from "ts-morph";

const { forEachChild } = ts;

interface Movable {
  parent: ts.Node;
  pos: number;
  end: number;
}

/** The source then holds the whole text, and of its statements these alone may be looked at. */
export function putInPlace(source: ts.SourceFile, statements: readonly ts.Statement[], text: string, offset: number): void {
  source.text = text;
  let parent: ts.Node = source;
  const put = (node: ts.Node): void => {
    const movable: Movable = node as unknown as Movable;
    movable.parent = parent;
    movable.pos += offset;
    movable.end += offset;
    const outer = parent;
    parent = node;
    forEachChild(node, put);
    parent = outer;
  };
  for (const statement of statements) put(statement);
}
