// What a function can give back. Only a few functions of a pack are asked about, so each is parsed by itself when it is asked for: but
// for the one that every pack is asked about, the walk over a file, which every keystroke makes, has nothing to do with it.
import { ts } from "ts-morph";
import { pathOf, unwrap } from "./evaluate/path-of.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import type { ImportFact, Place, Value } from "./model.ts";
import { move, positionedIn } from "./positions.ts";

const { SyntaxKind, forEachChild } = ts;

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
  readonly asyncAt: number;
  /** Where its body's first statement goes; undefined where it has no braces. */
  readonly bodyAt?: number;
  /** The names of all parameters; undefined for one that is taken apart. */
  readonly parameters: readonly (string | undefined)[];
  /** Its first parameter's name. */
  readonly parameter?: string;
  /** What the names of its parameters are bound to. */
  readonly bindings: readonly Binding[];
  /** Properties that are read from calls whose promise nobody awaits: the call, what is called, and the property. */
  readonly unawaited: readonly { readonly call: Place; readonly callee: Value; readonly property: string }[];
}

/** A name that a parameter declares: for the whole of what is given, or for a property of it. */
export interface Binding {
  readonly name: string;
  readonly index: number;
  readonly property?: string;
  /** What it stands for where nothing is given. */
  readonly standard?: Value;
  /** Of a parameter that is taken apart: what is taken apart where nothing is given. */
  readonly whole?: Value;
}

type FunctionNode = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;

/**
 * By the function's value, which belongs to its statement's facts and goes with them; with where it stood, since facts move. Nothing in
 * what was given out is ever moved.
 */
const known = new WeakMap<Place, { readonly start: number; readonly returns: FunctionReturns | undefined }>();

/** Facts of the function whose source is the span of the text; undefined where no function can be made out there. */
export function returnsOf(place: Place, text: string): FunctionReturns | undefined {
  const { start } = place;
  const before = known.get(place);
  if (before?.start === start) return before.returns;
  const returns = readFunction(place, text.slice(start, place.end));
  known.set(place, { start, returns });
  return returns;
}

/** What is imported may be called otherwise elsewhere: a function is read as it stands there by itself. */
const NO_IMPORTS: ReadonlyMap<string, ImportFact> = new Map();

function moved(returns: FunctionReturns | undefined, by: number): FunctionReturns | undefined {
  if (returns === undefined) return undefined;
  move(positionedIn([returns.values, returns.unawaited, returns.bindings]), by);
  return { ...returns, asyncAt: returns.asyncAt + by, ...(returns.bodyAt === undefined ? {} : { bodyAt: returns.bodyAt + by }) };
}

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
    return moved(read(node, { file: place.file, source, toolkitImports: NO_IMPORTS }), place.start - open.length);
  }
  return undefined;
}

