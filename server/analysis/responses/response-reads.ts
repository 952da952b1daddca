// Finds what the pack's own code reads of the response to a request: from the fetch, through names, callbacks and returns. It serves to
// propose responses for sandbox.json, so it may be incomplete: what cannot be followed is left out.

import { defined } from "../../../base/defined.ts";
import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { ResponseReads, ResponseShape, SourceLocation } from "../../../protocol/run.ts";
import { createModuleFinder } from "../modules/resolve-module.ts";
import { type FunctionNode, isWrapper } from "../syntax/nodes.ts";
import { parse } from "../text/parse.ts";
import { ts } from "../typescript.ts";
import { CALLBACK_METHODS, METHODS_OF_LISTS, PREDICATE_METHODS } from "./response-methods.ts";
import { calleeAt, declaredFunction, functionAround, type ImportedTree, usesOf } from "./response-names.ts";

interface Shape {
  readonly fields: Map<string, Shape>;
  items?: Shape;
  value?: boolean | string | number | null;
  becomes?: string;
  whole: boolean;
  absent: boolean;
  type?: ResponseShape["type"] | undefined;
  /** Whether a method is called that arrays do not have. */
  text: boolean;
}

/**
 * A function in which the value is followed, and the call that receives its result. The call is the caller on the stack, or the one that
 * passed the value.
 */
interface Frame {
  readonly within: FunctionNode | undefined;
  readonly caller: ts.CallExpression | undefined;
  readonly outer: Frame | undefined;
}

/** Maximum number of steps, since code may pass a value in a circle. */
const MOST_STEPS = 2_000;

/** Maximum number of visited nodes, since searching a large function for many names takes long. */
const MOST_NODES = 1_000_000;

/**
 * Returns what the code reads of a response, or undefined if the source does not show it. `calls` are the request's call and then its
 * callers.
 */
export function findResponseReads(
  textOf: (path: string) => string | undefined,
  calls: readonly SourceLocation[],
): ResponseReads | undefined {
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
  const response = newShape();
  new ResponseFollower(importedTree).follow(fetching, response, framesOf(callees));
  const body = response.fields.get("body");
  const status = response.fields.get("status")?.value;
  const reads: ResponseReads = {
    ...(body === undefined || (body.fields.size === 0 && body.items === undefined) ? {} : { body: plain(body) }),
    ...(typeof status === "number" && isStatus(status) ? { status } : {}),
  };
  return Object.keys(reads).length === 0 ? undefined : reads;
}

/** Whether sandbox.json allows the status for a response. */
const isStatus = (value: number): boolean => Number.isInteger(value) && value >= 200 && value <= 599;

function framesOf([callee, ...outer]: readonly (ts.CallExpression | undefined)[]): Frame | undefined {
  return callee && { within: functionAround(callee), caller: outer[0], outer: framesOf(outer) };
}

function treeOf(path: string, text: string | undefined): ts.SourceFile | undefined {
  try {
    return text === undefined ? undefined : parse(path, text);
  } catch {
    // The source is too involved to be parsed.
    return undefined;
  }
}

const newShape = (): Shape => ({ fields: new Map(), whole: false, absent: false, text: false });

const plain = ({ becomes, whole, absent, fields, items, text, type, value }: Shape): ResponseShape => ({
  ...defined({ becomes, whole: whole || undefined, absent: absent || undefined, type }),
  ...(value === undefined || (text && value === true) ? {} : { value }),
  ...(fields.size === 0 ? {} : { fields: Object.fromEntries([...fields].map(([name, shape]) => [name, plain(shape)])) }),
  ...(items === undefined ? {} : { items: plain(items) }),
});

const fieldOf = (shape: Shape, name: string): Shape => getOrInsert(shape.fields, name, newShape);

const itemsOf = (shape: Shape): Shape => {
  shape.items ??= newShape();
  return shape.items;
};

