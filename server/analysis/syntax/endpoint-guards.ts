// Whether code looks at the account's endpoint before it uses it: by a condition, an early return, an assertion, a default. How it looks is
// not judged, nor is what a `try` makes of a failure.
import { ts } from "../typescript.ts";
import { isDefaulting, isShortCircuit, pathOf, unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

type Mentions = (part: ts.Node | undefined) => boolean;

/** Whether something around the node, or before it in a block around it, looks at one of the names. */
export function isGuarded(node: ts.Node, names: readonly string[], source: ts.SourceFile): boolean {
  const mentions: Mentions = (part) => {
    if (part === undefined) return false;
    const text = source.text.slice(part.pos, part.end);
    // `hasSite(context)` may look at it, too.
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

/** `switch (true) { case !!context.endpoint: … }`: each clause looks before the statements of any. */
const isCaseGuarded = ({ clauses }: ts.CaseBlock, node: ts.Node, mentions: Mentions): boolean =>
  clauses.some((clause) => {
    if (!ts.isCaseClause(clause)) return false;
    const { pos, end } = clause.expression;
    return !(pos <= node.pos && node.end <= end) && mentions(clause.expression);
  });

/** Whether what stands left says something of what stands right: a value that is taken first does not. */
const isLookedAt = (node: ts.BinaryExpression): boolean => !isDefaulting(node) || pathOf(node.left) === undefined;

/** A statement that may not go on without what it mentions. */
function looksAt(statement: ts.Statement, mentions: Mentions): boolean {
  if (ts.isIfStatement(statement) || ts.isSwitchStatement(statement) || ts.isWhileStatement(statement))
    return mentions(statement.expression);
  if (ts.isExpressionStatement(statement)) {
    const expression = unwrap(statement.expression);
    const isSet = ts.isBinaryExpression(expression) && expression.operatorToken.kind === SyntaxKind.EqualsToken;
    return isSet ? mentions(beforeLast(expression.right)) || mentions(expression.left) : mentions(statement);
  }
  // `const site = ensureExists(context.endpoint)`, `const has = !!context.endpoint`: whatever is not the plain value.
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(
      ({ initializer }) => initializer !== undefined && mentions(beforeLast(initializer)) && isTest(unwrap(initializer)),
    )
  );
}

/** What decides whether the last operand is looked at: that one is taken as it is. */
function beforeLast(expression: ts.Expression): ts.Expression {
  const all = unwrap(expression);
  return ts.isBinaryExpression(all) && isShortCircuit(all) && pathOf(all.right) !== undefined ? all.left : expression;
}

function isTest(initializer: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(initializer) || ts.isConditionalExpression(initializer)) return true;
  if (ts.isCallExpression(initializer)) return /ensure|assert|check|require|Boolean|valid/i.test(initializer.expression.getText());
  return ts.isBinaryExpression(initializer) && initializer.operatorToken.kind !== SyntaxKind.PlusToken;
}

/** A call that is given the context and may look at its endpoint. From where a word begins, so that each is looked through once. */
export const GIVES_CONTEXT =
  /\b(?=is|has|can|should|does|needs|\w*(?:ensure|assert|check|require|valid|support))\w+\((?:[^()]*,)?\s*\w*(?:context|ctx)\s*[,)]/i;
