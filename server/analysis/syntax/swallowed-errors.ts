// Whether the error of a call is lost for certain: whatever it is, nobody looks at it, hands it on, or tries again. In doubt it is not.
import type { SwallowedError } from "../model/context-facts.ts";
import { ts } from "../typescript.ts";
import { unwrap } from "./evaluate/path-of.ts";
import type { EvaluateContext } from "./evaluate.ts";
import { isFunction } from "./is-function.ts";

/** What catches the error of an awaited call, and loses it. */
export function swallowedError(call: ts.CallExpression, { places, source }: EvaluateContext): SwallowedError | undefined {
  const handler = handlerOf(call);
  if (handler !== undefined) return loses(handler.body, handler.parameters[0]?.name) ? { place: places.of(handler) } : undefined;
  const clause = catchClauseAround(call);
  if (clause === undefined || !loses(clause.block, clause.variableDeclaration?.name)) return undefined;
  const name = clause.variableDeclaration?.name;
  const { block } = clause;
  const head = places.span(clause.getStart(source), block.pos);
  if (name !== undefined && !ts.isIdentifier(name)) return { place: head };
  return { place: head, clause: { name: name?.text, body: places.of(block) } };
}

/** The handler of `.catch(…)` behind the call, where nothing but `.then(…)` and `.finally(…)` stands between. */
function handlerOf(call: ts.CallExpression): ts.ArrowFunction | ts.FunctionExpression | undefined {
  const member = call.parent;
  const outer = member.parent;
  if (!ts.isPropertyAccessExpression(member) || !ts.isCallExpression(outer) || outer.expression !== member) return undefined;
  const [handler] = outer.arguments;
  if (member.name.text === "catch")
    return handler !== undefined && (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) ? handler : undefined;
  const goesOn = member.name.text === "finally" || (member.name.text === "then" && outer.arguments.length === 1);
  return goesOn ? handlerOf(outer) : undefined;
}

/** The clause that an awaited call throws into. In a loop it may be tried again. */
function catchClauseAround(call: ts.CallExpression): ts.CatchClause | undefined {
  let child: ts.Node = call;
  while (ts.isParenthesizedExpression(child.parent)) child = child.parent;
  if (!ts.isAwaitExpression(child.parent)) return undefined;
  let found: ts.CatchClause | undefined;
  for (child = child.parent; child.parent !== undefined && !isFunction(child); child = child.parent) {
    const { parent } = child;
    if (ts.isIterationStatement(parent, false)) return undefined;
    if (ts.isTryStatement(parent) && child === parent.tryBlock) found ??= parent.catchClause;
  }
  return found;
}

function loses(body: ts.Node, name: ts.BindingName | undefined): boolean {
  if (name !== undefined && !ts.isIdentifier(name)) return name.elements.every(isMessageOnly) && visit(body, undefined);
  return visit(body, name?.text);
}

const MESSAGE = /^(?:message|name|stack)$/;

const isMessageOnly = (element: ts.ArrayBindingElement): boolean =>
  ts.isBindingElement(element) &&
  element.dotDotDotToken === undefined &&
  ts.isIdentifier(element.name) &&
  MESSAGE.test(element.propertyName === undefined ? element.name.text : element.propertyName.getText());

/** Whether nothing in the node can do anything about the error but tell its message. */
function visit(node: ts.Node, name: string | undefined): boolean {
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node) || isFunction(node) || ts.isTryStatement(node)) return false;
  // Who throws one of these has decided what the platform is to do.
  if (ts.isNewExpression(node) && /StatusCode|MissingScopes/.test(node.expression.getText())) return false;
  if (ts.isCallExpression(node) && !isHarmless(node.expression)) return false;
  if (name !== undefined && ts.isIdentifier(node) && node.text === name) return isMessageOf(node);
  return ts.forEachChild(node, (child) => !visit(child, name) || undefined) === undefined;
}

/** Says or makes something, and asks nobody again. */
function isHarmless(callee: ts.Expression): boolean {
  const called = unwrap(callee);
  if (ts.isIdentifier(called)) return /^(?:String|Number|Boolean)$/.test(called.text);
  return (
    ts.isPropertyAccessExpression(called) &&
    (/^(?:console|JSON|Math)$/.test(called.expression.getText()) ||
      /^(?:push|join|concat|toString|includes|startsWith)$/.test(called.name.text))
  );
}

/** `error.message`, `console.log(error)`, or `${error}`. */
function isMessageOf(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node || MESSAGE.test(parent.name.text);
  if (ts.isTemplateSpan(parent)) return true;
  return ts.isCallExpression(parent) && parent.expression !== node && /^(?:console\.\w+|String)$/.test(parent.expression.getText());
}
