// One walk over a top-level statement: its declarations and mutations, the calls that matter to packs, and the strings that it builds. The
// results contain no nodes, and their places read the statement's anchor.
import type { Expression } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { requiredModule } from "./commonjs.ts";
import { collectContextFacts } from "./context-facts.ts";
import { evaluateEnum, evaluateNamespace, evaluateStatics } from "./evaluate/declared-objects.ts";
import { isConcatOfTexts, isJoining, isSum } from "./evaluate/texts.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { Declarations, FILE_SCOPE } from "./names/declarations.ts";
import { calleeName, isAssignment, isAsync, isShortCircuit, pathOf } from "./nodes.ts";
import { mayContainPlaceholder } from "./placeholders.ts";
import { definitionOf, definitionWith } from "./walk/definitions.ts";
import { escapeAll, passArguments, readReturn, store } from "./walk/escapes.ts";
import { readContextPattern, useAccess, useBuilder, useToolkit } from "./walk/member-uses.ts";
import { assignPackProperty, callPackProperty } from "./walk/pack-properties.ts";
import { readCall, readNew } from "./walk/read-call.ts";
import { readMutation } from "./walk/read-mutation.ts";
import { readParameter, readVariable } from "./walk/read-variable.ts";
import { useName } from "./walk/use-name.ts";
import type { Walk, Walked } from "./walk/walked.ts";

const { SyntaxKind } = ts;

export function walk(statement: ts.Statement, context: EvaluateContext): Walked {
  const walking = startWalk(context);
  const visit = (node: ts.Node): void => {
    const { frame } = walking;
    const handle = HANDLERS[node.kind];
    if (handle !== undefined) handle(node, walking);
    else if (isType(node)) return;
    ts.forEachChild(node, visit);
    walking.frame = frame;
  };
  visit(statement);
  return { ...walking.facts, context: collectContextFacts(statement, walking.contextCalls, context) };
}

const startWalk = (context: EvaluateContext): Walk => ({
  context,
  frame: { block: FILE_SCOPE, body: FILE_SCOPE, conditional: false },
  facts: {
    declarations: new Declarations(),
    calls: [],
    methodAliases: [],
    texts: [],
    tokenAliases: new Set(),
    escapes: [],
    required: [],
    contextMembers: [],
    definitions: [],
    toolkitUses: [],
    builderCalls: [],
    awaits: [],
    bracedTexts: [],
    globalUses: [],
    names: { defines: new Set(), assigns: new Set(), reads: new Set(), extends: new Set() },
    requirements: [],
  },
  contextCalls: [],
});

