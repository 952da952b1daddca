// What a function returns, the names of its parameters, and its use of promises. Rules need this for few functions, so a function is read
// from the file's tree on demand, and the walk over a file skips it.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { ImportFact } from "../model/facts.ts";
import type { FunctionReturns } from "../model/function-facts.ts";
import type { Binding, Expression, Place } from "../model/values.ts";
import { mistakesIn } from "../text/parse.ts";
import { placingIn } from "../text/place.ts";
import { ts } from "../typescript.ts";
import { namesBeforeRest } from "./evaluate/declared-objects.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { type FunctionNode, isAsync, isFunction, isShortCircuit, pathOf, unwrap } from "./nodes.ts";
import { returnedBy } from "./returned-by.ts";
import { nameOfFunction } from "./walk/escapes.ts";

const { SyntaxKind } = ts;

/** Results by the function's place. A place belongs to its statement's facts, so the results are released with them. */
const returnsByPlace = new WeakMap<Place, FunctionReturns | undefined>();

/**
 * Returns the facts of the function at the place in the file's current tree. Returns undefined if there is no function, or it contains
 * syntax errors.
 */
export function returnsOf(place: Place, tree: ts.SourceFile): FunctionReturns | undefined {
  return getOrInsert(returnsByPlace, place, () => {
    const node = nodeAt(place, tree, functionIn);
    return node && read(node, contextAt(place, tree));
  });
}

/** Returns the context of code that is read by itself. */
export const contextAt = (place: Place, tree: ts.SourceFile): EvaluateContext => ({
  file: place.file,
  source: tree,
  places: placingIn(place, tree),
  toolkitImports: NO_IMPORTS,
});

/** A function is read by itself, without the file's imports, since the SDK may have other names in another file. */
const NO_IMPORTS: ReadonlyMap<string, ImportFact> = new Map();

/** Returns what `read` makes of a node at the place, or undefined if there is none, or it contains syntax errors. */
export function nodeAt<Read>({ start, end }: Place, tree: ts.SourceFile, read: (node: ts.Node) => Read | undefined): Read | undefined {
  if (mistakesIn(tree).some((mistake) => start <= mistake.start && mistake.start <= end)) return undefined;
  let node: ts.Node | undefined = tree;
  while (node !== undefined) {
    const result = node.end === end && node.getStart(tree) === start ? read(node) : undefined;
    if (result !== undefined) return result;
    node = ts.forEachChild(node, (child) => (child.pos <= start && end <= child.end ? child : undefined));
  }
  return undefined;
}

/** Returns the node if it is a function, or the function that a call passes on: `makeMetadataFormula(function …)`. */
function functionIn(node: ts.Node): CodeNode | undefined {
  const [passed] = ts.isCallExpression(node) ? node.arguments : [];
  const candidate = passed === undefined ? node : unwrap(passed);
  return isFunction(candidate) || ts.isConstructorDeclaration(candidate) ? candidate : undefined;
}

type CodeNode = FunctionNode | ts.ConstructorDeclaration;

function read(node: CodeNode, context: EvaluateContext): FunctionReturns | undefined {
  const { body } = node;
  if (body === undefined) return undefined;
  const { places, source } = context;
  const code = new CodeReader(node, body, context);
  return {
    name: nameOfFunction(ts.isConstructorDeclaration(node) ? node.parent : node),
    async: isAsync(node),
    generator: node.asteriskToken !== undefined,
    values: code.values,
    result: ts.isBlock(body) ? returnedBy(body.statements, { kind: "undefined", place: places.point(node.end) }, context) : code.values[0],
    plain: code.plain,
    throws: code.throws,
    endsOpen: ts.isBlock(body) && mayEnd(body),
    asyncAt: places.point(asyncPosition(node, source)),
    ...(ts.isBlock(body) ? { bodyAt: places.point(body.getStart(source) + 1) } : {}),
    parameters: node.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined)),
    conditionNames: code.conditionNames,
    bindings: node.parameters
      .filter(({ name }) => name.getText(source) !== "this")
      .flatMap((parameter, index) => bindingsOf(parameter, index, context)),
    unawaited: code.unawaited,
  };
}

/** Reads the code of one function, without its inner functions. */
class CodeReader {
  readonly #context: EvaluateContext;
  readonly #end: number;
  /** The calls that names refer to; undefined for a name that may refer to something else. */
  readonly #calls = new Map<string, ts.CallExpression | undefined>();
  readonly #reads: { readonly name: string; readonly property: string }[] = [];
  readonly values: Expression[] = [];
  readonly unawaited: FunctionReturns["unawaited"][number][] = [];
  readonly conditionNames = new Set<string>();
  plain = true;
  throws = false;

