// The value that an assignment gives to a name, and the code that sees it.

import type { Branching, Definition } from "../../model/mutations.ts";
import type { Expression, Place } from "../../model/values.ts";
import type { Placing } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { FILE_SCOPE } from "../names/declarations.ts";
import type { Walk } from "./walked.ts";

const { SyntaxKind } = ts;

/** Returns the definition of an assignment to a name. Returns undefined for arithmetic operators, whose results are unknown. */
export function definitionOf(node: ts.BinaryExpression, walk: Walk): Definition | undefined {
  const value = assignedValue(node, walk.context);
  return value && definitionWith(value, node, walk);
}

/** Returns the definition of a value that the node assigns when it has run. */
export const definitionWith = (value: Expression, node: ts.Node, { context, frame }: Walk): Definition => ({
  at: context.places.point(node.end),
  value,
  body: frame.body,
  ...surroundings(node, context.places),
});

function assignedValue(node: ts.BinaryExpression, context: EvaluateContext): Expression | undefined {
  const { left, operatorToken, right } = node;
  const value = evaluate(right, context);
  const place = context.places.of(node);
  switch (operatorToken.kind) {
    case SyntaxKind.EqualsToken:
      return value;
    case SyntaxKind.PlusEqualsToken:
      return { kind: "template", place, parts: [evaluate(left, context), value] };
    case SyntaxKind.BarBarEqualsToken:
      return { kind: "choice", place, decidedBy: "||", options: [evaluate(left, context), value] };
    case SyntaxKind.QuestionQuestionEqualsToken:
      return { kind: "choice", place, decidedBy: "??", options: [evaluate(left, context), value] };
    case SyntaxKind.AmpersandAmpersandEqualsToken:
      return { kind: "choice", place, decidedBy: "unknown", options: [evaluate(left, context), value] };
    default:
      return undefined;
  }
}

/** Maximum number of nested loops. */
const MOST_LOOPS = 20;

/** Returns the statements around an assignment, up to its function. */
function surroundings(node: ts.Node, places: Placing): Pick<Definition, "region" | "branches" | "reach" | "loops"> {
  let child = node;
  while (ts.isParenthesizedExpression(child.parent)) child = child.parent;
  const isStatement = ts.isExpressionStatement(child.parent);
  // An assignment inside an expression may not run.
  const regions: Place[] = isStatement ? [] : [places.whole(node)];
  const branchings: Omit<Branching, "region">[] = [];
  let isUnconditional = isStatement;
  let reach: Place | undefined;
  const loops: Place[] = [];
  for (let { parent } = child; parent !== undefined; child = parent, parent = parent.parent) {
    const isEnd = ts.isFunctionLike(parent) || ts.isClassLike(parent);
    if (ts.isIterationStatement(parent, false) && loops.length < MOST_LOOPS) loops.push(places.whole(parent));
    if (isEnd || mayBeLeftOut(child, parent)) {
      // Only the regions up to the last branching statement are needed.
      if (regions.length <= branchings.length) regions.push(places.whole(isEnd ? parent : child));
      const ways = isUnconditional ? waysThrough(parent) : [];
      isUnconditional = ways.length > 0;
      if (isUnconditional) branchings.push({ of: places.whole(parent), ways: ways.map((way) => places.whole(way)) });
    }
    if (isEnd) break;
    if (reach === undefined && endsWithReturn(parent)) reach = places.whole(parent);
  }
  const branches = branchings.map((branching, index) => ({ ...branching, region: regions[index + 1] ?? FILE_SCOPE }));
  return { region: regions[0] ?? FILE_SCOPE, branches, reach: reach ?? FILE_SCOPE, loops };
}

/** Returns the branches of a statement that always takes one of them, without those that leave the statement around it. */
function waysThrough(node: ts.Node): readonly ts.Node[] {
  return branchesOf(node).filter((branch) => !leaves(branch));
}

function branchesOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isIfStatement(node)) return node.elseStatement === undefined ? [] : [node.thenStatement, node.elseStatement];
  if (ts.isTryStatement(node)) return node.catchClause === undefined ? [] : [node.tryBlock, node.catchClause];
  if (!ts.isCaseBlock(node) || !node.clauses.some(ts.isDefaultClause)) return [];
  // A clause without statements falls through to the next.
  return node.clauses.filter(({ statements }, index) => statements.length > 0 || index === node.clauses.length - 1);
}

/** Whether control does not reach the code after the statement from this branch. */
function leaves(branch: ts.Node): boolean {
  const isList = ts.isBlock(branch) || ts.isCaseOrDefaultClause(branch);
  const last = ts.isCatchClause(branch) ? branch.block.statements.at(-1) : isList ? branch.statements.at(-1) : branch;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last));
}

function mayBeLeftOut(child: ts.Node, parent: ts.Node): boolean {
  if (ts.isTryStatement(parent)) return parent.catchClause !== undefined && child !== parent.finallyBlock;
  return ts.isIfStatement(parent) || ts.isLabeledStatement(parent) || ts.isIterationStatement(parent, false) || ts.isCaseBlock(parent);
}

function endsWithReturn(node: ts.Node): boolean {
  if (!ts.isBlock(node) && !ts.isCaseOrDefaultClause(node)) return false;
  const last = node.statements.at(-1);
  return last !== undefined && ts.isReturnStatement(last);
}
