// The names in a member expression, from its root: a write to the member is a write to the root.
import { ts } from "../../typescript.ts";
import { isStatic } from "../evaluate/declared-objects.ts";
import { returnName } from "../names/declarations.ts";
import { ANY } from "../names/mutations.ts";
import { calleeName, isAccess, unwrap } from "../nodes.ts";

interface Steps {
  readonly names: readonly string[];
  readonly root: ts.Node;
}

/**
 * Returns the names of `list[0].name` and of `list.find(test).name`, with {@link ANY} for a computed one; undefined if it does not begin
 * with a name.
 */
export function stepsOf(node: ts.Expression): Steps | undefined {
  const names: string[] = [];
  let root = unwrap(node);
  let read: { readonly call: ts.Expression; readonly count: number } | undefined;
  for (;;) {
    if (ts.isPropertyAccessExpression(root)) names.push(root.name.text);
    else if (ts.isElementAccessExpression(root))
      names.push(ts.isStringLiteralLike(root.argumentExpression) ? root.argumentExpression.text : ANY);
    const { length: count } = names;
    const whole = isAccess(root) ? root.expression : ts.isCallExpression(root) ? readBy(root, names) : undefined;
    if (whole === undefined) break;
    if (!isAccess(root)) read = { call: root, count };
    root = unwrap(whole);
  }
  // Without a name for the list, the method may be one of the pack.
  if (read !== undefined && rootName(root) === undefined) {
    root = read.call;
    names.length = read.count;
  }
  const name = rootName(root);
  if (name === undefined) return undefined;
  return { names: [name, ...names.reverse()], root: ts.isCallExpression(root) ? (calleeName(root) ?? root) : root };
}

/** Methods of lists and maps that return one of their items, and those that return several. */
export const ITEM_READERS: ReadonlySet<string> = new Set(["find", "findLast", "at", "get", "pop", "shift", "reduce"]);
const LIST_READERS: ReadonlySet<string> = new Set("filter slice concat sort reverse toSorted values entries from flat".split(" "));

/** Returns the list or object of which the call returns a part, or undefined for another call. Adds the step into it. */
function readBy(call: ts.CallExpression, names: string[]): ts.Expression | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const { expression, name } = callee;
  if (ITEM_READERS.has(name.text)) names.push(ANY);
  else if (!LIST_READERS.has(name.text)) return undefined;
  return ts.isIdentifier(expression) && /^(?:Object|Array)$/.test(expression.text) ? call.arguments[0] : expression;
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