/** Whether the node is a type. Types contain no values, and the parser omits names in some of them. */
const isType = (node: ts.Node): boolean =>
  (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

/**
 * Reads a node before the walk descends into it. A frame that it sets applies inside the node. The method syntax allows it to take nodes of
 * one kind.
 */
type Handler = { handle(node: ts.Node, walk: Walk): void }["handle"];

const HANDLERS: { readonly [Kind in ts.SyntaxKind]?: Handler } = {
  [SyntaxKind.Identifier]: useName,
  [SyntaxKind.StringLiteral]: readLiteral,
  [SyntaxKind.NoSubstitutionTemplateLiteral]: readLiteral,
  [SyntaxKind.TemplateHead]: readLiteral,
  [SyntaxKind.TemplateMiddle]: readLiteral,
  [SyntaxKind.TemplateTail]: readLiteral,
  [SyntaxKind.VariableDeclaration]: enterVariable,
  [SyntaxKind.Parameter]: readParameter,
  [SyntaxKind.FunctionDeclaration]: enterFunctionDeclaration,
  [SyntaxKind.FunctionExpression]: enterFunction,
  [SyntaxKind.ArrowFunction]: enterArrowFunction,
  [SyntaxKind.MethodDeclaration]: enterFunction,
  [SyntaxKind.Constructor]: enterFunction,
  [SyntaxKind.GetAccessor]: enterFunction,
  [SyntaxKind.SetAccessor]: enterFunction,
  [SyntaxKind.ClassDeclaration]: enterClass,
  [SyntaxKind.ClassExpression]: enterClass,
  [SyntaxKind.EnumDeclaration]: enterEnum,
  [SyntaxKind.ModuleDeclaration]: enterNamespace,
  [SyntaxKind.ModuleBlock]: enterBlock,
  [SyntaxKind.ImportEqualsDeclaration]: enterImportEquals,
  [SyntaxKind.Block]: enterBlock,
  [SyntaxKind.IfStatement]: enterBranch,
  [SyntaxKind.ForStatement]: enterLoop,
  [SyntaxKind.ForInStatement]: enterIteration,
  [SyntaxKind.ForOfStatement]: enterIteration,
  [SyntaxKind.WhileStatement]: enterLoop,
  [SyntaxKind.DoStatement]: enterLoop,
  [SyntaxKind.CaseBlock]: enterLoop,
  [SyntaxKind.CatchClause]: enterLoop,
  [SyntaxKind.ReturnStatement]: enterReturn,
  [SyntaxKind.CallExpression]: enterCall,
  [SyntaxKind.NewExpression]: enterNew,
  [SyntaxKind.AwaitExpression]: readAwait,
  [SyntaxKind.TaggedTemplateExpression]: enterTaggedTemplate,
  [SyntaxKind.TemplateExpression]: readText,
  [SyntaxKind.PropertyAccessExpression]: useAccess,
  [SyntaxKind.BinaryExpression]: enterBinary,
  [SyntaxKind.ConditionalExpression]: enterBranch,
  [SyntaxKind.DeleteExpression]: enterDelete,
  [SyntaxKind.PrefixUnaryExpression]: enterUnary,
  [SyntaxKind.PostfixUnaryExpression]: enterUnary,
};

function enterVariable(node: ts.VariableDeclaration, walk: Walk): void {
  // The declaration list has the flag; a catch variable has none.
  const isBlockScoped = (node.parent.flags & ts.NodeFlags.BlockScoped) !== 0;
  readVariable(node, isBlockScoped ? walk.frame.block : walk.frame.body, walk);
  readContextPattern(node, walk);
}

function enterFunctionDeclaration(node: ts.FunctionDeclaration, walk: Walk): void {
  const { context, frame, facts } = walk;
  if (node.name)
    facts.declarations.declare(node.name.text, frame.block, { kind: "function", place: context.places.of(node), async: isAsync(node) });
  enterFunction(node, walk);
}

function enterArrowFunction(node: ts.ArrowFunction, walk: Walk): void {
  if (!ts.isBlock(node.body)) readReturn(node.body, node, walk);
  enterFunction(node, walk);
}

function enterFunction(node: ts.Node, walk: Walk): void {
  const own = walk.context.places.whole(node);
  walk.facts.declarations.enterFunction(own);
  walk.frame = { block: own, body: own, conditional: false, outside: walk.frame.conditional };
}

function enterClass(node: ts.ClassLikeDeclaration, { context, frame, facts }: Walk): void {
  if (ts.isClassDeclaration(node) && node.name) facts.declarations.declare(node.name.text, frame.block, evaluateStatics(node, context));
  facts.declarations.enterFunction(context.places.whole(node));
}

function enterEnum(node: ts.EnumDeclaration, { context, frame, facts }: Walk): void {
  facts.declarations.declare(node.name.text, frame.block, evaluateEnum(node, context));
}

function enterNamespace(node: ts.ModuleDeclaration, { context, frame, facts }: Walk): void {
  const value = evaluateNamespace(node, context);
  // A namespace of types only may have the same name as a value.
  if (value.properties.length > 0) facts.declarations.declare(node.name.text, frame.block, value);
}

/** Declares an alias: `import Types = coda.AuthenticationType`. */
function enterImportEquals({ name, moduleReference }: ts.ImportEqualsDeclaration, { context, frame, facts }: Walk): void {
  if (ts.isExternalModuleReference(moduleReference)) return;
  const nameSpan = context.places.of(moduleReference);
  const path = moduleReference
    .getText(context.source)
    .split(".")
    .map((name) => name.trim());
  facts.declarations.declare(name.text, frame.block, { kind: "reference", place: nameSpan, path, nameSpan });
}

function enterBlock(node: ts.Node, walk: Walk): void {
  const { body } = walk.frame;
  // A function's own block is the function.
  if (node.parent.pos === body.start && node.end === body.end) return;
  walk.frame = { ...walk.frame, block: walk.context.places.whole(node) };
}

function enterBranch(_: ts.Node, walk: Walk): void {
  if (!walk.frame.conditional) walk.frame = { block: walk.frame.block, body: walk.frame.body, conditional: true };
}

function enterLoop(node: ts.Node, walk: Walk): void {
  const { body, conditional } = walk.frame;
  walk.frame = { block: walk.context.places.whole(node), body, conditional: true, outside: conditional };
}

function enterIteration(node: ts.ForInOrOfStatement, walk: Walk): void {
  if (!ts.isVariableDeclarationList(node.initializer)) readMutation(node.initializer, walk);
  enterLoop(node, walk);
}

function enterReturn(node: ts.ReturnStatement, walk: Walk): void {
  if (node.expression !== undefined) readReturn(node.expression, node, walk);
}

function enterCall(node: ts.CallExpression, walk: Walk): void {
  const calleeNode = calleeName(node);
  readCall(node, calleeNode, walk);
  if (ts.isIdentifier(node.expression)) useToolkit(node.expression, walk);
  useBuilder(node, walk);
  switch (calleeNode?.text) {
    case "require": {
      const module = requiredModule(node);
      if (module !== undefined) walk.facts.required.push(module);
      break;
    }
    case "push":
    case "assign":
      callPackProperty(node, calleeNode.text, walk);
      break;
    case "join":
    case "concat":
      readText(node, walk);
  }
}

function readAwait(node: ts.Node, { context, frame, facts }: Walk): void {
  if (!frame.conditional) facts.awaits.push({ place: context.places.of(node), within: frame.body });
}

function enterNew(node: ts.NewExpression, walk: Walk): void {
  passArguments(node, walk);
  useToolkit(node.expression, walk);
  readNew(node, walk);
}

function enterTaggedTemplate({ tag, template }: ts.TaggedTemplateExpression, walk: Walk): void {
  if (!ts.isTemplateExpression(template)) return;
  const to = pathOf(tag)?.[0];
  for (const { expression } of template.templateSpans) escapeAll(expression, to, walk);
}

function enterBinary(node: ts.BinaryExpression, walk: Walk): void {
  const operator = node.operatorToken.kind;
  if (operator === SyntaxKind.PlusToken) readText(node, walk);
  else if (isAssignment(operator)) {
    readMutation(node.left, walk, "written", definitionOf(node, walk));
    store(node.right, node.left, walk);
    assignPackProperty(node, walk);
  } else if (isShortCircuit(node)) enterBranch(node, walk);
}

function enterDelete(node: ts.DeleteExpression, walk: Walk): void {
  const nothing: Expression = { kind: "undefined", place: walk.context.places.point(node.end) };
  readMutation(node.expression, walk, "deleted", definitionWith(nothing, node, walk));
}

function enterUnary({ operator, operand }: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression, walk: Walk): void {
  if (operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken) readMutation(operand, walk);
}

function readLiteral(node: ts.LiteralLikeNode, walk: Walk): void {
  if (ts.isStringLiteral(node)) useName(node, walk);
  if (node.text.includes("{")) walk.facts.bracedTexts.push(walk.context.places.of(node));
}

function readText(node: ts.Expression, { context, facts }: Walk): void {
  if (isSum(node.parent) || isPartOfJoining(node)) return;
  const text = evaluate(node, context);
  if (mayContainPlaceholder(text)) facts.texts.push(text);
}

/** Whether the node is the receiver or an argument of a further joining call, which is read as a whole. */
const isPartOfJoining = (node: ts.Node): boolean =>
  (isJoining(node.parent.parent) && ts.isPropertyAccessExpression(node.parent)) || isConcatOfTexts(node.parent);
