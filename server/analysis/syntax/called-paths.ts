// What a source calls or makes by name, found anew when it is asked for: few sources have anything to say of it.
import type { Place } from "../model/values.ts";
import { parse } from "../text/parse.ts";
import { ts } from "../typescript.ts";
import { pathOf } from "./nodes.ts";

interface CalledPath {
  /** Of the names. */
  readonly place: Place;
  readonly path: readonly string[];
}

/** `axios.get(…)`, `new XMLHttpRequest()`. */
export function calledPaths(file: string, text: string): readonly CalledPath[] {
  const found: CalledPath[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const path = pathOf(node.expression);
      if (path !== undefined) found.push({ place: { file, start: node.expression.getStart(), end: node.expression.end }, path });
    }
    ts.forEachChild(node, look);
  };
  look(parse(file, text));
  return found;
}
