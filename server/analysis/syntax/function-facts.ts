// What a function returns, what its parameters are called, and what it does with promises. Rules ask about few of a pack's functions.
// So each is parsed by itself, when it is first asked about, and the walk over a file has nothing to do with it.

import { getOrInsert } from "../../../protocol/get-or-insert.ts";
import type { ImportFact } from "../model/facts.ts";
import type { Place, Value } from "../model/values.ts";
import { mistakesIn, PARSING } from "../text/parse.ts";
import { placingIn } from "../text/place.ts";
import { ts } from "../typescript.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { type FunctionNode, isAsync, isFunction, isShortCircuit, pathOf, unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

export interface FunctionReturns {
  readonly async: boolean;
  readonly generator: boolean;
  /** Every value that is returned; a `return` without one is undefined. */
  readonly values: readonly Value[];
  /** None of the values can be a promise, whatever the names in them stand for. */
  readonly plain: boolean;
  /** It may throw, or end nowhere. */
  readonly throws: boolean;
  /** Its end can be reached: it then gives back nothing. */
  readonly endsOpen: boolean;
  /** Where `async` goes, to make it one. */
  readonly asyncAt: Place;
  /** Where its body's first statement goes; undefined where it has no braces. */
  readonly bodyAt?: Place;
  /** The names of all parameters; undefined for one that is taken apart. */
  readonly parameters: readonly (string | undefined)[];
  /** Its first parameter's name. */
  readonly parameter?: string;
  /** What the names of its parameters are bound to. */
  readonly bindings: readonly Binding[];
  /** Properties that are read from calls whose promise nobody awaits: the call, what is called, and the property. */
  readonly unawaited: readonly { readonly call: Place; readonly callee: Value; readonly property: string }[];
}

/** A name that a parameter declares: for the whole argument, or for a property of it. */
export interface Binding {
  readonly name: string;
  readonly index: number;
  readonly property?: string;
  /** What it stands for without an argument. */
  readonly standard?: Value;
  /** Of a parameter that is taken apart: what is taken apart without an argument. */
  readonly whole?: Value;
}

/** By the function's place, which belongs to its statement's facts and goes with them, as does all that is in what was read. */
const known = new WeakMap<Place, FunctionReturns | undefined>();

/** Facts of the function whose source is the span of the text; undefined where no function can be made out there. */
export function returnsOf(place: Place, text: string): FunctionReturns | undefined {
  return getOrInsert(known, place, () => readFunction(place, text.slice(place.start, place.end)));
}

/** What is imported may be called otherwise elsewhere: a function is read as it stands there by itself. */
const NO_IMPORTS: ReadonlyMap<string, ImportFact> = new Map();

/** What may have to stand around a function for it to be a source: a method needs an object. */
const AROUND = [
  ["(", ")"],
  ["({", "})"],
  ["", ""],
] as const;

function readFunction(place: Place, own: string): FunctionReturns | undefined {
  for (const [open, close] of AROUND) {
    const source = parseWhole(open + own + close);
    const node = source && functionIn(source);
    if (source === undefined || node === undefined) continue;
    return read(node, { file: place.file, source, places: placingIn(place, open, source), toolkitImports: NO_IMPORTS });
  }
  return undefined;
}

/** Undefined where the text has mistakes. */
function parseWhole(text: string): ts.SourceFile | undefined {
  const source = ts.createSourceFile("function.tsx", text, PARSING, true, ts.ScriptKind.TS);
  return mistakesIn(source).length > 0 ? undefined : source;
}

function functionIn(source: ts.SourceFile): FunctionNode | undefined {
  const [statement] = source.statements;
  if (statement === undefined) return undefined;
  if (ts.isFunctionDeclaration(statement)) return statement;
  let expression = ts.isExpressionStatement(statement) ? unwrap(statement.expression) : undefined;
  // makeMetadataFormula(function …)
  if (expression && ts.isCallExpression(expression)) expression = expression.arguments[0] && unwrap(expression.arguments[0]);
  if (expression === undefined) return undefined;
  if (ts.isFunctionExpression(expression) || ts.isArrowFunction(expression)) return expression;
  const [member] = ts.isObjectLiteralExpression(expression) ? expression.properties : [];
  return member && ts.isMethodDeclaration(member) ? member : undefined;
}

function read(node: FunctionNode, context: EvaluateContext): FunctionReturns | undefined {
  const { body } = node;
  if (body === undefined) return undefined;
  const { places, source } = context;
  const values: Value[] = [];
  let plain = true;
  let throws = false;
  const take = (expression: ts.Expression | undefined): void => {
    if (expression === undefined) return void values.push({ kind: "undefined", place: places.point(node.end) });
    values.push(evaluate(expression, context));
    if (!isPlain(expression)) plain = false;
  };
  const calls = new Map<string, ts.CallExpression | undefined>();
  const reads: { name: string; property: string }[] = [];
  const unawaited: FunctionReturns["unawaited"][number][] = [];
  const miss = (call: ts.CallExpression, property: string): void => {
    // What promises have themselves.
    if (/^(?:then|catch|finally|constructor|toString)$/.test(property)) return;
    const callee = evaluate(call.expression, context);
    unawaited.push({ call: places.of(call), callee, property });
  };
  const visit = (part: ts.Node): void => {
    if (isFunction(part) || ts.isClassLike(part)) {
      // Names that an inner function assigns to.
      forgetAssigned(part, calls);
      return;
    }
    if (ts.isReturnStatement(part)) take(part.expression);
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
    take(body);
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

/** Behind `export` and the like, before `function`, the name or the parameters. */
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

/** What its form alone says to be no promise: texts, numbers, objects and the like. */
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

/** A value by its form alone: text, number, object, comparison. Names and calls may stand for promises. */
function isPlain(node: ts.Expression): boolean {
  const expression = unwrap(node);
  if (ts.isIdentifier(expression)) return expression.text === "undefined";
  if (ts.isConditionalExpression(expression)) return isPlain(expression.whenTrue) && isPlain(expression.whenFalse);
  // What a context has of texts.
  if (ts.isPropertyAccessExpression(expression)) return /^(?:endpoint|timezone|invocationToken)$/.test(expression.name.text);
  if (!ts.isBinaryExpression(expression)) return PLAIN.has(expression.kind);
  const { left, operatorToken, right } = expression;
  if (isShortCircuit(expression)) return isPlain(left) && isPlain(right);
  if (operatorToken.kind === SyntaxKind.CommaToken) return isPlain(right);
  return operatorToken.kind < SyntaxKind.FirstAssignment || operatorToken.kind > SyntaxKind.LastAssignment;
}

/** Whether the end of the statements can be reached; loops may end. */
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

/** By a `break`, perhaps one of a loop inside. */
const leaves = (node: ts.Node): boolean =>
  ts.isBreakStatement(node) || (!isFunction(node) && ts.forEachChild(node, (child) => leaves(child) || undefined) === true);
