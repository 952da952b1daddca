// Which of the declarations of a name is the one that is seen at a place.
import type { Declaration } from "../../model/facts.ts";

/** The innermost declaration that is seen at the offset. */
export function find(declarations: readonly Declaration[] | undefined, offset: number): Declaration | undefined {
  let best: Declaration | undefined;
  for (const declaration of declarations ?? []) {
    const isSeen = declaration.scope.start <= offset && offset <= declaration.scope.end;
    if (isSeen && (best === undefined || declaration.scope.start >= best.scope.start)) best = declaration;
  }
  return best;
}