/** Follows the value of a response through the code. */
class ResponseFollower {
  readonly #importedTree: ImportedTree;
  readonly #followed = new Map<ts.Node, Shape>();
  #steps = 0;
  #nodes = 0;

  constructor(importedTree: ImportedTree) {
    this.#importedTree = importedTree;
  }

  /** Counts a visited node, and returns whether there were too many. */
  readonly #isSpent = (): boolean => ++this.#nodes > MOST_NODES;

  /** Records what the code around the node does with the value of that shape. */
  follow(node: ts.Node, shape: Shape, frame: Frame | undefined): void {
    if (++this.#steps > MOST_STEPS || this.#followed.get(node) === shape) return;
    this.#followed.set(node, shape);
    const { parent } = node;
    if (isTransparent(parent)) this.follow(parent, shape, frame);
    else if (ts.isPropertyAccessExpression(parent)) this.#property(parent, shape, frame);
    else if (ts.isElementAccessExpression(parent)) {
      if (parent.expression === node) this.#element(parent, shape, frame);
    } else if (ts.isVariableDeclaration(parent)) this.#bind(parent.name, shape, frame);
    else if (ts.isForOfStatement(parent)) this.#loop(parent, shape, frame);
    else if (ts.isSpreadAssignment(parent)) shape.whole = true;
    else if (ts.isSpreadElement(parent)) itemsOf(shape).whole = true;
    else if (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) member(parent.name.getText(), shape);
    else if (ts.isBinaryExpression(parent)) this.#binary(parent, node, shape, frame);
    else if (ts.isConditionalExpression(parent)) {
      if (parent.condition !== node) this.follow(parent, shape, frame);
      else this.#condition(node, shape, true);
    } else if (ts.isPrefixUnaryExpression(parent)) {
      if (parent.operator === ts.SyntaxKind.ExclamationToken) this.#condition(parent, shape, false);
    } else if (ts.isIfStatement(parent)) this.#condition(node, shape, true);
    else if (ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node)) this.#returned(parent, shape, frame);
    else if (ts.isCallExpression(parent)) {
      const callee = this.#resolveFunction(parent.expression, frame);
      const parameter = callee?.parameters[parent.arguments.indexOf(node as ts.Expression)];
      if (parameter !== undefined) this.#bind(parameter.name, shape, { within: callee, caller: parent, outer: frame });
      else shape.type ??= TYPES_BY_FUNCTION.get(parent.expression.getText());
    } else if (ts.isNewExpression(parent)) shape.type ??= TYPES_BY_FUNCTION.get(parent.expression.getText());
  }

  /** Returns the function that an expression refers to. A parameter is resolved to the argument of the call on the stack. */
  #resolveFunction(node: ts.Expression, frame: Frame | undefined): FunctionNode | undefined {
    const around = ts.isIdentifier(node) ? functionAround(node) : undefined;
    const index = around?.parameters.findIndex(({ name }) => ts.isIdentifier(name) && name.text === node.getText()) ?? -1;
    const argument = around === frame?.within ? frame?.caller?.arguments[index] : undefined;
    return argument === undefined ? declaredFunction(node, this.#importedTree) : this.#resolveFunction(argument, frame?.outer);
  }

