// The names that an expression goes through, from the one that it begins with: what is written there is written to that one.
import { ts } from "ts-morph";
import { ANY } from "../changes.ts";
import { givenBy } from "../declarations.ts";
import { calleeName, unwrap } from "../evaluate/path-of.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind } = ts;

interface Steps {
  readonly names: readonly string[];
  readonly root: ts.Node;
}

/** By itself: a list that is written into a literal is put there by V8's slow path. */
const steps = (names: readonly string[], root: ts.Node): Steps => ({ names, root });

/** `list[0].name` → its names, where a computed one may be any; undefined where it begins with no name. */
export function stepsOf(node: ts.Expression): Steps | undefined {
  let part = unwrap(node);
  if (part.kind === SyntaxKind.Identifier) return steps([(part as ts.Identifier).text], part);
  const names: string[] = [];
  for (;;) {
    if (part.kind === SyntaxKind.Identifier) {
      names.push((part as ts.Identifier).text);
      return steps(names.reverse(), part);
    }
    if (part.kind === SyntaxKind.ThisKeyword) {
      const name = nameOfClassAround(part);
      if (name === undefined) return undefined;
      names.push(name);
      return steps(names.reverse(), part);
    }
    if (ts.isCallExpression(part)) {
      const called = calleeName(part);
      if (called === undefined) return undefined;
      names.push(givenBy(called.text));
      return steps(names.reverse(), called);
    }
    if (ts.isPropertyAccessExpression(part)) names.push(part.name.text);
    else if (ts.isElementAccessExpression(part))
      names.push(ts.isStringLiteralLike(part.argumentExpression) ? part.argumentExpression.text : ANY);
    else return undefined;
    part = unwrap(part.expression);
  }
}

/** What is written to `this` may be written to what stands in the class for good. */
function nameOfClassAround(node: ts.Node): string | undefined {
  let around = node.parent;
  while (around !== undefined && !ts.isClassLike(around)) around = around.parent;
  return around?.name?.text;
}
