// What is done where the walk enters a node, by its kind: what it declares, writes to or hands on, and what holds inside it.
import { ts } from "ts-morph";
import { requiredModule } from "../commonjs.ts";
import { evaluateEnum, evaluateNamespace, evaluateStatics } from "../evaluate/declared-objects.ts";
import { calleeName, pathOf } from "../evaluate/path-of.ts";
import { isConcatOfTexts, isJoining, isSum } from "../evaluate/texts.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import type { Value } from "../model.ts";
import { mayHoldPlaceholder } from "../placeholders.ts";
import { definitionOf } from "./assigned.ts";
import { changed } from "./changed.ts";
import { assignDefinition, callDefinition } from "./defined.ts";
import { handOut, handOver, keep, letGoOfAll } from "./let-go.ts";
import { readCall, readNew } from "./read-call.ts";
import { useBuilder, useToolkit } from "./toolkit-use.ts";
import type { Frame, Walking } from "./walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind } = ts;

type Enter = (node: ts.Node, frame: Frame, context: EvaluateContext, walked: Walking) => Frame;

export const enterFunction: Enter = (node, frame, context, walked) => {
  if (ts.isFunctionDeclaration(node) && node.name) walked.declarations.declare(node.name.text, frame.block, functionValue(node, context));
  if (node.kind === SyntaxKind.ArrowFunction) handOut((node as ts.ArrowFunction).body, node, walked);
  const own = { start: node.pos, end: node.end };
  walked.declarations.enterFunction(own);
  return { block: own, body: own, conditional: false, outside: frame.conditional };
};

function functionValue(node: ts.FunctionDeclaration, context: EvaluateContext): Value {
  const async = node.modifiers?.some((modifier) => modifier.kind === SyntaxKind.AsyncKeyword) === true;
  return { file: context.file, start: node.getStart(context.source), end: node.getEnd(), kind: "function", async };
}

export function enterBlock(node: ts.Node, frame: Frame): Frame {
  const { pos, end } = node;
  // A function's own block is the function.
  if (node.parent.pos === frame.body.start && end === frame.body.end) return frame;
  const block = { start: pos, end };
  return frame.outside === undefined
    ? { block, body: frame.body, conditional: frame.conditional }
    : { block, body: frame.body, conditional: frame.conditional, outside: frame.outside };
}

export const enterBranch = (frame: Frame): Frame =>
  frame.conditional ? frame : { block: frame.block, body: frame.body, conditional: true };

const enterLoop: Enter = (node, frame, _, walked) => {
  if ((ts.isForInStatement(node) || ts.isForOfStatement(node)) && !ts.isVariableDeclarationList(node.initializer))
    changed(node.initializer, walked);
  const block = { start: node.pos, end: node.end };
  return { block, body: frame.body, conditional: true, outside: frame.conditional };
};

const enterCounting: Enter = (node, frame, _, walked) => {
  const { operator, operand } = node as ts.PrefixUnaryExpression | ts.PostfixUnaryExpression;
  if (operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken) changed(operand, walked);
  return frame;
};

export const enterBinary: Enter = (node, frame, context, walked) => {
  const { left, operatorToken } = node as ts.BinaryExpression;
  const operator = operatorToken.kind;
  if (operator === SyntaxKind.PlusToken) return enterText(node, frame, context, walked);
  const isAssignment = operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment;
  if (isAssignment) {
    changed(left, walked, "written", definitionOf(node as ts.BinaryExpression, frame.body, context));
    keep((node as ts.BinaryExpression).right, left, walked);
    assignDefinition(node as ts.BinaryExpression, frame, context, walked);
  }
  const isShort =
    operator === SyntaxKind.AmpersandAmpersandToken || operator === SyntaxKind.BarBarToken || operator === SyntaxKind.QuestionQuestionToken;
  return isShort ? enterBranch(frame) : frame;
};

export const enterText: Enter = (node, frame, context, walked) => {
  if (isSum(node.parent) || isPartOfJoining(node)) return frame;
  const text = evaluate(node as ts.Expression, context);
  if (mayHoldPlaceholder(text)) walked.texts.push(text);
  return frame;
};

