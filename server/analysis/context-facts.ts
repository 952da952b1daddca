// What a file does with the context that the platform hands to it: requests, calls that pass the context on, uses of the account's
// endpoint. Everything is found by name, and looked at only where the name stands.
import { ts } from "ts-morph";
import { pathOf, unwrap } from "./evaluate/path-of.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { givesContext } from "./gives-context.ts";
import type { Place, Span, Value } from "./model.ts";
import { collectSecrets, type SecretFact } from "./secret-facts.ts";
import { nodesAt } from "./tree-search.ts";

const { SyntaxKind } = ts;

/** A call that sends a request, or that hands what sends requests to another function: `get(context, url)`. */
export interface ContextCall extends Place {
  /** What is called; a reference, or unknown where it is computed. */
  readonly callee: Value;
  /** Whether it is the platform's fetch, as far as its own statement tells: "maybe" is for whoever knows what its names stand for. */
  readonly fetches: "yes" | "maybe" | "no";
  readonly arguments: readonly Value[];
  /** Runs only where the endpoint is known to be there, or fails without harm. */
  readonly guarded: boolean;
}

/** A function around a call or use. Its parameters stand by their names; undefined where one is destructured. */
export interface FunctionFact extends Span {
  readonly parameters: readonly (string | undefined)[];
}

/** `context.endpoint` where something is made of it that makes no sense without a value. */
export interface EndpointUse extends Place {
  readonly guarded: boolean;
  /** What may be there instead: `base` of `base || context.endpoint`. */
  readonly instead?: Value;
}

export interface ContextFacts {
  /** By their start. */
  readonly contextCalls: readonly ContextCall[];
  readonly functions: readonly FunctionFact[];
  readonly endpointUses: readonly EndpointUse[];
  readonly secrets: readonly SecretFact[];
}

/** The facts of a file, from those of its statements in order. */
export function joinContextFacts(parts: readonly ContextFacts[]): ContextFacts {
  const [first] = parts;
  if (first === undefined) return NO_CONTEXT;
  if (parts.length === 1) return first;
  const contextCalls: ContextCall[] = [];
  const functions: FunctionFact[] = [];
  const endpointUses: EndpointUse[] = [];
  const secrets: SecretFact[] = [];
  for (const part of parts) {
    for (const call of part.contextCalls) contextCalls.push(call);
    for (const around of part.functions) functions.push(around);
    for (const use of part.endpointUses) endpointUses.push(use);
    for (const secret of part.secrets) secrets.push(secret);
  }
  return { contextCalls, functions, endpointUses, secrets };
}

/** Parameters that hold an execution context are called so in every pack; one that is called otherwise is not followed into helpers. */
const CONTEXT_NAME = /(?:context|ctx)$/i;

/** Whether a call may send a request or hand the context on: asked of every call of a file. */
export function concernsContext(node: ts.CallExpression, name: string | undefined): boolean {
  if (name === "fetch") return true;
  const given = node.arguments;
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] as ts.Expression;
    switch (argument.kind) {
      case SyntaxKind.Identifier:
        if (CONTEXT_NAME.test((argument as ts.Identifier).text)) return true;
        break;
      case SyntaxKind.PropertyAccessExpression: {
        const { text } = (argument as ts.PropertyAccessExpression).name;
        if (text === "fetcher" || text === "fetch" || text === "context") return true;
        break;
      }
      case SyntaxKind.ObjectLiteralExpression:
        if ((argument as ts.ObjectLiteralExpression).properties.some(isUrl)) return true;
    }
  }
  return false;
}

const isUrl = ({ name }: ts.ObjectLiteralElementLike): boolean =>
  name !== undefined && name.kind === SyntaxKind.Identifier && (name as ts.Identifier).text === "url";

const NONE: readonly never[] = Object.freeze([]);

/** Shared by the many statements that have nothing of it. */
export const NO_CONTEXT: ContextFacts = Object.freeze({ contextCalls: NONE, functions: NONE, endpointUses: NONE, secrets: NONE });

