// Whether the 401 of a call is certainly lost: no code rethrows the error, passes it on, or retries. In doubt, it is not.
import type { SwallowedError } from "../model/context-facts.ts";
import { ts } from "../typescript.ts";
import type { EvaluateContext } from "./evaluate.ts";
import { calleeName, isDefaulting, isFunction, outermost, unwrap } from "./nodes.ts";

/** Returns the handler that catches the error of an awaited call and discards it. */
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

/** Returns the handler of a `.catch(…)` after the call. Only `.then(…)` and `.finally(…)` may come before it. */
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

/** Returns the clause that catches an error of an awaited call. Returns undefined if an enclosing loop may retry the call. */
function catchClauseAround(call: ts.CallExpression): ts.CatchClause | undefined {
  let child: ts.Node = call;
  while (ts.isParenthesizedExpression(child.parent)) child = child.parent;
  if (!ts.isAwaitExpression(child.parent)) return undefined;
  let clause: ts.CatchClause | undefined;
  for (child = child.parent; child.parent !== undefined && !isFunction(child); child = child.parent) {
    const { parent } = child;
    if (clause !== undefined && ts.isIterationStatement(parent, false) && !leaves(clause.block)) return undefined;
    if (ts.isTryStatement(parent) && child === parent.tryBlock) clause ??= parent.catchClause;
  }
  return clause;
}

/** Whether the statement ends in a `throw` or a `return`, and nothing in it continues a loop. */
const leaves = (statement: ts.Statement | undefined): boolean => {
  if (statement === undefined) return false;
  if (ts.isThrowStatement(statement) || ts.isReturnStatement(statement)) return true;
  if (ts.isIfStatement(statement)) return leaves(statement.thenStatement) && leaves(statement.elseStatement);
  return ts.isBlock(statement) && leaves(statement.statements.at(-1)) && !statement.statements.some(goesOn);
};

const goesOn = (node: ts.Node): boolean =>
  ts.isContinueStatement(node) || ts.isBreakStatement(node) || ts.forEachChild(node, (child) => goesOn(child) || undefined) === true;

function loses(body: ts.Node, name: ts.BindingName | undefined): boolean {
  if (name !== undefined && !ts.isIdentifier(name)) return name.elements.every(isMessageOnly) && visit(body, undefined);
  return visit(body, name?.text);
}

/** Members that describe an error. Other members, such as its cause, may be thrown in place of the error. */
const SAYING = /^(?:message|name|stack|statusCode|status|statusText|code|type|body)$/;

const isMessageOnly = (element: ts.ArrayBindingElement): boolean =>
  ts.isBindingElement(element) &&
  element.dotDotDotToken === undefined &&
  ts.isIdentifier(element.name) &&
  SAYING.test(element.propertyName === undefined ? element.name.text : element.propertyName.getText());

/** Whether nothing in the node rethrows the error of a 401, or retries. */
function visit(node: ts.Node, name: string | undefined): boolean {
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node) || isFunction(node) || ts.isTryStatement(node)) return false;
  // Code that throws one of these errors decides explicitly what the platform does.
  if (ts.isNewExpression(node) && /StatusCode|MissingScopes/.test(node.expression.getText())) return false;
  if (ts.isCallExpression(node) && !isHarmless(node.expression)) return false;
  if (ts.isIfStatement(node) && excludesUnauthorized(node.expression, name))
    return visit(node.expression, name) && (node.elseStatement === undefined || visit(node.elseStatement, name));
  if (name !== undefined && ts.isIdentifier(node) && node.text === name) return isMessageOf(node);
  return ts.forEachChild(node, (child) => !visit(child, name) || undefined) === undefined;
}

/**
 * Whether the condition excludes a 401: `error instanceof coda.UserVisibleError`, `!coda.StatusCodeError.isStatusCodeError(error)`,
 * `error.statusCode === 404`.
 */
function excludesUnauthorized(condition: ts.Expression, name: string | undefined): boolean {
  const isError = (node: ts.Expression | undefined): boolean => node !== undefined && unwrap(node).getText() === name;
  const expression = unwrap(condition);
  if (ts.isPrefixUnaryExpression(expression)) {
    const test = unwrap(expression.operand);
    return (
      expression.operator === ts.SyntaxKind.ExclamationToken &&
      ts.isCallExpression(test) &&
      /\bisStatusCodeError$/.test(test.expression.getText()) &&
      isError(test.arguments[0])
    );
  }
  if (!ts.isBinaryExpression(expression)) return false;
  const { left, operatorToken, right } = expression;
  switch (operatorToken.kind) {
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return excludesUnauthorized(left, name) || excludesUnauthorized(right, name);
    case ts.SyntaxKind.InstanceOfKeyword:
      return isError(left) && /\bUserVisibleError$/.test(right.getText());
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
    case ts.SyntaxKind.EqualsEqualsToken: {
      const status = unwrap(left);
      const isStatus = ts.isPropertyAccessExpression(status) && status.name.text === "statusCode" && isError(status.expression);
      return isStatus && ts.isNumericLiteral(right) && right.text !== "401";
    }
    default:
      return false;
  }
}

/** Whether the call only logs or builds something, and does not retry. */
function isHarmless(callee: ts.Expression): boolean {
  const target = unwrap(callee);
  if (ts.isIdentifier(target)) return /^(?:String|Number|Boolean|isStatusCodeError|log(?:[A-Z]\w*)?)$/.test(target.text);
  return (
    ts.isPropertyAccessExpression(target) &&
    (/^(?:console|JSON|Math|logger)$/.test(target.expression.getText()) ||
      /^(?:push|join|concat|toString|includes|startsWith|isStatusCodeError)$/.test(target.name.text))
  );
}

/** Whether an error's status is passed to code that may decide by it. */
const isStatusPassedOn = (member: ts.PropertyAccessExpression): boolean => /^status(?:Code)?$/.test(member.name.text) && isPassedOn(member);

/** Whether the value is assigned, returned, or added to a list, also as a part of an object. */
function isPassedOn(node: ts.Node): boolean {
  const { parent } = outermost(node);
  if (ts.isPropertyAssignment(parent)) return isPassedOn(parent.parent);
  if (ts.isBinaryExpression(parent))
    return isDefaulting(parent) ? isPassedOn(parent) : parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  if (ts.isCallExpression(parent)) return calleeName(parent)?.text === "push";
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent);
}

/** Whether the use only reads a description of the error: `error.message`, `console.log(error)`, `${error}`, or a test. */
function isMessageOf(node: ts.Identifier): boolean {
  const whole = outermost(node);
  const { parent } = whole;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node || (SAYING.test(parent.name.text) && !isStatusPassedOn(parent));
  if (ts.isPropertyAssignment(parent)) return parent.name === node;
  if (ts.isTemplateSpan(parent)) return true;
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
  return (
    ts.isCallExpression(parent) &&
    parent.expression !== whole &&
    /^(?:console\.\w+|String|(?:.*\.)?isStatusCodeError)$/.test(parent.expression.getText())
  );
}
