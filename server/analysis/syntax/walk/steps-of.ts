// The names in a member expression, from its root: a write to the member is a write to the root.
import { ts } from "../../typescript.ts";
import { isStatic } from "../evaluate/declared-objects.ts";
import { returnName } from "../names/declarations.ts";
import { ANY } from "../names/mutations.ts";
import { calleeName, unwrap } from "../nodes.ts";

interface Steps {
  readonly names: readonly string[];
  readonly root: ts.Node;
}

/** Returns the names of `list[0].name`, with {@link ANY} for a computed one; undefined if it does not begin with a name. */
export function stepsOf(node: ts.Expression): Steps | undefined {
  const names: string[] = [];
  let root = unwrap(node);
  for (; ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root); root = unwrap(root.expression)) {
    if (ts.isPropertyAccessExpression(root)) names.push(root.name.text);
    else names.push(ts.isStringLiteralLike(root.argumentExpression) ? root.argumentExpression.text : ANY);
  }
  const name = rootName(root);
  if (name === undefined) return undefined;
  return { names: [name, ...names.reverse()], root: ts.isCallExpression(root) ? (calleeName(root) ?? root) : root };
}

function rootName(root: ts.Expression): string | undefined {
  if (ts.isIdentifier(root)) return root.text;
  if (root.kind === ts.SyntaxKind.ThisKeyword) return nameOfReceiver(root);
  const calleeNode = ts.isCallExpression(root) ? calleeName(root) : undefined;
  return calleeNode && returnName(calleeNode.text);
}

/** Returns the name of a class in its static members. In others, the object has no name. */
function nameOfReceiver(root: ts.Node): string | undefined {
  const member = ts.findAncestor(root, (node): node is ts.ClassElement => ts.isClassLike(node.parent));
  if (member === undefined || !ts.isClassLike(member.parent)) return undefined;
  return isStatic(member) ? member.parent.name?.text : "this";
}
