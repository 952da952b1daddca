// Whether code checks the account's endpoint before using it: by a condition, an early return, an assertion or a default. The check itself
// is not evaluated, nor is the handling of a failure in a `try`.
import { ts } from "../typescript.ts";
import { isDefaulting, isShortCircuit, pathOf, unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

type Mentions = (part: ts.Node | undefined) => boolean;

/** Whether code around the node, or before it in an enclosing block, checks one of the names. */
export function isGuarded(node: ts.Node, names: readonly string[], source: ts.SourceFile): boolean {
  const mentions: Mentions = (part) => {
    if (part === undefined) return false;
    const text = source.text.slice(part.pos, part.end);
    // A function such as `hasSite(context)` may check the endpoint.
    return /endpoint/i.test(text) || names.some((name) => text.includes(name)) || GIVES_CONTEXT.test(text);
  };
  for (let child = node; child.parent !== undefined; child = child.parent)
    if (guards(child.parent, child, mentions) || (ts.isCaseBlock(child.parent) && isCaseGuarded(child.parent, node, mentions))) return true;
  return false;
}

function guards(parent: ts.Node, child: ts.Node, mentions: Mentions): boolean {
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent) || ts.isSwitchStatement(parent))
    return child !== parent.expression && mentions(parent.expression);
  if (ts.isConditionalExpression(parent)) return child !== parent.condition && mentions(parent.condition);
  if (ts.isBinaryExpression(parent)) return isShortCircuit(parent) && child === parent.right && mentions(parent.left) && isLookedAt(parent);
  if (ts.isTryStatement(parent)) return child === parent.tryBlock && parent.catchClause !== undefined;
  if (!ts.isBlock(parent) && !ts.isCaseOrDefaultClause(parent)) return false;
  const statements: readonly ts.Node[] = parent.statements;
  const index = statements.indexOf(child);
  return parent.statements.slice(0, index < 0 ? undefined : index).some((statement) => looksAt(statement, mentions));
}

/** Whether a clause of `switch (true) { case !!context.endpoint: … }` checks the endpoint. Clauses are evaluated before any statements. */
const isCaseGuarded = ({ clauses }: ts.CaseBlock, node: ts.Node, mentions: Mentions): boolean =>
  clauses.some((clause) => {
    if (!ts.isCaseClause(clause)) return false;
    const { pos, end } = clause.expression;
    return !(pos <= node.pos && node.end <= end) && mentions(clause.expression);
  });

/** Whether the left operand is a check of the right one. The left side of a default is not. */
const isLookedAt = (node: ts.BinaryExpression): boolean => !isDefaulting(node) || pathOf(node.left) === undefined;

/** Whether a statement may prevent execution from continuing without the endpoint. */
function looksAt(statement: ts.Statement, mentions: Mentions): boolean {
  if (ts.isIfStatement(statement) || ts.isSwitchStatement(statement) || ts.isWhileStatement(statement))
    return mentions(statement.expression);
  if (ts.isExpressionStatement(statement)) {
    const expression = unwrap(statement.expression);
    const isSet = ts.isBinaryExpression(expression) && expression.operatorToken.kind === SyntaxKind.EqualsToken;
    return isSet ? mentions(beforeLast(expression.right)) || mentions(expression.left) : mentions(statement);
  }
  // `const site = ensureExists(context.endpoint)`, `const has = !!context.endpoint`: any initializer that is not the plain value.
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(
      ({ initializer }) => initializer !== undefined && mentions(beforeLast(initializer)) && isTest(unwrap(initializer)),
    )
  );
}

/** Returns the operands that decide whether the last one is evaluated, if the last one is a plain value; otherwise the whole expression. */
function beforeLast(expression: ts.Expression): ts.Expression {
  const all = unwrap(expression);
  return ts.isBinaryExpression(all) && isShortCircuit(all) && pathOf(all.right) !== undefined ? all.left : expression;
}

function isTest(initializer: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(initializer) || ts.isConditionalExpression(initializer)) return true;
  if (ts.isCallExpression(initializer)) return /ensure|assert|check|require|Boolean|valid/i.test(initializer.expression.getText());
  return ts.isBinaryExpression(initializer) && initializer.operatorToken.kind !== SyntaxKind.PlusToken;
}

/**
 * Matches a call that receives the context and may check its endpoint. It matches from the start of a word, so that each word is scanned
 * once.
 */
export const GIVES_CONTEXT =
  /\b(?=is|has|can|should|does|needs|\w*(?:ensure|assert|check|require|valid|support))\w+\((?:[^()]*,)?\s*\w*(?:context|ctx)\s*[,)]/i;