  constructor({ end }: CodeNode, body: ts.ConciseBody, context: EvaluateContext) {
    this.#context = context;
    this.#end = end;
    if (ts.isBlock(body)) ts.forEachChild(body, this.#visit);
    else {
      this.#addValue(body);
      this.#visit(body);
    }
    this.#addUnawaitedReads();
  }

  readonly #visit = (part: ts.Node): void => {
    if (isFunction(part) || ts.isClassLike(part)) {
      // An inner function may assign to the names.
      forgetAssigned(part, this.#calls);
      return;
    }
    if (ts.isIfStatement(part) || ts.isSwitchStatement(part)) this.#addConditionNames(part.expression);
    else if (ts.isConditionalExpression(part)) this.#addConditionNames(part.condition);
    if (ts.isReturnStatement(part)) this.#addValue(part.expression);
    else if (ts.isThrowStatement(part)) this.throws = true;
    else if (ts.isBinaryExpression(part)) forgetAssigned(part, this.#calls);
    else if (ts.isVariableDeclaration(part)) this.#readVariable(part);
    else if (ts.isPropertyAccessExpression(part)) {
      const object = unwrap(part.expression);
      if (ts.isCallExpression(object)) this.#addUnawaited(object, part.name.text);
      else if (ts.isIdentifier(object)) this.#reads.push({ name: object.text, property: part.name.text });
    }
    ts.forEachChild(part, this.#visit);
  };

  #addValue(expression: ts.Expression | undefined): void {
    if (expression === undefined) {
      this.values.push({ kind: "undefined", place: this.#context.places.point(this.#end) });
      return;
    }
    this.values.push(evaluate(expression, this.#context));
    if (!isPlain(expression)) this.plain = false;
  }

  readonly #addConditionNames = (part: ts.Node): void => {
    if (ts.isIdentifier(part)) this.conditionNames.add(part.text);
    ts.forEachChild(part, this.#addConditionNames);
  };

  #readVariable({ name, initializer }: ts.VariableDeclaration): void {
    const value = initializer && unwrap(initializer);
    const call = value && ts.isCallExpression(value) ? value : undefined;
    if (ts.isIdentifier(name)) this.#calls.set(name.text, this.#calls.has(name.text) ? undefined : call);
    else if (ts.isObjectBindingPattern(name) && call) {
      const [read] = name.elements;
      const property = read?.propertyName ?? read?.name;
      if (property && ts.isIdentifier(property)) this.#addUnawaited(call, property.text);
    }
  }

  #addUnawaited(call: ts.CallExpression, property: string): void {
    // Members of promises themselves.
    if (/^(?:then|catch|finally|constructor|toString)$/.test(property)) return;
    const callee = evaluate(call.expression, this.#context);
    this.unawaited.push({ call: this.#context.places.of(call), callee, property });
  }

  #addUnawaitedReads(): void {
    const missed = new Set<ts.CallExpression>();
    for (const { name, property } of this.#reads) {
      const call = this.#calls.get(name);
      if (call === undefined || missed.has(call)) continue;
      missed.add(call);
      this.#addUnawaited(call, property);
    }
  }
}

/** Returns the names that a parameter declares. */
export function bindingsOf(
  { name, initializer, dotDotDotToken }: ts.ParameterDeclaration,
  index: number,
  context: EvaluateContext,
): Binding[] {
  if (dotDotDotToken !== undefined) return ts.isIdentifier(name) ? [{ name: name.text, index, isRest: true }] : [];
  const standard = initializer && { standard: evaluate(initializer, context) };
  if (ts.isIdentifier(name)) return [{ name: name.text, index, ...standard }];
  const whole = standard && { whole: standard.standard };
  return name.elements.flatMap((element, at): Binding[] => {
    if (!ts.isBindingElement(element) || !ts.isIdentifier(element.name)) return [];
    if (element.dotDotDotToken !== undefined)
      return ts.isObjectBindingPattern(name) ? [{ name: element.name.text, index, without: namesBeforeRest(name, context), ...whole }] : [];
    const property = element.propertyName ?? element.name;
    if (!ts.isIdentifier(property)) return [];
    const own = element.initializer && { standard: evaluate(element.initializer, context) };
    const part = ts.isArrayBindingPattern(name) ? String(at) : property.text;
    return [{ name: element.name.text, index, property: part, ...own, ...whole }];
  });
}

/** Returns the offset for `async`: after modifiers such as `export`, and before `function`, the name or the parameters. */
function asyncPosition(node: CodeNode, source: ts.SourceFile): number {
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