/** Undefined where the text has mistakes. */
function parseWhole(text: string): ts.SourceFile | undefined {
  const source = ts.createSourceFile("function.tsx", text, PARSING, true, ts.ScriptKind.TS);
  return (source as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics.length > 0 ? undefined : source;
}

const PARSING: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

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
  const { source } = context;
  const values: Value[] = [];
  let plain = true;
  let throws = false;
  const take = (expression: ts.Expression | undefined): void => {
    if (expression === undefined) return void values.push({ file: context.file, start: node.end, end: node.end, kind: "undefined" });
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
    unawaited.push({ call: { file: context.file, start: call.getStart(source), end: call.end }, callee, property });
  };
  const visit = (part: ts.Node): void => {
    // Names and literals: half of all nodes.
    if (part.kind < SyntaxKind.FirstNode) return;
    switch (part.kind) {
      case SyntaxKind.FunctionDeclaration:
      case SyntaxKind.FunctionExpression:
      case SyntaxKind.ArrowFunction:
      case SyntaxKind.MethodDeclaration:
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.ClassExpression:
        // Names that an inner function assigns to.
        forgetAssigned(part, calls);
        return;
      case SyntaxKind.ReturnStatement:
        take((part as ts.ReturnStatement).expression);
        break;
      case SyntaxKind.ThrowStatement:
        throws = true;
        break;
      case SyntaxKind.VariableDeclaration: {
        const { name, initializer } = part as ts.VariableDeclaration;
        const call = initializer && unwrap(initializer);
        if (ts.isIdentifier(name)) calls.set(name.text, calls.has(name.text) || !call || !ts.isCallExpression(call) ? undefined : call);
        else if (ts.isObjectBindingPattern(name) && call && ts.isCallExpression(call)) {
          const [read] = name.elements;
          const property = read?.propertyName ?? read?.name;
          if (property && ts.isIdentifier(property)) miss(call, property.text);
        }
        break;
      }
      case SyntaxKind.BinaryExpression:
        forgetAssigned(part, calls);
        break;
      case SyntaxKind.PropertyAccessExpression: {
        const { expression, name } = part as ts.PropertyAccessExpression;
        const object = unwrap(expression);
        if (object.kind === SyntaxKind.CallExpression) miss(object as ts.CallExpression, name.text);
        else if (object.kind === SyntaxKind.Identifier) reads.push({ name: (object as ts.Identifier).text, property: name.text });
        visit(expression);
        return;
      }
      case SyntaxKind.CallExpression: {
        // With the one above, most of what functions are made of.
        const { expression, arguments: given, typeArguments } = part as ts.CallExpression;
        if (typeArguments !== undefined) break;
        visit(expression);
        for (let index = 0; index < given.length; index++) visit(given[index] as ts.Expression);
        return;
      }
    }
    forEachChild(part, visit);
  };
  if (ts.isBlock(body)) forEachChild(body, visit);
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
    async: node.modifiers?.some(({ kind }) => kind === SyntaxKind.AsyncKeyword) === true,
    generator: node.asteriskToken !== undefined,
    values,
    plain,
    throws,
    endsOpen: ts.isBlock(body) && mayEnd(body),
    asyncAt: asyncPosition(node, source),
    ...(ts.isBlock(body) ? { bodyAt: body.getStart(source) + 1 } : {}),
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
  if (!ts.isObjectBindingPattern(name)) return [];
  return name.elements.flatMap((element): Binding[] => {
    const property = element.propertyName ?? element.name;
    if (!ts.isIdentifier(element.name) || !ts.isIdentifier(property) || element.dotDotDotToken !== undefined) return [];
    const own = element.initializer && { standard: evaluate(element.initializer, context) };
    const whole = standard && { whole: standard.standard };
    return [{ name: element.name.text, index, property: property.text, ...own, ...whole }];
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
    if (part !== node || !ts.isBinaryExpression(part)) forEachChild(part, visit);
  };
  visit(node);
}

/** A value by its form alone: text, number, object, comparison. Names and calls may stand for promises. */
function isPlain(node: ts.Expression): boolean {
  const expression = unwrap(node);
  switch (expression.kind) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.TemplateExpression:
    case SyntaxKind.NumericLiteral:
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
    case SyntaxKind.NullKeyword:
    case SyntaxKind.ArrayLiteralExpression:
    case SyntaxKind.ObjectLiteralExpression:
    case SyntaxKind.PrefixUnaryExpression:
    case SyntaxKind.TypeOfExpression:
      return true;
    case SyntaxKind.Identifier:
      return (expression as ts.Identifier).text === "undefined";
    case SyntaxKind.ConditionalExpression: {
      const { whenTrue, whenFalse } = expression as ts.ConditionalExpression;
      return isPlain(whenTrue) && isPlain(whenFalse);
    }
    case SyntaxKind.PropertyAccessExpression:
      // What a context has of texts.
      return /^(?:endpoint|timezone|invocationToken)$/.test((expression as ts.PropertyAccessExpression).name.text);
    case SyntaxKind.BinaryExpression: {
      const { left, operatorToken, right } = expression as ts.BinaryExpression;
      switch (operatorToken.kind) {
        case SyntaxKind.BarBarToken:
        case SyntaxKind.QuestionQuestionToken:
        case SyntaxKind.AmpersandAmpersandToken:
          return isPlain(left) && isPlain(right);
        case SyntaxKind.CommaToken:
          return isPlain(right);
        default:
          return operatorToken.kind < SyntaxKind.FirstAssignment || operatorToken.kind > SyntaxKind.LastAssignment;
      }
    }
    default:
      return false;
  }
}

/** Whether the end of the statements can be reached; loops and switches may end. */
function mayEnd(statement: ts.Statement): boolean {
  switch (statement.kind) {
    case SyntaxKind.ReturnStatement:
    case SyntaxKind.ThrowStatement:
      return false;
    case SyntaxKind.Block:
      return (statement as ts.Block).statements.every(mayEnd);
    case SyntaxKind.IfStatement: {
      const { thenStatement, elseStatement } = statement as ts.IfStatement;
      return elseStatement === undefined || mayEnd(thenStatement) || mayEnd(elseStatement);
    }
    case SyntaxKind.TryStatement: {
      const { tryBlock, catchClause, finallyBlock } = statement as ts.TryStatement;
      if (finallyBlock !== undefined && !mayEnd(finallyBlock)) return false;
      return mayEnd(tryBlock) || (catchClause !== undefined && mayEnd(catchClause.block));
    }
    default:
      return true;
  }
}
