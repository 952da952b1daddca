// An assignment to a name → what it gives, and where that counts.
import { ts } from "ts-morph";
import { FILE_SCOPE } from "../declarations.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import type { Span, Value } from "../model.ts";
import type { Branching, Definition } from "../reaching-definitions.ts";

const { SyntaxKind } = ts;

/** Of an assignment to a plain name; undefined for an operator that makes something else of it than a text or one of two. */
export function definitionOf(node: ts.BinaryExpression, body: Span, context: EvaluateContext): Definition | undefined {
  const value = assignedValue(node, context);
  return value && definitionWith(value, node, body);
}

/** Of what gives a value, when it has run. */
export const definitionWith = (value: Value, node: ts.Node, body: Span): Definition => ({
  offset: node.end,
  value,
  body,
  ...surroundings(node),
});

function assignedValue(node: ts.BinaryExpression, context: EvaluateContext): Value | undefined {
  const { left, operatorToken, right } = node;
  const given = evaluate(right, context);
  const at = { file: context.file, start: node.getStart(context.source), end: node.end };
  switch (operatorToken.kind) {
    case SyntaxKind.EqualsToken:
      return given;
    case SyntaxKind.PlusEqualsToken:
      return { ...at, kind: "template", parts: [evaluate(left, context), given] };
    case SyntaxKind.BarBarEqualsToken:
      return { ...at, kind: "choice", by: "||", options: [evaluate(left, context), given] };
    case SyntaxKind.QuestionQuestionEqualsToken:
      return { ...at, kind: "choice", by: "??", options: [evaluate(left, context), given] };
    case SyntaxKind.AmpersandAmpersandEqualsToken:
      return { ...at, kind: "choice", options: [evaluate(left, context), given] };
    default:
      return undefined;
  }
}

/** Loops in loops: nobody writes more. */
const MOST_LOOPS = 20;

const spanOf = ({ pos, end }: ts.Node): Span => ({ start: pos, end });

/** What is around an assignment, up to the function that it stands in. */
function surroundings(node: ts.Node): Pick<Definition, "region" | "branches" | "reach" | "loops"> {
  let child = node;
  while (child.parent.kind === SyntaxKind.ParenthesizedExpression) child = child.parent;
  const isStatement = child.parent.kind === SyntaxKind.ExpressionStatement;
  // Inside an expression it may be left out.
  const regions: Span[] = isStatement ? [] : [spanOf(node)];
  const branchings: Omit<Branching, "region">[] = [];
  let isAlwaysTaken = isStatement;
  let reach: Span | undefined;
  const loops: Span[] = [];
  for (let { parent } = child; parent !== undefined; child = parent, parent = parent.parent) {
    const isEnd = ts.isFunctionLike(parent) || ts.isClassLike(parent);
    if (ts.isIterationStatement(parent, false) && loops.length < MOST_LOOPS) loops.push(spanOf(parent));
    if (isEnd || mayBeLeftOut(child, parent)) {
      // What is around the last of the branches is the last that counts.
      if (regions.length <= branchings.length) regions.push(spanOf(isEnd ? parent : child));
      const ways = isAlwaysTaken ? waysThrough(parent) : [];
      isAlwaysTaken = ways.length > 0;
      if (isAlwaysTaken) branchings.push({ of: spanOf(parent), ways: ways.map(spanOf) });
    }
    if (isEnd) break;
    if (reach === undefined && endsWithReturn(parent)) reach = spanOf(parent);
  }
  const branches = branchings.map((branching, index) => ({ ...branching, region: regions[index + 1] ?? FILE_SCOPE }));
  return { region: regions[0] ?? FILE_SCOPE, branches, reach: reach ?? FILE_SCOPE, loops };
}

/** The branches of a statement that takes one of them in any case, without those that leave what is around it. */
function waysThrough(node: ts.Node): readonly ts.Node[] {
  return branchesOf(node).filter((branch) => !leaves(branch));
}

function branchesOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isIfStatement(node)) return node.elseStatement === undefined ? [] : [node.thenStatement, node.elseStatement];
  if (ts.isTryStatement(node)) return node.catchClause === undefined ? [] : [node.tryBlock, node.catchClause];
  if (!ts.isCaseBlock(node) || !node.clauses.some(ts.isDefaultClause)) return [];
  // One without statements goes on in the next.
  return node.clauses.filter(({ statements }, index) => statements.length > 0 || index === node.clauses.length - 1);
}

/** Whether what stands behind the branch is not come to by it. */
function leaves(branch: ts.Node): boolean {
  const isList = ts.isBlock(branch) || ts.isCaseOrDefaultClause(branch);
  const last = ts.isCatchClause(branch) ? branch.block.statements.at(-1) : isList ? branch.statements.at(-1) : branch;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last));
}

function mayBeLeftOut(child: ts.Node, parent: ts.Node): boolean {
  switch (parent.kind) {
    case SyntaxKind.TryStatement:
      return (parent as ts.TryStatement).catchClause !== undefined && child !== (parent as ts.TryStatement).finallyBlock;
    case SyntaxKind.IfStatement:
    case SyntaxKind.LabeledStatement:
    case SyntaxKind.ForStatement:
    case SyntaxKind.ForInStatement:
    case SyntaxKind.ForOfStatement:
    case SyntaxKind.WhileStatement:
    case SyntaxKind.DoStatement:
    case SyntaxKind.CaseBlock:
      return true;
    default:
      return false;
  }
}

function endsWithReturn(node: ts.Node): boolean {
  if (!ts.isBlock(node) && !ts.isCaseOrDefaultClause(node)) return false;
  return node.statements.at(-1)?.kind === SyntaxKind.ReturnStatement;
}