  #loop({ initializer }: ts.ForOfStatement, shape: Shape, frame: Frame | undefined): void {
    const items = itemsOf(shape);
    if (ts.isVariableDeclarationList(initializer)) for (const { name } of initializer.declarations) this.#bind(name, items, frame);
  }

  #bind(name: ts.BindingName, shape: Shape, frame: Frame | undefined): void {
    if (ts.isIdentifier(name)) {
      shape.type ??= declaredType(name);
      for (const each of usesOf(name, this.#isSpent)) this.follow(each, shape, frame);
      return;
    }
    for (const each of name.elements) {
      if (ts.isOmittedExpression(each)) continue;
      if (each.dotDotDotToken !== undefined) {
        if (ts.isArrayBindingPattern(name)) this.#bind(each.name, shape, frame);
        else shape.whole = true;
        continue;
      }
      const key = each.propertyName ?? each.name;
      if (ts.isArrayBindingPattern(name)) this.#bind(each.name, itemsOf(shape), frame);
      else if (ts.isIdentifier(key) || ts.isStringLiteral(key)) this.#bind(each.name, fieldOf(shape, key.text), frame);
    }
  }

  #property(access: ts.PropertyAccessExpression, shape: Shape, frame: Frame | undefined): void {
    const name = access.name.text;
    const call = access.parent;
    if (!ts.isCallExpression(call) || call.expression !== access) {
      // Arrays and strings both have a length; other reads decide which it is.
      if (name !== "length") this.follow(access, fieldOf(shape, name), frame);
      return;
    }
    const position = CALLBACK_METHODS.get(name);
    if (position === undefined) {
      if (name === "at" || name === "pop" || name === "shift") this.follow(call, itemsOf(shape), frame);
      else if (name === "reverse" || ((name === "slice" || name === "concat") && shape.items !== undefined))
        this.follow(call, shape, frame);
      else if (METHODS_OF_LISTS.has(name)) itemsOf(shape);
      else {
        shape.text = true;
        shape.type ??= typeWithMethod(name);
      }
      return;
    }
    const items = itemsOf(shape);
    const [argument] = call.arguments;
    const callback = argument === undefined ? undefined : this.#resolveFunction(argument, frame);
    const parameter = callback?.parameters[position];
    if (parameter !== undefined) this.#bind(parameter.name, items, frame);
    if (name === "find" || name === "findLast") this.follow(call, items, frame);
    if (name === "filter" || name === "sort") this.follow(call, shape, frame);
  }

  #element(access: ts.ElementAccessExpression, shape: Shape, frame: Frame | undefined): void {
    const { argumentExpression: key } = access;
    if (ts.isStringLiteralLike(key)) this.follow(access, fieldOf(shape, key.text), frame);
    else if (ts.isNumericLiteral(key)) this.follow(access, itemsOf(shape), frame);
    else shape.whole = true;
  }

  #binary(parent: ts.BinaryExpression, node: ts.Node, shape: Shape, frame: Frame | undefined): void {
    const { left, right, operatorToken } = parent;
    switch (operatorToken.kind) {
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken:
        this.follow(parent, shape, frame);
        break;
      case ts.SyntaxKind.AmpersandAmpersandToken:
        if (right === node) this.follow(parent, shape, frame);
        else this.#condition(node, shape, true);
        break;
      case ts.SyntaxKind.EqualsToken:
        if (right === node && ts.isIdentifier(left)) for (const each of usesOf(left, this.#isSpent)) this.follow(each, shape, frame);
        break;
      case ts.SyntaxKind.EqualsEqualsToken:
      case ts.SyntaxKind.EqualsEqualsEqualsToken: {
        const value = literalOf(right === node ? left : right);
        if (value !== undefined) this.#condition(parent, shape, value);
        break;
      }
      case ts.SyntaxKind.ExclamationEqualsToken:
      case ts.SyntaxKind.ExclamationEqualsEqualsToken: {
        const value = literalOf(right === node ? left : right);
        if (value !== undefined && throwsOn(parent)) shape.value = value;
        break;
      }
      case ts.SyntaxKind.MinusToken:
      case ts.SyntaxKind.AsteriskToken:
      case ts.SyntaxKind.SlashToken:
      case ts.SyntaxKind.PercentToken:
        shape.type ??= "number";
    }
  }

  /** Records the value that a condition expects: true for a predicate, and the opposite for an `if` that throws. */
  #condition(node: ts.Node, shape: Shape, expected: boolean | string | number): void {
    const at = wholeCondition(node);
    if (throwsOn(at)) {
      if (expected === true) shape.absent = true;
      else if (expected === false) shape.value = true;
    } else if (asksForNextPage(at, this.#isSpent)) shape.value = expected === false ? true : null;
    else if (isPredicateResult(at.parent)) shape.value = expected;
  }

  #returned(from: ts.ReturnStatement | ts.ArrowFunction, shape: Shape, frame: Frame | undefined): void {
    if (isPredicateResult(from)) {
      shape.value = true;
      return;
    }
    const enclosing = ts.isReturnStatement(from) ? functionAround(from) : from;
    const isCallback = frame?.caller?.arguments.some((argument) => argument === enclosing) === true;
    if (frame?.caller !== undefined && !isCallback && frame.within === enclosing) this.follow(frame.caller, shape, frame.outer);
    else shape.whole = true;
  }
}