/** Facts of the calls that the walk over a statement found, and of what its text names. */
export function collectContextFacts(statement: ts.Statement, calls: readonly ts.CallExpression[], context: EvaluateContext): ContextFacts {
  const text = context.source.text.slice(statement.pos, statement.end);
  const mentionsEndpoint = /endpoint/i.test(text);
  const secrets = collectSecrets(statement, text, context.source, context.file);
  if (calls.length === 0 && !mentionsEndpoint && secrets.length === 0) return NO_CONTEXT;
  const mayGuard = calls.length > 0 && (mentionsEndpoint || givesContext(text));
  const endpointUses = mentionsEndpoint ? collectEndpointUses(statement, context) : [];
  const { contextCalls, functions } = readCalls(calls, mayGuard, context);
  return { contextCalls, functions, endpointUses, secrets };
}

function readCalls(
  calls: readonly ts.CallExpression[],
  mayGuard: boolean,
  context: EvaluateContext,
): Pick<ContextFacts, "contextCalls" | "functions"> {
  const functions = new Map<number, FunctionFact>();
  const around = (node: ts.Node): void => {
    for (let parent = node.parent; parent !== undefined; parent = parent.parent) {
      if (!isFunction(parent)) continue;
      const start = parent.getStart(context.source);
      // The functions around a function are known with it.
      if (functions.has(start)) return;
      const parameters = parent.parameters.map(({ name }) =>
        name.kind === SyntaxKind.Identifier ? (name as ts.Identifier).text : undefined,
      );
      functions.set(start, { start, end: parent.end, parameters });
    }
  };
  const contextCalls = calls.map((call): ContextCall => {
    around(call);
    const callee = evaluate(call.expression, context);
    return {
      file: context.file,
      start: call.getStart(context.source),
      end: call.end,
      callee,
      fetches: fetches(call, context.source),
      arguments: call.arguments.map((argument) => evaluate(argument, context)),
      guarded: mayGuard && isGuarded(call, ["endpoint"], context.source),
    };
  });
  return { contextCalls, functions: [...functions.values()] };
}

/** What the platform's fetcher is called, wherever it is kept. */
export const isFetcherName = (name: string | undefined): boolean => name !== undefined && /fetcher$/i.test(name);

/** A method of one's own may be called `fetch` too: what it is called on decides. */
function fetches(call: ts.CallExpression, source: ts.SourceFile): ContextCall["fetches"] {
  const names = pathOf(call.expression);
  if (names !== undefined && names.length < 2) return "maybe";
  const callee = unwrap(call.expression);
  if (names === undefined) {
    const receiver = lastName(callee) === "fetch" ? (callee as ts.PropertyAccessExpression).expression : undefined;
    return receiver !== undefined && isFetcherName(lastName(unwrap(receiver))) ? "yes" : "no";
  }
  if (names[names.length - 1] !== "fetch") return "no";
  const first = names[0] ?? "";
  if (first === "this") return isFetcherName(names[names.length - 2]) && !hasFetcherOfItsOwn(call, source) ? "yes" : "no";
  const type = names.length === 2 ? parameterOf(call, first)?.type?.getText(source) : undefined;
  if (type === undefined || type === "any") return "maybe";
  return /\bFetcher\b/.test(type) ? "yes" : "no";
}

/** A class that makes, or is given, something else by that name. */
function hasFetcherOfItsOwn(node: ts.Node, source: ts.SourceFile): boolean {
  let around = node.parent;
  while (around !== undefined && !ts.isClassLike(around)) around = around.parent;
  return around !== undefined && namesOwnFetcher(around.getText(source));
}

/** Behind the name: a type that is another, or something that is made. */
const OWN_FETCHER = /^(?:\s*(?:[?!]\s*)?:(?!\s*(?:(?:\w+\.)*Fetcher|any)\b)\s*\w|[^=;,(){}]*=\s*new\b)/i;
/** Nobody writes more between a name and what it is. */
const LONGEST_TYPE = 200;

function namesOwnFetcher(text: string): boolean {
  for (const { index } of text.matchAll(/(?<=fetcher)/gi)) if (OWN_FETCHER.test(text.slice(index, index + LONGEST_TYPE))) return true;
  return false;
}

function lastName(node: ts.Expression): string | undefined {
  return node.kind === SyntaxKind.PropertyAccessExpression ? (node as ts.PropertyAccessExpression).name.text : undefined;
}

