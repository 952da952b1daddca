// What a function returns, the names of its parameters, and its use of promises. Rules need this for few functions, so a function is read
// from the file's tree on demand, and the walk over a file skips it.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { ImportFact } from "../model/facts.ts";
import type { Binding, FunctionReturns } from "../model/function-facts.ts";
import type { Expression, Place } from "../model/values.ts";
import { mistakesIn } from "../text/parse.ts";
import { placingIn } from "../text/place.ts";
import { ts } from "../typescript.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { type FunctionNode, isAsync, isFunction, isShortCircuit, pathOf, unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

/** Results by the function's place. A place belongs to its statement's facts, so the results are released with them. */
const returnsByPlace = new WeakMap<Place, FunctionReturns | undefined>();

/**
 * Returns the facts of the function at the place in the file's current tree. Returns undefined if there is no function, or it contains
 * syntax errors.
 */
export function returnsOf(place: Place, tree: ts.SourceFile): FunctionReturns | undefined {
  return getOrInsert(returnsByPlace, place, () => {
    const { start, end } = place;
    if (mistakesIn(tree).some((mistake) => start <= mistake.start && mistake.start <= end)) return undefined;
    const node = functionAt(tree, start, end);
    return node && read(node, { file: place.file, source: tree, places: placingIn(place, tree), toolkitImports: NO_IMPORTS });
  });
}

/** A function is read by itself, without the file's imports, since the SDK may have other names in another file. */
const NO_IMPORTS: ReadonlyMap<string, ImportFact> = new Map();

function functionAt(tree: ts.SourceFile, start: number, end: number): FunctionNode | undefined {
  let node: ts.Node | undefined = tree;
  while (node !== undefined) {
    if (node.end === end && node.getStart(tree) === start) {
      const functionNode = functionIn(node);
      if (functionNode !== undefined) return functionNode;
    }
    node = ts.forEachChild(node, (child) => (child.pos <= start && end <= child.end ? child : undefined));
  }
  return undefined;
}

/** Returns the node if it is a function, or the function that a call passes on: `makeMetadataFormula(function …)`. */
function functionIn(node: ts.Node): FunctionNode | undefined {
  const [passed] = ts.isCallExpression(node) ? node.arguments : [];
  const candidate = passed === undefined ? node : unwrap(passed);
  return isFunction(candidate) ? candidate : undefined;
}

function read(node: FunctionNode, context: EvaluateContext): FunctionReturns | undefined {
  const { body } = node;
  if (body === undefined) return undefined;
  const { places, source } = context;
  const values: Expression[] = [];
  let plain = true;
  let throws = false;
  const addValue = (expression: ts.Expression | undefined): void => {
    if (expression === undefined) return void values.push({ kind: "undefined", place: places.point(node.end) });
    values.push(evaluate(expression, context));
    if (!isPlain(expression)) plain = false;
  };
  const calls = new Map<string, ts.CallExpression | undefined>();
  const reads: { name: string; property: string }[] = [];
  const unawaited: FunctionReturns["unawaited"][number][] = [];
  const conditionNames = new Set<string>();
  const test = (part: ts.Node): void => {
    if (ts.isIdentifier(part)) conditionNames.add(part.text);
    ts.forEachChild(part, test);
  };
  const miss = (call: ts.CallExpression, property: string): void => {
    // Members of promises themselves.
    if (/^(?:then|catch|finally|constructor|toString)$/.test(property)) return;
    const callee = evaluate(call.expression, context);
    unawaited.push({ call: places.of(call), callee, property });
  };
  const visit = (part: ts.Node): void => {
    if (isFunction(part) || ts.isClassLike(part)) {
      // An inner function may assign to the names.
      forgetAssigned(part, calls);
      return;
    }
    if (ts.isIfStatement(part) || ts.isSwitchStatement(part)) test(part.expression);
    else if (ts.isConditionalExpression(part)) test(part.condition);
    if (ts.isReturnStatement(part)) addValue(part.expression);
    else if (ts.isThrowStatement(part)) throws = true;
    else if (ts.isBinaryExpression(part)) forgetAssigned(part, calls);
    else if (ts.isVariableDeclaration(part)) {
      const { name, initializer } = part;
      const call = initializer && unwrap(initializer);
      if (ts.isIdentifier(name)) calls.set(name.text, calls.has(name.text) || !call || !ts.isCallExpression(call) ? undefined : call);
      else if (ts.isObjectBindingPattern(name) && call && ts.isCallExpression(call)) {
        const [read] = name.elements;
        const property = read?.propertyName ?? read?.name;
        if (property && ts.isIdentifier(property)) miss(call, property.text);
      }
    } else if (ts.isPropertyAccessExpression(part)) {
      const object = unwrap(part.expression);
      if (ts.isCallExpression(object)) miss(object, part.name.text);
      else if (ts.isIdentifier(object)) reads.push({ name: object.text, property: part.name.text });
    }
    ts.forEachChild(part, visit);
  };
  if (ts.isBlock(body)) ts.forEachChild(body, visit);
  else {
    addValue(body);
    visit(body);
  }
  const missed = new Set<ts.CallExpression>();
  for (const { name, property } of reads) {
    const call = calls.get(name);
    if (call === undefined || missed.has(call)) continue;
    missed.add(call);
    miss(call, property);
  }
  const [first] = node.parameters;
  return {
    async: isAsync(node),
    generator: node.asteriskToken !== undefined,
    values,
    plain,
    throws,
    endsOpen: ts.isBlock(body) && mayEnd(body),
    asyncAt: places.point(asyncPosition(node, source)),
    ...(ts.isBlock(body) ? { bodyAt: places.point(body.getStart(source) + 1) } : {}),
    parameters: node.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined)),
    ...(first && ts.isIdentifier(first.name) ? { parameter: first.name.text } : {}),
    conditionNames,
    bindings: node.parameters.flatMap((parameter, index) => bindingsOf(parameter, index, context)),
    unawaited,
  };
}

