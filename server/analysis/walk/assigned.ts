// An assignment to a name → what it gives, and where that counts.
import { ts } from "ts-morph";
import { FILE_SCOPE } from "../declarations.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import type { Span, Value } from "../model.ts";
import type { Definition } from "../reaching-definitions.ts";

const { SyntaxKind } = ts;

/** Of an assignment to a plain name; undefined for an operator that makes something else of it than a text or one of two. */
export function definitionOf(node: ts.BinaryExpression, body: Span, context: EvaluateContext): Definition | undefined {
  const value = assignedValue(node, context);
  if (value === undefined) return undefined;
  const around = surroundings(node);
  return { offset: node.end, value, body, ...around };
}

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

const spanOf = ({ pos, end }: ts.Node): Span => ({ start: pos, end });

/** What is around an assignment, up to the function that it stands in. */
function surroundings(node: ts.Node): Pick<Definition, "region" | "branch" | "reach" | "loops"> {
  let child = node;
  while (child.parent.kind === SyntaxKind.ParenthesizedExpression) child = child.parent;
  // Inside an expression it may be left out.
  let region = child.parent.kind === SyntaxKind.ExpressionStatement ? undefined : spanOf(node);
  let condition: Span | undefined;
  let outer: Span | undefined;
  let reach: Span | undefined;
  const loops: Span[] = [];
  for (let { parent } = child; parent !== undefined; child = parent, parent = parent.parent) {
    if (ts.isFunctionLike(parent) || ts.isClassLike(parent)) {
      region ??= spanOf(parent);
      outer ??= spanOf(parent);
      break;
    }
    if (ts.isIterationStatement(parent, false)) loops.push(spanOf(parent));
    if (mayBeLeftOut(child, parent)) {
      if (region !== undefined) outer ??= spanOf(child);
      else if (hasBothBranches(parent)) condition = spanOf(parent);
      region ??= spanOf(child);
    }
    if (reach === undefined && endsWithReturn(parent)) reach = spanOf(parent);
  }
  const branch = condition === undefined ? {} : { branch: { of: condition, region: outer ?? FILE_SCOPE } };
  return { region: region ?? FILE_SCOPE, ...branch, reach: reach ?? FILE_SCOPE, loops };
}

const hasBothBranches = (node: ts.Node): boolean => ts.isIfStatement(node) && node.elseStatement !== undefined;

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