/** The parameter of that name, of a function around the node. */
function parameterOf(node: ts.Node, called: string): ts.ParameterDeclaration | undefined {
  for (let { parent } = node; parent !== undefined; parent = parent.parent) {
    const found = isFunction(parent) ? parent.parameters.find(({ name }) => ts.isIdentifier(name) && name.text === called) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isFunction(node: ts.Node): node is ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration {
  switch (node.kind) {
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.MethodDeclaration:
      return true;
    default:
      return false;
  }
}

const ENDPOINT = /\bendpoint\b/g;

/** A use of a local name for the endpoint, or of the endpoint itself; with what may be there instead of it. */
type AddUse = (node: ts.Node, names: readonly string[], instead?: Value) => void;

function collectEndpointUses(statement: ts.Statement, context: EvaluateContext): readonly EndpointUse[] {
  const { source, file } = context;
  const uses: EndpointUse[] = [];
  const add: AddUse = (node, names, before) => {
    if (!needsValue(node)) return;
    const instead = before ?? alternativeTo(node, context);
    const use: EndpointUse = { file, start: node.getStart(source), end: node.end, guarded: isGuarded(node, names, source) };
    uses.push(instead === undefined ? use : { ...use, instead });
  };
  for (const name of nodesAt(statement, source, ENDPOINT)) {
    const { parent } = name;
    if (parent.kind === SyntaxKind.PropertyAccessExpression && (parent as ts.PropertyAccessExpression).name === name) {
      if (!isContext((parent as ts.PropertyAccessExpression).expression, source)) continue;
      add(parent, ["endpoint"]);
      const variable = handedOn(parent).parent;
      if (variable.kind === SyntaxKind.VariableDeclaration && !isGuarded(parent, ["endpoint"], source))
        addAlias((variable as ts.VariableDeclaration).name, source, add, alternativeTo(parent, context));
    } else if (parent.kind === SyntaxKind.BindingElement && isEndpointBinding(parent as ts.BindingElement, name, source))
      addAlias((parent as ts.BindingElement).name, source, add);
  }
  return uses;
}

/** `context`, `syncContext`: a parameter by that name, of no type that is another; `this.context` in a class that fetches by it. */
function isContext(node: ts.Expression, source: ts.SourceFile): boolean {
  const [first = "", second, ...rest] = pathOf(node) ?? [];
  if (rest.length > 0 || !CONTEXT_NAME.test(second ?? first)) return false;
  for (let { parent } = node as ts.Node; parent !== undefined; parent = parent.parent) {
    if (second !== undefined) {
      if (first === "this" && ts.isClassLike(parent)) return parent.getText(source).includes(`this.${second}.fetcher`);
      continue;
    }
    const parameter = isFunction(parent) ? parent.parameters.find(({ name }) => ts.isIdentifier(name) && name.text === first) : undefined;
    if (parameter !== undefined)
      return parameter.type === undefined ? PLAIN_CONTEXT.test(first) : /ExecutionContext\b|^any$/.test(parameter.type.getText(source));
  }
  return false;
}

/** Of a parameter without a type: `requestContext` may be anything of one's own. */
const PLAIN_CONTEXT = /^_*(?:sync|execution|exec|pack|coda|formula)?_?(?:context|ctx)$/i;

/** `const { endpoint } = context`, or the same in a parameter that also has what only a context has. */
function isEndpointBinding(element: ts.BindingElement, name: ts.Node, source: ts.SourceFile): boolean {
  // One with a default has a value.
  if (element.initializer !== undefined || (element.propertyName ?? element.name) !== name) return false;
  const pattern = element.parent;
  const owner = pattern.parent;
  if (owner.kind === SyntaxKind.VariableDeclaration) {
    const { initializer } = owner as ts.VariableDeclaration;
    return initializer !== undefined && isContext(unwrap(initializer), source);
  }
  return (
    owner.kind === SyntaxKind.Parameter &&
    (pattern.elements as ts.NodeArray<ts.ArrayBindingElement>).some(
      (other) => ts.isBindingElement(other) && /^(?:fetcher|invocationToken)$/.test((other.propertyName ?? other.name).getText()),
    )
  );
}

/** The uses of a local name for the endpoint, in the function that it is local to. */
function addAlias(name: ts.BindingName, source: ts.SourceFile, add: AddUse, instead?: Value): void {
  if (name.kind !== SyntaxKind.Identifier) return;
  const { text } = name as ts.Identifier;
  let scope: ts.Node = name;
  while (scope.parent !== undefined && !isFunction(scope)) scope = scope.parent;
  const visit = (node: ts.Node): void => {
    if (node.kind === SyntaxKind.Identifier && (node as ts.Identifier).text === text && node !== name) {
      const { parent } = node;
      const isMember = parent.kind === SyntaxKind.PropertyAccessExpression && (parent as ts.PropertyAccessExpression).name === node;
      if (!isMember) add(node, ["endpoint", text], instead);
    }
    ts.forEachChild(node, visit);
  };
  if (scope !== source) ts.forEachChild(scope, visit);
}

/** The node with the parentheses and assertions around it. */
function outermost(node: ts.Node): ts.Node {
  let outer = node;
  for (; outer.parent !== undefined; outer = outer.parent) {
    const { kind } = outer.parent;
    if (kind !== SyntaxKind.ParenthesizedExpression && kind !== SyntaxKind.AsExpression && kind !== SyntaxKind.NonNullExpression)
      return outer;
  }
  return outer;
}

/** The expression whose value may be the node's: what chooses it, or takes it where there is nothing else. */
function handedOn(node: ts.Node): ts.Node {
  let outer = outermost(node);
  while (isChosenBy(outer, outer.parent)) outer = outermost(outer.parent);
  return outer;
}

function isChosenBy(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return ts.isBinaryExpression(parent) && parent.right === node && isShort(parent);
}

const isShort = ({ operatorToken }: ts.BinaryExpression): boolean =>
  operatorToken.kind === SyntaxKind.AmpersandAmpersandToken || isDefaulting(operatorToken.kind);

const isDefaulting = (operator: ts.SyntaxKind): boolean =>
  operator === SyntaxKind.BarBarToken || operator === SyntaxKind.QuestionQuestionToken;

/** What is there instead of the node where it is something: what stands left of it; not known where a condition decides. */
function alternativeTo(node: ts.Node, context: EvaluateContext): Value | undefined {
  const { parent } = outermost(node);
  if (!isChosenBy(outermost(node), parent)) return undefined;
  if (ts.isBinaryExpression(parent) && isDefaulting(parent.operatorToken.kind)) return evaluate(parent.left, context);
  return { kind: "unknown", file: context.file, start: parent.getStart(context.source), end: parent.end };
}

/** Something is read from it, or a text or an URL is made of it. That it is compared, returned or handed on says nothing. */
function needsValue(use: ts.Node): boolean {
  const node = handedOn(use);
  const { parent } = node;
  switch (parent.kind) {
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression: {
      const access = parent as ts.PropertyAccessExpression | ts.ElementAccessExpression;
      return access.expression === node && access.questionDotToken === undefined;
    }
    case SyntaxKind.TemplateSpan:
      return !isOnlyTold(parent.parent);
    case SyntaxKind.BinaryExpression:
      return (parent as ts.BinaryExpression).operatorToken.kind === SyntaxKind.PlusToken && !isOnlyTold(parent);
    case SyntaxKind.PropertyAssignment:
      return (parent as ts.PropertyAssignment).name.getText() === "url";
    case SyntaxKind.CallExpression:
      return (
        (parent as ts.CallExpression).arguments[0] === node &&
        /\.?(?:joinUrl|withQueryParams)$/.test((parent as ts.CallExpression).expression.getText())
      );
    default:
      return false;
  }
}

/** A text that goes into the log, or into an error's message. */
function isOnlyTold(text: ts.Node): boolean {
  let node = outermost(text);
  while (node.parent.kind === SyntaxKind.BinaryExpression) node = outermost(node.parent);
  const { parent } = node;
  if (parent.kind !== SyntaxKind.CallExpression && parent.kind !== SyntaxKind.NewExpression) return false;
  return /^console\b|\blog\w*$|Error$/i.test((parent as ts.CallExpression | ts.NewExpression).expression.getText());
}

/**
 * Whether something around the node, or before it in a block around it, looks at the endpoint: a condition, an early return, an
 * assertion, a default. How it looks is not judged, nor is what a `try` makes of a failure.
 */
function isGuarded(node: ts.Node, names: readonly string[], source: ts.SourceFile): boolean {
  const mentions = (part: ts.Node | undefined): boolean => {
    if (part === undefined) return false;
    const text = source.text.slice(part.pos, part.end);
    // `hasSite(context)` may look at it, too.
    return /endpoint/i.test(text) || names.some((name) => text.includes(name)) || givesContext(text);
  };
  let child = node;
  for (let parent = node.parent; parent !== undefined; child = parent, parent = parent.parent) {
    switch (parent.kind) {
      case SyntaxKind.IfStatement:
      case SyntaxKind.WhileStatement:
      case SyntaxKind.DoStatement:
      case SyntaxKind.SwitchStatement:
        if (child !== (parent as ts.IfStatement).expression && mentions((parent as ts.IfStatement).expression)) return true;
        break;
      case SyntaxKind.CaseBlock:
        // `switch (true) { case !!context.endpoint: … }`: each clause looks before the statements of any.
        for (const clause of (parent as ts.CaseBlock).clauses) {
          const looked = clause.kind === SyntaxKind.CaseClause ? (clause as ts.CaseClause).expression : undefined;
          if (looked !== undefined && !(looked.pos <= node.pos && node.end <= looked.end) && mentions(looked)) return true;
        }
        break;
      case SyntaxKind.ConditionalExpression:
        if (child !== (parent as ts.ConditionalExpression).condition && mentions((parent as ts.ConditionalExpression).condition))
          return true;
        break;
      case SyntaxKind.BinaryExpression: {
        const { left, right } = parent as ts.BinaryExpression;
        if (isShort(parent as ts.BinaryExpression) && child === right && mentions(left) && isLookedAt(parent as ts.BinaryExpression))
          return true;
        break;
      }
      case SyntaxKind.TryStatement:
        if (child === (parent as ts.TryStatement).tryBlock && (parent as ts.TryStatement).catchClause !== undefined) return true;
        break;
      case SyntaxKind.Block:
      case SyntaxKind.CaseClause:
      case SyntaxKind.DefaultClause:
        for (const statement of (parent as ts.Block).statements) {
          if (statement === child) break;
          if (looksAt(statement, mentions)) return true;
        }
    }
  }
  return false;
}

/** Whether what stands left says something of what stands right: a value that is taken first does not. */
const isLookedAt = ({ left, operatorToken }: ts.BinaryExpression): boolean =>
  !isDefaulting(operatorToken.kind) || pathOf(left) === undefined;

/** A statement that may not go on without what it mentions. */
function looksAt(statement: ts.Statement, mentions: (part: ts.Node | undefined) => boolean): boolean {
  switch (statement.kind) {
    case SyntaxKind.IfStatement:
    case SyntaxKind.SwitchStatement:
    case SyntaxKind.WhileStatement:
      return mentions((statement as ts.IfStatement).expression);
    case SyntaxKind.ExpressionStatement: {
      const expression = unwrap((statement as ts.ExpressionStatement).expression);
      const isSet = ts.isBinaryExpression(expression) && expression.operatorToken.kind === SyntaxKind.EqualsToken;
      return isSet ? mentions(beforeLast(expression.right)) || mentions(expression.left) : mentions(statement);
    }
    case SyntaxKind.VariableStatement:
      // `const site = ensureExists(context.endpoint)`, `const has = !!context.endpoint`: whatever is not the plain value.
      return (statement as ts.VariableStatement).declarationList.declarations.some(
        ({ initializer }) => initializer !== undefined && mentions(beforeLast(initializer)) && isTest(unwrap(initializer)),
      );
    default:
      return false;
  }
}

/** What decides whether the last operand is looked at: that one is taken as it is. */
function beforeLast(expression: ts.Expression): ts.Expression {
  const all = unwrap(expression);
  return ts.isBinaryExpression(all) && isShort(all) && pathOf(all.right) !== undefined ? all.left : expression;
}

function isTest(initializer: ts.Expression): boolean {
  if (initializer.kind === SyntaxKind.PrefixUnaryExpression || initializer.kind === SyntaxKind.ConditionalExpression) return true;
  if (initializer.kind === SyntaxKind.CallExpression)
    return /ensure|assert|check|require|Boolean|valid/i.test((initializer as ts.CallExpression).expression.getText());
  return (
    initializer.kind === SyntaxKind.BinaryExpression && (initializer as ts.BinaryExpression).operatorToken.kind !== SyntaxKind.PlusToken
  );
}