function bindingsOf({ name, initializer, dotDotDotToken }: ts.ParameterDeclaration, index: number, context: EvaluateContext): Binding[] {
  if (dotDotDotToken !== undefined) return [];
  const standard = initializer && { standard: evaluate(initializer, context) };
  if (ts.isIdentifier(name)) return [{ name: name.text, index, ...standard }];
  const whole = standard && { whole: standard.standard };
  return name.elements.flatMap((element, at): Binding[] => {
    if (!ts.isBindingElement(element) || !ts.isIdentifier(element.name) || element.dotDotDotToken !== undefined) return [];
    const property = element.propertyName ?? element.name;
    if (!ts.isIdentifier(property)) return [];
    const own = element.initializer && { standard: evaluate(element.initializer, context) };
    const part = ts.isArrayBindingPattern(name) ? String(at) : property.text;
    return [{ name: element.name.text, index, property: part, ...own, ...whole }];
  });
}

/** Returns the offset for `async`: after modifiers such as `export`, and before `function`, the name or the parameters. */
function asyncPosition(node: FunctionNode, source: ts.SourceFile): number {
  const last = node.modifiers?.at(-1);
  if (last === undefined) return node.getStart(source);
  let offset = last.end;
  while (/\s/.test(source.text[offset] ?? "")) offset++;
  return offset;
}

function forgetAssigned(node: ts.Node, calls: Map<string, ts.CallExpression | undefined>): void {
  const visit = (part: ts.Node): void => {
    if (ts.isBinaryExpression(part)) {
      const { kind } = part.operatorToken;
      if (kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment) {
        const name = pathOf(part.left)?.[0];
        if (name !== undefined) calls.set(name, undefined);
      }
    }
    if (part !== node || !ts.isBinaryExpression(part)) ts.forEachChild(part, visit);
  };
  visit(node);
}

/** Kinds of expressions that are never a promise: strings, numbers, objects and the like. */
const PLAIN: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateExpression,
  SyntaxKind.NumericLiteral,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.ArrayLiteralExpression,
  SyntaxKind.ObjectLiteralExpression,
  SyntaxKind.PrefixUnaryExpression,
  SyntaxKind.TypeOfExpression,
]);

/** Whether the expression is certainly not a promise, by its syntax. Names and calls may return promises. */
function isPlain(node: ts.Expression): boolean {
  const expression = unwrap(node);
  if (ts.isIdentifier(expression)) return expression.text === "undefined";
  if (ts.isConditionalExpression(expression)) return isPlain(expression.whenTrue) && isPlain(expression.whenFalse);
  // Members of a context that are strings.
  if (ts.isPropertyAccessExpression(expression)) return /^(?:endpoint|timezone|invocationToken)$/.test(expression.name.text);
  if (!ts.isBinaryExpression(expression)) return PLAIN.has(expression.kind);
  const { left, operatorToken, right } = expression;
  if (isShortCircuit(expression)) return isPlain(left) && isPlain(right);
  if (operatorToken.kind === SyntaxKind.CommaToken) return isPlain(right);
  return operatorToken.kind < SyntaxKind.FirstAssignment || operatorToken.kind > SyntaxKind.LastAssignment;
}

/** Whether control can reach the end of the statement. Loops are assumed to end. */
function mayEnd(statement: ts.Statement): boolean {
  if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement)) return false;
  if (ts.isBlock(statement)) return statement.statements.every(mayEnd);
  if (ts.isIfStatement(statement)) {
    const { thenStatement, elseStatement } = statement;
    return elseStatement === undefined || mayEnd(thenStatement) || mayEnd(elseStatement);
  }
  if (ts.isSwitchStatement(statement)) {
    const { clauses } = statement.caseBlock;
    return !clauses.some(ts.isDefaultClause) || clauses.at(-1)?.statements.every(mayEnd) !== false || leaves(statement.caseBlock);
  }
  if (!ts.isTryStatement(statement)) return true;
  const { tryBlock, catchClause, finallyBlock } = statement;
  if (finallyBlock !== undefined && !mayEnd(finallyBlock)) return false;
  return mayEnd(tryBlock) || (catchClause !== undefined && mayEnd(catchClause.block));
}

/** Whether the node contains a `break`, which may also belong to an inner loop. */
const leaves = (node: ts.Node): boolean =>
  ts.isBreakStatement(node) || (!isFunction(node) && ts.forEachChild(node, (child) => leaves(child) || undefined) === true);
