// What statements return, as one expression: a choice for each condition on the way to a `return`.

import type { Choice, Expression } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { decisionOf, type EvaluateContext, evaluate } from "./evaluate.ts";
import { isFunction } from "./nodes.ts";

/** A value; "throws" if there is none; undefined if the way there cannot be followed. */
type Result = Expression | "throws" | undefined;

/** What follows a statement, which is read at most once. */
type Next = () => Result;

/** `end` is the value at the end of the statements. */
export function returnedBy(statements: readonly ts.Statement[], end: Expression, context: EvaluateContext): Expression | undefined {
  const result = run(
    statements,
    () => end,
    () => undefined,
    context,
  );
  return result === "throws" ? undefined : result;
}

/** `leave` is what follows the enclosing switch. */
function run(statements: readonly ts.Statement[], next: Next, leave: Next, context: EvaluateContext): Result {
  const index = statements.findIndex(exits);
  const statement = statements[index];
  if (statement === undefined) return next();
  if (ts.isReturnStatement(statement)) {
    const { expression, end } = statement;
    return expression === undefined ? { kind: "undefined", place: context.places.point(end) } : evaluate(expression, context);
  }
  if (ts.isThrowStatement(statement)) return "throws";
  if (ts.isBreakStatement(statement)) return leave();
  const after = once(() => run(statements.slice(index + 1), next, leave, context));
  if (ts.isBlock(statement)) return run(statement.statements, after, leave, context);
  if (ts.isIfStatement(statement)) {
    const { expression, thenStatement, elseStatement } = statement;
    const otherwise = elseStatement === undefined ? after() : run([elseStatement], after, leave, context);
    return choice(decisionOf(expression, context), run([thenStatement], after, leave, context), otherwise, expression, context);
  }
  if (ts.isSwitchStatement(statement)) return runSwitch(statement, after, context);
  if (!ts.isTryStatement(statement) || statement.finallyBlock !== undefined || statement.catchClause === undefined) return undefined;
  const [tried, caught] = [statement.tryBlock, statement.catchClause.block].map((block) => run([block], after, leave, context));
  return choice("unknown", tried, caught, statement, context);
}

function runSwitch({ expression, caseBlock: { clauses } }: ts.SwitchStatement, after: Next, context: EvaluateContext): Result {
  /** Runs from a clause on, since control falls through to the next. */
  const from = (index: number): Result =>
    run(
      clauses.slice(index).flatMap(({ statements }) => [...statements]),
      after,
      after,
      context,
    );
  const standard = clauses.findIndex(ts.isDefaultClause);
  let result = standard < 0 ? after() : from(standard);
  const left = evaluate(expression, context);
  for (const [index, clause] of [...clauses.entries()].reverse()) {
    if (ts.isDefaultClause(clause)) continue;
    const right = evaluate(clause.expression, context);
    result = choice({ kind: "comparison", place: right.place, left, right, negated: false }, from(index), result, clause, context);
  }
  return result;
}

function choice(decidedBy: Choice["decidedBy"], yes: Result, no: Result, node: ts.Node, { places }: EvaluateContext): Result {
  if (yes === "throws" || yes === undefined) return yes === undefined ? undefined : no;
  if (no === "throws" || no === undefined) return no === undefined ? undefined : yes;
  return { kind: "choice", place: places.of(node), decidedBy, options: [yes, no] };
}

function once(read: Next): Next {
  let result: { readonly of: Result } | undefined;
  return () => {
    result ??= { of: read() };
    return result.of;
  };
}

/** Whether control may leave the statements there. A loop keeps its own `break`. */
function exits(node: ts.Node): boolean {
  if (ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isBreakStatement(node)) return true;
  if (isFunction(node) || ts.isClassLike(node)) return false;
  const isLoop = ts.isIterationStatement(node, false);
  return (
    ts.forEachChild(node, (child) => (exits(child) && !(isLoop && ts.isBlock(child) && !child.statements.some(returns))) || undefined) ===
    true
  );
}

/** Whether the function may end there. */
const returns = (node: ts.Node): boolean =>
  ts.isReturnStatement(node) ||
  ts.isThrowStatement(node) ||
  (!isFunction(node) && !ts.isClassLike(node) && ts.forEachChild(node, (child) => returns(child) || undefined) === true);
