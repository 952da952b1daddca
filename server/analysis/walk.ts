// One walk over a statement of a file's top level: the names it declares and changes, the calls that matter to packs, the texts that are
// put together. What comes out is plain data that outlives the tree: when text before the statement changes, it is moved as it is, so
// every position in it is a number called `start`, `end` or `offset`.
import { ts } from "ts-morph";
import { collectContextFacts } from "./context-facts.ts";
import { Declarations } from "./declarations.ts";
import type { EvaluateContext } from "./evaluate.ts";
import { ENTER, enterCall } from "./walk/enter.ts";
import { readVariable } from "./walk/read-variable.ts";
import { type Frame, OUTERMOST, type Walked, type Walking } from "./walk/walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind, forEachChild } = ts;

const NO_NAMES: ReadonlySet<string> = new Set();

/** One walk over the whole statement. Most nodes are of no interest: what is done with one is looked up by its kind alone. */
export function walk(statement: ts.Statement, context: EvaluateContext): Walked {
  const contextCalls: ts.CallExpression[] = [];
  const found: Walking = {
    declarations: new Declarations(),
    calls: [],
    handedCalls: [],
    texts: [],
    tokenAliases: undefined,
    handedOver: [],
    contextCalls,
  };
  visit(statement, OUTERMOST, context, found);
  const { declarations, calls, handedCalls, texts, tokenAliases, handedOver } = found;
  return {
    context: collectContextFacts(statement, contextCalls, context),
    declarations,
    calls,
    handedCalls,
    texts,
    tokenAliases: tokenAliases ?? NO_NAMES,
    handedOver,
  };
}

/** The kinds that packs are full of by themselves, each with the parts that values stand in; then all others. */
function visit(node: ts.Node, outer: Frame, context: EvaluateContext, walked: Walking): void {
  const { kind } = node;
  switch (kind) {
    case SyntaxKind.Identifier:
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NumericLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
    case SyntaxKind.NullKeyword:
    case SyntaxKind.AsyncKeyword:
    case SyntaxKind.ExportKeyword:
      return;
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ExpressionStatement:
    case SyntaxKind.AwaitExpression:
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.SpreadElement:
    case SyntaxKind.SpreadAssignment:
      visit((node as ts.AwaitExpression).expression, outer, context, walked);
      return;
    case SyntaxKind.PropertyAssignment: {
      const { name, initializer } = node as ts.PropertyAssignment;
      if (name.kind === SyntaxKind.ComputedPropertyName) visit(name, outer, context, walked);
      visit(initializer, outer, context, walked);
      return;
    }
    case SyntaxKind.ObjectLiteralExpression:
      visitAll((node as ts.ObjectLiteralExpression).properties, outer, context, walked);
      return;
    case SyntaxKind.ArrayLiteralExpression:
      visitAll((node as ts.ArrayLiteralExpression).elements, outer, context, walked);
      return;
    case SyntaxKind.VariableStatement:
      visitAll((node as ts.VariableStatement).declarationList.declarations, outer, context, walked);
      return;
    case SyntaxKind.CallExpression: {
      const { expression, arguments: given } = node as ts.CallExpression;
      enterCall(node as ts.CallExpression, outer, context, walked);
      visit(expression, outer, context, walked);
      visitAll(given, outer, context, walked);
      return;
    }
    case SyntaxKind.VariableDeclaration: {
      const declaration = node as ts.VariableDeclaration;
      const { name, initializer } = declaration;
      readVariable(declaration, isBlockScoped(declaration) ? outer.block : outer.body, context, walked);
      if (name.kind !== SyntaxKind.Identifier) visit(name, outer, context, walked);
      if (initializer !== undefined) visit(initializer, outer, context, walked);
      return;
    }
  }
  if (isOfTypes(kind)) return;
  visitInside(node, ENTER[kind]?.(node, outer, context, walked) ?? outer, context, walked);
}

/** In the order in which `forEachChild` has them; parts that never hold a value are left out. */
function visitInside(node: ts.Node, frame: Frame, context: EvaluateContext, walked: Walking): void {
  switch (node.kind) {
    case SyntaxKind.Block:
      visitAll((node as ts.Block).statements, frame, context, walked);
      return;
    case SyntaxKind.Parameter: {
      const { modifiers, name, initializer } = node as ts.ParameterDeclaration;
      if (modifiers !== undefined) visitAll(modifiers, frame, context, walked);
      if (name.kind !== SyntaxKind.Identifier) visit(name, frame, context, walked);
      if (initializer !== undefined) visit(initializer, frame, context, walked);
      return;
    }
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.FunctionDeclaration: {
      const { modifiers, parameters, body } = node as ts.FunctionDeclaration;
      if (modifiers !== undefined) visitAll(modifiers, frame, context, walked);
      visitAll(parameters, frame, context, walked);
      if (body !== undefined) visit(body, frame, context, walked);
      return;
    }
    case SyntaxKind.BinaryExpression: {
      const { left, right } = node as ts.BinaryExpression;
      visit(left, frame, context, walked);
      visit(right, frame, context, walked);
      return;
    }
    case SyntaxKind.ArrayBindingPattern:
    case SyntaxKind.ObjectBindingPattern:
      visitAll((node as ts.BindingPattern).elements, frame, context, walked);
      return;
    case SyntaxKind.BindingElement: {
      const { propertyName, name, initializer } = node as ts.BindingElement;
      if (propertyName !== undefined) visit(propertyName, frame, context, walked);
      if (name.kind !== SyntaxKind.Identifier) visit(name, frame, context, walked);
      if (initializer !== undefined) visit(initializer, frame, context, walked);
      return;
    }
    case SyntaxKind.ReturnStatement: {
      const { expression } = node as ts.ReturnStatement;
      if (expression !== undefined) visit(expression, frame, context, walked);
      return;
    }
    case SyntaxKind.IfStatement: {
      const { expression, thenStatement, elseStatement } = node as ts.IfStatement;
      visit(expression, frame, context, walked);
      visit(thenStatement, frame, context, walked);
      if (elseStatement !== undefined) visit(elseStatement, frame, context, walked);
      return;
    }
    // Names of modules, and what they are called here.
    case SyntaxKind.ImportDeclaration:
      return;
    default:
      visitChildren(node, frame, context, walked);
  }
}

/** By itself, because a function with a function in it is given room for what both see at each call. */
function visitChildren(node: ts.Node, frame: Frame, context: EvaluateContext, walked: Walking): void {
  forEachChild(node, (child) => visit(child, frame, context, walked));
}

function visitAll(nodes: readonly ts.Node[], frame: Frame, context: EvaluateContext, walked: Walking): void {
  for (let index = 0; index < nodes.length; index++) visit(nodes[index] as ts.Node, frame, context, walked);
}

/** Types say nothing about values, and the parser leaves names out of some of their parts. */
const isOfTypes = (kind: ts.SyntaxKind): boolean =>
  (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode) ||
  (kind >= SyntaxKind.FirstJSDocNode && kind <= SyntaxKind.LastJSDocNode) ||
  kind === SyntaxKind.TypeAliasDeclaration ||
  kind === SyntaxKind.InterfaceDeclaration;

const isBlockScoped = (node: ts.VariableDeclaration): boolean => (ts.getCombinedNodeFlags(node) & ts.NodeFlags.BlockScoped) !== 0;