/** The receiver or an argument of a further call that puts texts together: that one is the whole. */
const isPartOfJoining = (node: ts.Node): boolean =>
  (isJoining(node.parent.parent) && node.parent.kind === SyntaxKind.PropertyAccessExpression) || isConcatOfTexts(node.parent);

export function enterCall(node: ts.CallExpression, frame: Frame, context: EvaluateContext, walked: Walking): void {
  const called = calleeName(node);
  readCall(node, called, frame, context, walked);
  if (node.expression.kind === SyntaxKind.Identifier) useToolkit(node.expression, frame, context, walked);
  useBuilder(node, frame, context, walked);
  const module = called?.text === "require" ? requiredModule(node) : undefined;
  if (module !== undefined) walked.required.push(module);
  if (called?.text === "push" || called?.text === "assign") callDefinition(node, called.text, frame, context, walked);
  if (called?.text === "join" || called?.text === "concat") enterText(node, frame, context, walked);
}

/** By the kinds that the walk has no case of its own for. */
export const ENTER: readonly (Enter | undefined)[] = (() => {
  const table: (Enter | undefined)[] = [];
  const on = (enter: Enter, ...kinds: readonly ts.SyntaxKind[]): void => {
    for (const kind of kinds) table[kind] = enter;
  };
  on(enterFunction, SyntaxKind.MethodDeclaration, SyntaxKind.Constructor, SyntaxKind.GetAccessor, SyntaxKind.SetAccessor);
  on(enterBlock, SyntaxKind.ModuleBlock);
  on(enterLoop, SyntaxKind.ForStatement, SyntaxKind.ForInStatement, SyntaxKind.ForOfStatement, SyntaxKind.WhileStatement);
  on(enterLoop, SyntaxKind.DoStatement, SyntaxKind.CaseBlock, SyntaxKind.CatchClause);
  on(enterCounting, SyntaxKind.PrefixUnaryExpression, SyntaxKind.PostfixUnaryExpression);
  on((node, frame, context, walked) => {
    const { name } = node as ts.ClassDeclaration;
    if (name) walked.declarations.declare(name.text, frame.block, evaluateStatics(node as ts.ClassDeclaration, context));
    walked.declarations.enterFunction({ start: node.pos, end: node.end });
    return frame;
  }, SyntaxKind.ClassDeclaration);
  on((node, frame, _, walked) => {
    walked.declarations.enterFunction({ start: node.pos, end: node.end });
    return frame;
  }, SyntaxKind.ClassExpression);
  on((node, frame, context, walked) => {
    const { name } = node as ts.EnumDeclaration;
    walked.declarations.declare(name.text, frame.block, evaluateEnum(node as ts.EnumDeclaration, context));
    return frame;
  }, SyntaxKind.EnumDeclaration);
  on((node, frame, context, walked) => {
    const { name } = node as ts.ModuleDeclaration;
    const value = evaluateNamespace(node as ts.ModuleDeclaration, context);
    // One that holds types alone stands beside a value of its name.
    if (value.properties.length > 0) walked.declarations.declare(name.text, frame.block, value);
    return frame;
  }, SyntaxKind.ModuleDeclaration);
  on((node, frame, context, walked) => {
    handOver(node as ts.NewExpression, context, walked);
    useToolkit((node as ts.NewExpression).expression, frame, context, walked);
    readNew(node as ts.NewExpression, frame, context, walked);
    return frame;
  }, SyntaxKind.NewExpression);
  on((node, frame, _, walked) => {
    const { tag, template } = node as ts.TaggedTemplateExpression;
    const to = pathOf(tag)?.[0];
    if (template.kind === SyntaxKind.TemplateExpression)
      for (const { expression } of template.templateSpans) letGoOfAll(expression, to, walked);
    return frame;
  }, SyntaxKind.TaggedTemplateExpression);
  on((node, frame, _, walked) => {
    changed((node as ts.DeleteExpression).expression, walked, "deleted");
    return frame;
  }, SyntaxKind.DeleteExpression);
  return table;
})();
