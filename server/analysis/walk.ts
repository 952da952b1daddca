// One walk over a statement of a file's top level: the names it declares and changes, the calls that matter to packs, the texts that are
// put together. What comes out is plain data without nodes: when text before the statement changes, it is moved as it is, so
// every position in it is a number called `start`, `end` or `offset`.
import { ts } from "ts-morph";
import { collectContextFacts, NO_CONTEXT } from "./context-facts.ts";
import { Declarations } from "./declarations.ts";
import type { EvaluateContext } from "./evaluate.ts";
import { useContext } from "./walk/context-member.ts";
import { ENTER, enterBinary, enterBlock, enterBranch, enterCall, enterFunction, enterText } from "./walk/enter.ts";
import { handOut } from "./walk/let-go.ts";
import { readParameter, readVariable } from "./walk/read-variable.ts";
import { useToolkit } from "./walk/toolkit-use.ts";
import { type Frame, NO_NAMES, OUTERMOST, type Walked, type Walking } from "./walk/walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind, forEachChild } = ts;

/** One walk over the whole statement. Most nodes are of no interest: what is done with one is looked up by its kind alone. */
export function walk(statement: ts.Statement, context: EvaluateContext): Walked {
  const contextCalls: ts.CallExpression[] = [];
  const found: Walking = {
    context: NO_CONTEXT,
    declarations: new Declarations(),
    calls: [],
    handedCalls: [],
    texts: [],
    tokenAliases: NO_NAMES,
    handedOver: [],
    contextCalls,
    required: [],
    contextMembers: [],
    definitions: [],
    toolkitUses: [],
    builderCalls: [],
  };
  visit(statement, OUTERMOST, context, found);
  found.context = collectContextFacts(statement, contextCalls, context);
  // Facts hold no nodes.
  found.contextCalls = NO_CALLS;
  return found;
}

const NO_CALLS: ts.CallExpression[] = [];

/**
 * The kinds that packs are full of by themselves, each with the parts that values stand in, in the order in which `forEachChild` has them;
 * then all others. So many kinds stand here that V8 makes a table of the switch: it does where no more than two of three places are empty.
 */
