// What the pack's own code reads of the answer to a request: from the call that fetches, through names, callbacks and returns. For the
// answers that are proposed for sandbox.json, so it may be incomplete: what cannot be followed is left out.

import { getOrInsert } from "../../../protocol/get-or-insert.ts";
import type { AnswerShape, SourceLocation } from "../../../protocol/run.ts";
import { createModuleFinder } from "../modules/resolve-module.ts";
import { type FunctionNode, isWrapper } from "../syntax/nodes.ts";
import { parse } from "../text/parse.ts";
import { ts } from "../typescript.ts";
import { CALLBACK_METHODS, METHODS_OF_LISTS, PREDICATE_METHODS } from "./answer-methods.ts";
import { calleeAt, declaredFunction, functionAround, type ImportedTree, usesOf } from "./answer-names.ts";

interface Shape {
  fields?: Map<string, Shape>;
  items?: Shape;
  value?: boolean | string | number | null;
  becomes?: string;
  whole?: boolean;
  absent?: boolean;
  /** A method of something else than a list is called. */
  text?: boolean;
}

/** Code that hands a value round and round is not followed for ever. */
const MOST_STEPS = 2_000;

/** `calls`: where the request was made, then who called that. Undefined where the source does not tell. */
export function answerReads(textOf: (path: string) => string | undefined, calls: readonly SourceLocation[]): AnswerShape | undefined {
  const trees = new Map<string, ts.SourceFile | undefined>();
  const treeAt = (path: string): ts.SourceFile | undefined => getOrInsert(trees, path, () => treeOf(path, textOf(path)));
  const modules = createModuleFinder({ readFile: textOf });
  const importedTree: ImportedTree = ({ fileName }, module) => {
    const path = modules.find(fileName, module);
    return path === undefined ? undefined : treeAt(path);
  };
  const callees = calls.map(({ path, line, character }) => {
    const tree = treeAt(path);
    return tree === undefined ? undefined : calleeAt(tree, line, character);
  });
  const [fetching] = callees;
  if (fetching === undefined) return undefined;
  const response: Shape = {};
  follow(fetching, response, callees, importedTree);
  const body = response.fields?.get("body");
  return body === undefined || (body.fields === undefined && body.items === undefined) ? undefined : plain(body);
}

function treeOf(path: string, text: string | undefined): ts.SourceFile | undefined {
  try {
    return text === undefined ? undefined : parse(path, text);
  } catch {
    // Too involved to be read.
    return undefined;
  }
}

const plain = ({ fields, items, text, value, ...rest }: Shape): AnswerShape => ({
  ...rest,
  ...(value === undefined || (text === true && value === true) ? {} : { value }),
  ...(fields === undefined ? {} : { fields: Object.fromEntries([...fields].map(([name, shape]) => [name, plain(shape)])) }),
  ...(items === undefined ? {} : { items: plain(items) }),
});

const fieldOf = (shape: Shape, name: string): Shape => {
  shape.fields ??= new Map();
  return getOrInsert(shape.fields, name, () => ({}));
};

const itemsOf = (shape: Shape): Shape => {
  shape.items ??= {};
  return shape.items;
};

