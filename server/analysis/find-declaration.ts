// Which of the declarations of a name is the one that is seen at a place.
import type { Declaration } from "./model.ts";

/** The innermost declaration that is seen at the offset. */
export function find(declarations: readonly Declaration[] | undefined, offset: number): Declaration | undefined {
  let best: Declaration | undefined;
  if (declarations === undefined) return best;
  for (let index = 0; index < declarations.length; index++) {
    const declaration = declarations[index] as Declaration;
    const isSeen = declaration.start <= offset && offset <= declaration.end;
    if (isSeen && (best === undefined || declaration.start >= best.start)) best = declaration;
  }
  return best;
}