function visit(first: ts.Node, outer: Frame, context: EvaluateContext, walked: Walking): void {
  let node = first;
  let frame = outer;
  // What stands last in a node is gone on with here: without that, half of the walk's time goes into calling itself.
  for (;;) {
    const { kind } = node;
    // Names, texts, numbers and keywords have nothing in them.
    if (kind <= SyntaxKind.LastToken) return;
    switch (kind) {
      case SyntaxKind.PropertyAssignment: {
        const { name, initializer } = node as ts.PropertyAssignment;
        if (name.kind === SyntaxKind.ComputedPropertyName) visit(name, frame, context, walked);
        node = initializer;
        continue;
      }
      case SyntaxKind.PropertyAccessExpression:
        useToolkit(node as ts.PropertyAccessExpression, frame, context, walked);
        useContext(node as ts.PropertyAccessExpression, context, walked);
        node = (node as ts.PropertyAccessExpression).expression;
        continue;
      case SyntaxKind.ExpressionStatement:
      case SyntaxKind.AwaitExpression:
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.AsExpression:
      case SyntaxKind.SatisfiesExpression:
      case SyntaxKind.NonNullExpression:
      case SyntaxKind.TypeOfExpression:
      case SyntaxKind.VoidExpression:
      case SyntaxKind.SpreadElement:
      case SyntaxKind.SpreadAssignment:
      case SyntaxKind.ThrowStatement:
      case SyntaxKind.TemplateSpan:
        node = (node as ts.AwaitExpression).expression;
        continue;
      case SyntaxKind.ObjectLiteralExpression:
        visitAll((node as ts.ObjectLiteralExpression).properties, frame, context, walked);
        return;
      case SyntaxKind.ArrayLiteralExpression:
        visitAll((node as ts.ArrayLiteralExpression).elements, frame, context, walked);
        return;
      case SyntaxKind.CallExpression: {
        const { expression, arguments: given } = node as ts.CallExpression;
        enterCall(node as ts.CallExpression, frame, context, walked);
        visit(expression, frame, context, walked);
        visitAll(given, frame, context, walked);
        return;
      }
      case SyntaxKind.ElementAccessExpression: {
        const { expression, argumentExpression } = node as ts.ElementAccessExpression;
        visit(expression, frame, context, walked);
        node = argumentExpression;
        continue;
      }
      case SyntaxKind.BinaryExpression: {
        const { left, right } = node as ts.BinaryExpression;
        frame = enterBinary(node, frame, context, walked);
        visit(left, frame, context, walked);
        node = right;
        continue;
      }
      case SyntaxKind.ConditionalExpression: {
        const { condition, whenTrue, whenFalse } = node as ts.ConditionalExpression;
        frame = enterBranch(frame);
        visit(condition, frame, context, walked);
        visit(whenTrue, frame, context, walked);
        node = whenFalse;
        continue;
      }
      case SyntaxKind.TemplateExpression:
        enterText(node, frame, context, walked);
        visitAll((node as ts.TemplateExpression).templateSpans, frame, context, walked);
        return;
      case SyntaxKind.ArrowFunction:
      case SyntaxKind.FunctionExpression:
      case SyntaxKind.FunctionDeclaration: {
        const { modifiers, parameters, body } = node as ts.FunctionDeclaration;
        frame = enterFunction(node, frame, context, walked);
        if (modifiers !== undefined) visitAll(modifiers, frame, context, walked);
        for (let index = 0; index < parameters.length; index++)
          visitParameter(parameters[index] as ts.ParameterDeclaration, frame, context, walked);
        if (body === undefined) return;
        node = body;
        continue;
      }
      case SyntaxKind.VariableStatement:
        node = (node as ts.VariableStatement).declarationList;
        continue;
      case SyntaxKind.VariableDeclarationList:
        visitAll((node as ts.VariableDeclarationList).declarations, frame, context, walked);
        return;
      case SyntaxKind.VariableDeclaration: {
        const declaration = node as ts.VariableDeclaration;
        const { name, initializer } = declaration;
        readVariable(declaration, isBlockScoped(declaration) ? frame.block : frame.body, context, walked);
        if (name.kind !== SyntaxKind.Identifier) visit(name, frame, context, walked);
        if (initializer === undefined) return;
        node = initializer;
        continue;
      }
      case SyntaxKind.ArrayBindingPattern:
      case SyntaxKind.ObjectBindingPattern:
        visitAll((node as ts.BindingPattern).elements, frame, context, walked);
        return;
      case SyntaxKind.BindingElement: {
        const { propertyName, name, initializer } = node as ts.BindingElement;
        if (propertyName !== undefined) visit(propertyName, frame, context, walked);
        if (name.kind !== SyntaxKind.Identifier) visit(name, frame, context, walked);
        if (initializer === undefined) return;
        node = initializer;
        continue;
      }
      case SyntaxKind.Block:
        visitAll((node as ts.Block).statements, enterBlock(node, frame), context, walked);
        return;
      case SyntaxKind.ReturnStatement: {
        const { expression } = node as ts.ReturnStatement;
        if (expression === undefined) return;
        handOut(expression, node.parent, walked);
        node = expression;
        continue;
      }
      case SyntaxKind.IfStatement: {
        const { expression, thenStatement, elseStatement } = node as ts.IfStatement;
        frame = enterBranch(frame);
        visit(expression, frame, context, walked);
        visit(thenStatement, frame, context, walked);
        if (elseStatement === undefined) return;
        node = elseStatement;
        continue;
      }
      // Names of modules, and types: neither says anything of values, and the parser leaves names out of some parts of types.
      case SyntaxKind.ImportDeclaration:
      case SyntaxKind.TypeAliasDeclaration:
      case SyntaxKind.InterfaceDeclaration:
        return;
      default:
        visitOther(node, frame, context, walked);
        return;
    }
  }
}

function visitParameter(node: ts.ParameterDeclaration, frame: Frame, context: EvaluateContext, walked: Walking): void {
  const { modifiers, name, initializer } = node;
  readParameter(node, frame.body, context, walked);
  if (modifiers !== undefined) visitAll(modifiers, frame, context, walked);
  if (name.kind !== SyntaxKind.Identifier) visit(name, frame, context, walked);
  if (initializer !== undefined) visit(initializer, frame, context, walked);
}

/** By itself, because a function with a function in it is given room for what both see at each call. */
function visitOther(node: ts.Node, outer: Frame, context: EvaluateContext, walked: Walking): void {
  const { kind } = node;
  if (isOfTypes(kind)) return;
  if (kind === SyntaxKind.Parameter) {
    visitParameter(node as ts.ParameterDeclaration, outer, context, walked);
    return;
  }
  const frame = ENTER[kind]?.(node, outer, context, walked) ?? outer;
  forEachChild(node, (child) => visit(child, frame, context, walked));
}

function visitAll(nodes: readonly ts.Node[], frame: Frame, context: EvaluateContext, walked: Walking): void {
  for (let index = 0; index < nodes.length; index++) visit(nodes[index] as ts.Node, frame, context, walked);
}

const isOfTypes = (kind: ts.SyntaxKind): boolean =>
  (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode) ||
  (kind >= SyntaxKind.FirstJSDocNode && kind <= SyntaxKind.LastJSDocNode);

/** The list says so; the name of what is caught has none. */
const isBlockScoped = ({ parent }: ts.VariableDeclaration): boolean => (parent.flags & ts.NodeFlags.BlockScoped) !== 0;