function follow(fetching: ts.Node, response: Shape, callees: readonly (ts.CallExpression | undefined)[], importedTree: ImportedTree): void {
  let steps = 0;
  const followed = new Map<ts.Node, Shape>();
  /** `depth`: how many of the calls the value has come back through. */
  const use = (node: ts.Node, shape: Shape, depth: number): void => {
    if (++steps > MOST_STEPS || followed.get(node) === shape) return;
    followed.set(node, shape);
    const { parent } = node;
    if (isTransparent(parent)) use(parent, shape, depth);
    else if (ts.isPropertyAccessExpression(parent)) property(parent, shape, depth);
    else if (ts.isElementAccessExpression(parent)) {
      if (parent.expression === node) element(parent, shape, depth);
    } else if (ts.isVariableDeclaration(parent)) bind(parent.name, shape, depth);
    else if (ts.isForOfStatement(parent)) loop(parent, shape, depth);
    else if (ts.isSpreadAssignment(parent)) shape.whole = true;
    else if (ts.isSpreadElement(parent)) itemsOf(shape).whole = true;
    else if (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) member(parent.name.getText(), shape);
    else if (ts.isBinaryExpression(parent)) binary(parent, node, shape, depth);
    else if (ts.isConditionalExpression(parent)) {
      if (parent.condition !== node) use(parent, shape, depth);
    } else if (ts.isPrefixUnaryExpression(parent)) {
      if (parent.operator === ts.SyntaxKind.ExclamationToken) condition(parent, shape, false);
    } else if (ts.isIfStatement(parent)) condition(node, shape, true);
    else if (ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node)) returned(parent, shape, depth);
    else if (ts.isCallExpression(parent)) {
      const called = meantFunction(parent.expression, depth);
      const parameter = called?.parameters[parent.arguments.indexOf(node as ts.Expression)];
      if (parameter !== undefined) bind(parameter.name, shape, depth);
    }
  };

  /** Also of a parameter: what the call on the stack gives for it. */
  function meantFunction(node: ts.Expression, depth: number): FunctionNode | undefined {
    const declared = declaredFunction(node, importedTree);
    const around = declared === undefined && ts.isIdentifier(node) ? functionAround(node) : undefined;
    const call = callees[depth];
    if (around === undefined || call === undefined || functionAround(call) !== around) return declared;
    const index = around.parameters.findIndex(({ name }) => ts.isIdentifier(name) && name.text === node.getText());
    const given = callees[depth + 1]?.arguments[index];
    return given && declaredFunction(given, importedTree);
  }

  function loop({ initializer }: ts.ForOfStatement, shape: Shape, depth: number): void {
    const items = itemsOf(shape);
    if (ts.isVariableDeclarationList(initializer)) for (const { name } of initializer.declarations) bind(name, items, depth);
  }

  function bind(name: ts.BindingName, shape: Shape, depth: number): void {
    if (ts.isIdentifier(name)) {
      for (const each of usesOf(name)) use(each, shape, depth);
      return;
    }
    for (const each of name.elements) {
      if (ts.isOmittedExpression(each)) continue;
      if (each.dotDotDotToken !== undefined) {
        if (ts.isArrayBindingPattern(name)) bind(each.name, shape, depth);
        else shape.whole = true;
        continue;
      }
      const key = each.propertyName ?? each.name;
      if (ts.isArrayBindingPattern(name)) bind(each.name, itemsOf(shape), depth);
      else if (ts.isIdentifier(key) || ts.isStringLiteral(key)) bind(each.name, fieldOf(shape, key.text), depth);
    }
  }

  function property(access: ts.PropertyAccessExpression, shape: Shape, depth: number): void {
    const name = access.name.text;
    const call = access.parent;
    if (!ts.isCallExpression(call) || call.expression !== access) {
      // Of a list, or of a text: whatever else is read of it tells.
      if (name !== "length") use(access, fieldOf(shape, name), depth);
      return;
    }
    const position = CALLBACK_METHODS.get(name);
    if (position === undefined) {
      if (name === "at" || name === "pop" || name === "shift") use(call, itemsOf(shape), depth);
      else if (name === "reverse" || ((name === "slice" || name === "concat") && shape.items !== undefined)) use(call, shape, depth);
      else if (METHODS_OF_LISTS.has(name)) itemsOf(shape);
      else shape.text = true;
      return;
    }
    const items = itemsOf(shape);
    const [argument] = call.arguments;
    const callback = argument === undefined ? undefined : meantFunction(argument, depth);
    const parameter = callback?.parameters[position];
    if (parameter !== undefined) bind(parameter.name, items, depth);
    if (name === "find" || name === "findLast") use(call, items, depth);
    if (name === "filter" || name === "sort") use(call, shape, depth);
  }

  function element(access: ts.ElementAccessExpression, shape: Shape, depth: number): void {
    const { argumentExpression: key } = access;
    if (ts.isStringLiteralLike(key)) use(access, fieldOf(shape, key.text), depth);
    else if (ts.isNumericLiteral(key)) use(access, itemsOf(shape), depth);
    else shape.whole = true;
  }

  function binary(parent: ts.BinaryExpression, node: ts.Node, shape: Shape, depth: number): void {
    const { left, right, operatorToken } = parent;
    switch (operatorToken.kind) {
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken:
        use(parent, shape, depth);
        break;
      case ts.SyntaxKind.AmpersandAmpersandToken:
        if (right === node) use(parent, shape, depth);
        else condition(node, shape, true);
        break;
      case ts.SyntaxKind.EqualsToken:
        if (right === node && ts.isIdentifier(left)) for (const each of usesOf(left)) use(each, shape, depth);
        break;
      case ts.SyntaxKind.EqualsEqualsToken:
      case ts.SyntaxKind.EqualsEqualsEqualsToken: {
        const other = right === node ? left : right;
        const value = ts.isStringLiteralLike(other) ? other.text : ts.isNumericLiteral(other) ? Number(other.text) : undefined;
        if (value !== undefined) condition(parent, shape, value);
      }
    }
  }

  /** What a callback that looks for something wants to see; what an `if` that throws does not. */
  function condition(node: ts.Node, shape: Shape, wanted: boolean | string | number): void {
    let at = node;
    while (isTransparent(at.parent) || isLogical(at.parent)) at = at.parent;
    if (ts.isIfStatement(at.parent) && at.parent.expression === at && throws(at.parent.thenStatement)) {
      if (wanted === true) shape.absent = true;
      else if (wanted === false) shape.value = true;
    } else if (isPredicateResult(at.parent)) shape.value = wanted;
  }

  function returned(from: ts.ReturnStatement | ts.ArrowFunction, shape: Shape, depth: number): void {
    if (isPredicateResult(from)) {
      shape.value = true;
      return;
    }
    const enclosing = ts.isReturnStatement(from) ? functionAround(from) : from;
    const call = callees[depth];
    const caller = callees[depth + 1];
    const isCallback = caller?.arguments.some((argument) => argument === enclosing) === true;
    if (call !== undefined && caller !== undefined && !isCallback && functionAround(call) === enclosing) use(caller, shape, depth + 1);
    else shape.whole = true;
  }

  use(fetching, response, 0);
}

/** In an object that the code makes: `result` of a sync table is the result itself, and pages end here. */
function member(name: string, shape: Shape): void {
  if (name === "result") shape.whole = true;
  else if (name === "continuation") shape.value = null;
  else shape.becomes ??= name;
}

const isTransparent = (node: ts.Node): boolean => isWrapper(node) || ts.isAwaitExpression(node);

const isLogical = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken || node.operatorToken.kind === ts.SyntaxKind.BarBarToken);

const throws = (statement: ts.Statement): boolean =>
  ts.isThrowStatement(statement) || (ts.isBlock(statement) && statement.statements.some(ts.isThrowStatement));

/** Whether what stands there is what a callback of `find` and its like gives. */
function isPredicateResult(node: ts.Node): boolean {
  const from: FunctionNode | undefined = ts.isArrowFunction(node) ? node : ts.isReturnStatement(node) ? functionAround(node) : undefined;
  const call = from?.parent;
  return (
    call !== undefined &&
    ts.isCallExpression(call) &&
    ts.isPropertyAccessExpression(call.expression) &&
    PREDICATE_METHODS.has(call.expression.name.text)
  );
}
