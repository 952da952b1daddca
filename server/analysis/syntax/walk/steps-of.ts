// The names in a member expression, from its root: a write to the member is a write to the root.
import { ts } from "../../typescript.ts";
import { isStatic } from "../evaluate/declared-objects.ts";
import { returnName } from "../names/declarations.ts";
import { ANY } from "../names/mutations.ts";
import { calleeName, isAccess, nameNodeOf, unwrap } from "../nodes.ts";

interface Steps {
  readonly names: string[];
  readonly root: ts.Node;
}

/**
 * Returns the names of `list[0].name` and of `list.find(test).name`, with {@link ANY} for a computed one; undefined if it does not begin
 * with a name.
 */
export function stepsOf(node: ts.Expression): Steps | undefined {
  const part = unwrap(node);
  const whole = isAccess(part) ? part.expression : ts.isCallExpression(part) ? readBy(part) : undefined;
  const steps = whole && stepsOf(whole);
  if (steps !== undefined) {
    if (isAccess(part)) steps.names.push(nameNodeOf(part)?.text ?? ANY);
    else if (ITEM_READERS.has(calleeName(part as ts.CallExpression)?.text ?? "")) steps.names.push(ANY);
    return steps;
  }
  // Without a name for the list, the method may be one of the pack.
  const name = rootName(part);
  return name === undefined ? undefined : { names: [name], root: ts.isCallExpression(part) ? (calleeName(part) ?? part) : part };
}

/** Methods of lists and maps that return one of their items, and those that return several. */
export const ITEM_READERS: ReadonlySet<string> = new Set(["find", "findLast", "at", "get", "pop", "shift", "reduce"]);
const LIST_READERS: ReadonlySet<string> = new Set("filter slice concat sort reverse toSorted values entries from flat".split(" "));

/** Returns the list or object of which the call returns a part, or undefined for another call. */
function readBy(call: ts.CallExpression): ts.Expression | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const { expression, name } = callee;
  if (!ITEM_READERS.has(name.text) && !LIST_READERS.has(name.text)) return undefined;
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