/**
 * Records a member of an object that the code creates. The `result` of a sync table is the whole value, and a `continuation` ends its
 * pages.
 */
function member(name: string, shape: Shape): void {
  if (name === "result") shape.whole = true;
  else if (name === "continuation") shape.value = null;
  else shape.becomes ??= name;
}

/** The types of the arguments of JavaScript's own functions. */
const TYPES_BY_FUNCTION: ReadonlyMap<string, ResponseShape["type"]> = new Map([
  ["Date", "date"],
  ["Date.parse", "date"],
  ["Number", "number"],
  ["parseFloat", "number"],
  ["parseInt", "number"],
]);

function typeWithMethod(name: string): ResponseShape["type"] {
  if (name in Object.prototype) return undefined;
  if (name in String.prototype) return "string";
  return name in Number.prototype ? "number" : undefined;
}

function declaredType({ parent }: ts.Identifier): ResponseShape["type"] {
  const type = ts.isParameter(parent) || ts.isVariableDeclaration(parent) ? parent.type : undefined;
  if (type?.kind === ts.SyntaxKind.StringKeyword) return "string";
  return type?.kind === ts.SyntaxKind.NumberKeyword ? "number" : undefined;
}

/** Whether the condition decides that a table has another page. */
function asksForNextPage(condition: ts.Node, isSpent: () => boolean): boolean {
  const { parent } = condition;
  if (ts.isIfStatement(parent)) return parent.expression === condition && setsContinuation(parent.thenStatement, isSpent);
  if (!ts.isConditionalExpression(parent) || parent.condition !== condition) return false;
  const { parent: target } = parent;
  const name = ts.isPropertyAssignment(target) || ts.isVariableDeclaration(target) ? target.name : undefined;
  return name !== undefined && namesContinuation(name) && isNothing(parent.whenFalse);
}

const namesContinuation = (name: ts.Node): boolean => /continuation/i.test(name.getText());

const isNothing = (node: ts.Node): boolean => node.kind === ts.SyntaxKind.NullKeyword || node.getText() === "undefined";

const setsContinuation = (node: ts.Node, isSpent: () => boolean): boolean =>
  !isSpent() &&
  ((ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && namesContinuation(node.left)) ||
    ts.forEachChild(node, (child) => setsContinuation(child, isSpent)) === true);

const isTransparent = (node: ts.Node): boolean => isWrapper(node) || ts.isAwaitExpression(node);

const isLogical = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken || node.operatorToken.kind === ts.SyntaxKind.BarBarToken);

/** Returns the whole condition of which the node is a part. */
function wholeCondition(node: ts.Node): ts.Node {
  let at = node;
  while (isTransparent(at.parent) || isLogical(at.parent)) at = at.parent;
  return at;
}

function throwsOn(condition: ts.Node): boolean {
  const whole = wholeCondition(condition);
  return ts.isIfStatement(whole.parent) && whole.parent.expression === whole && throws(whole.parent.thenStatement);
}

const literalOf = (node: ts.Expression): string | number | undefined =>
  ts.isStringLiteralLike(node) ? node.text : ts.isNumericLiteral(node) ? Number(node.text) : undefined;

const throws = (statement: ts.Statement): boolean =>
  ts.isThrowStatement(statement) || (ts.isBlock(statement) && statement.statements.some(ts.isThrowStatement));

/** Whether the node is the result of a predicate, such as the callback of `find`. */
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
