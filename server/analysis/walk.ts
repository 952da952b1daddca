// One walk over a statement of a file's top level: the names it declares and changes, the calls that matter to packs, the texts that are
// put together. What comes out is plain data that outlives the tree: when text before the statement changes, it is moved as it is, so
// every position in it is a number called `start`, `end` or `offset`.
import { ts } from "ts-morph";
import { ANY } from "./changes.ts";
import { type ContextFacts, collectContextFacts, concernsContext } from "./context-facts.ts";
import { Declarations, FILE_SCOPE, givenBy } from "./declarations.ts";
import {
  calleeName,
  type EvaluateContext,
  evaluate,
  evaluateEnum,
  evaluateNamespace,
  evaluateStatics,
  isJoining,
  isSum,
  pathOf,
  unwrap,
} from "./evaluate.ts";
import { forEachHeldName, isHolder } from "./held-names.ts";
import type { CallFact, HandedCall, Span, Value } from "./model.ts";
import { namesOf } from "./module-facts.ts";
import { mayHoldPlaceholder } from "./placeholders.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind, forEachChild } = ts;

/** Methods of packs, and what else of a pack is looked at. */
const METHODS = new Set([
  "setUserAuthentication",
  "setSystemAuthentication",
  "addNetworkDomain",
  "addFormula",
  "addSyncTable",
  "addDynamicSyncTable",
  "addMCPServer",
  "addAdminAuthentication",
  "addColumnFormat",
  "addMCPServer",
  "newPack",
]);

/** Calls that only read what they are given. */
const READERS = new Set([
  ...METHODS,
  "fetch",
  "makeMetadataFormula",
  "log",
  "warn",
  "error",
  "stringify",
  "freeze",
  "keys",
  "values",
  "entries",
  "has",
  "get",
]);
/** Methods that write to their list; those that put something into it, or order it, leave what it had. */
const WRITERS = new Set(["push", "unshift", "pop", "shift", "splice", "sort", "reverse", "fill", "copyWithin"]);
const GROWERS = new Set(["push", "unshift", "sort", "reverse"]);
/** Methods that give the items of their list to a function, one by one. */
const ITERATORS = new Set(["forEach", "map", "flatMap", "filter", "find", "findLast", "some", "every"]);

export interface Walked {
  /** What is done with the context that the platform gives. */
  readonly context: ContextFacts;
  readonly declarations: Declarations;
  readonly calls: CallFact[];
  readonly handedCalls: HandedCall[];
  /** Templates and sums of texts that may hold placeholders. */
  readonly texts: Value[];
  readonly tokenAliases: ReadonlySet<string>;
  readonly handedOver: HandedOver[];
}

/** A name that is given to a function: `to(what)`; undefined where the function is computed. */
export interface HandedOver {
  readonly to: string | undefined;
  readonly what: string;
}

/** Where the walk is: the block and the function that names are declared in, and whether this may not run. */
interface Frame {
  readonly block: Span;
  readonly body: Span;
  readonly conditional: boolean;
}

/** What is walked over, with the calls that are looked at when the walk is done. */
interface Walking extends Omit<Walked, "context" | "tokenAliases"> {
  readonly tokenAliases: Set<string>;
  readonly contextCalls: ts.CallExpression[];
}

type Enter = (node: ts.Node, frame: Frame, context: EvaluateContext, walked: Walking) => Frame;

const OUTERMOST: Frame = { block: FILE_SCOPE, body: FILE_SCOPE, conditional: false };

const NO_NAMES: ReadonlySet<string> = new Set();

/** One walk over the whole statement. Most nodes are of no interest: what is done with one is looked up by its kind alone. */
export function walk(statement: ts.Statement, context: EvaluateContext): Walked {
  const contextCalls: ts.CallExpression[] = [];
  const found = {
    declarations: new Declarations(),
    calls: [],
    handedCalls: [],
    texts: [],
    tokenAliases: new Set<string>(),
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
    tokenAliases: tokenAliases.size > 0 ? tokenAliases : NO_NAMES,
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
  const frame = ENTER[kind]?.(node, outer, context, walked) ?? outer;
  if (kind === SyntaxKind.Block) visitAll((node as ts.Block).statements, frame, context, walked);
  else forEachChild(node, (child) => visit(child, frame, context, walked));
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

const enterFunction: Enter = (node, frame, context, walked) => {
  if (ts.isFunctionDeclaration(node) && node.name) walked.declarations.declare(node.name.text, frame.block, functionValue(node, context));
  if (node.kind === SyntaxKind.ArrowFunction) handOut((node as ts.ArrowFunction).body, node, walked);
  const own = { start: node.pos, end: node.end };
  return { block: own, body: own, conditional: false };
};

const enterBlock: Enter = (node, frame) =>
  // A function's own block is the function.
  node.parent.pos === frame.body.start && node.end === frame.body.end ? frame : { ...frame, block: { start: node.pos, end: node.end } };

const enterBranch: Enter = (_, frame) => (frame.conditional ? frame : { ...frame, conditional: true });

const enterLoop: Enter = (node, frame, _, walked) => {
  if ((ts.isForInStatement(node) || ts.isForOfStatement(node)) && !ts.isVariableDeclarationList(node.initializer))
    changed(node.initializer, walked);
  return { ...frame, block: { start: node.pos, end: node.end }, conditional: true };
};

const enterParameter: Enter = (node, frame, context, walked) => {
  const { name } = node as ts.ParameterDeclaration;
  const list = ts.isIdentifier(name) ? listFor(node as ts.ParameterDeclaration) : undefined;
  if (list !== undefined && ts.isIdentifier(name)) walked.declarations.declare(name.text, frame.body, eachOf(list, context));
  else declareParameter(name, frame.body, context, walked.declarations);
  readTokenBinding(name, walked.tokenAliases);
  return frame;
};

const enterCounting: Enter = (node, frame, _, walked) => {
  const { operator, operand } = node as ts.PrefixUnaryExpression | ts.PostfixUnaryExpression;
  if (operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken) changed(operand, walked);
  return frame;
};

const enterBinary: Enter = (node, frame, context, walked) => {
  const { left, operatorToken } = node as ts.BinaryExpression;
  const operator = operatorToken.kind;
  if (operator === SyntaxKind.PlusToken) return enterText(node, frame, context, walked);
  const isAssignment = operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment;
  if (isAssignment) {
    changed(left, walked);
    keep((node as ts.BinaryExpression).right, left, walked);
  }
  const isShort =
    operator === SyntaxKind.AmpersandAmpersandToken || operator === SyntaxKind.BarBarToken || operator === SyntaxKind.QuestionQuestionToken;
  return isShort ? enterBranch(node, frame, context, walked) : frame;
};

/** What is put into something else is written to there; what is exported, by who imports it. */
function keep(value: ts.Expression, into: ts.Expression, walked: Walking): void {
  const root = stepsOf(unwrap(into))?.names[0];
  if (root === undefined || root === "module" || root === "exports") return;
  const target = unwrap(into);
  forEachHeldName(value, ([name = "", ...path], inside) => {
    if (target.kind === SyntaxKind.Identifier) walked.declarations.alias(name, { name: root, offset: target.end, path, inside });
    else letGo(name, path, value.end, pathOf(target)?.names[0], walked);
  });
}

const enterText: Enter = (node, frame, context, walked) => {
  if (isSum(node.parent) || isPartOfJoining(node)) return frame;
  const text = evaluate(node as ts.Expression, context);
  if (mayHoldPlaceholder(text)) walked.texts.push(text);
  return frame;
};

/** The receiver of a further call that puts texts together: that one is the whole. */
const isPartOfJoining = (node: ts.Node): boolean =>
  isJoining(node.parent.parent) && node.parent.kind === SyntaxKind.PropertyAccessExpression;

function enterCall(node: ts.CallExpression, frame: Frame, context: EvaluateContext, walked: Walking): void {
  const called = calleeName(node);
  readCall(node, called, frame, context, walked);
  if (called?.name === "join" || called?.name === "concat") enterText(node, frame, context, walked);
}

const ENTER: readonly (Enter | undefined)[] = (() => {
  const table: (Enter | undefined)[] = [];
  const on = (enter: Enter, ...kinds: readonly ts.SyntaxKind[]): void => {
    for (const kind of kinds) table[kind] = enter;
  };
  on(enterFunction, SyntaxKind.FunctionDeclaration, SyntaxKind.FunctionExpression, SyntaxKind.ArrowFunction, SyntaxKind.MethodDeclaration);
  on(enterFunction, SyntaxKind.Constructor, SyntaxKind.GetAccessor, SyntaxKind.SetAccessor);
  on(enterBlock, SyntaxKind.Block, SyntaxKind.ModuleBlock);
  on(enterBranch, SyntaxKind.IfStatement, SyntaxKind.ConditionalExpression);
  on(enterLoop, SyntaxKind.ForStatement, SyntaxKind.ForInStatement, SyntaxKind.ForOfStatement, SyntaxKind.WhileStatement);
  on(enterLoop, SyntaxKind.DoStatement, SyntaxKind.CaseBlock, SyntaxKind.CatchClause);
  on(enterParameter, SyntaxKind.Parameter);
  on(enterCounting, SyntaxKind.PrefixUnaryExpression, SyntaxKind.PostfixUnaryExpression);
  on(enterBinary, SyntaxKind.BinaryExpression);
  on(enterText, SyntaxKind.TemplateExpression);
  on((node, frame, context, walked) => {
    const { name } = node as ts.ClassDeclaration;
    if (name) walked.declarations.declare(name.text, frame.block, evaluateStatics(node as ts.ClassDeclaration, context));
    return frame;
  }, SyntaxKind.ClassDeclaration);
  on((node, frame, context, walked) => {
    const { name } = node as ts.EnumDeclaration;
    walked.declarations.declare(name.text, frame.block, evaluateEnum(node as ts.EnumDeclaration, context));
    return frame;
  }, SyntaxKind.EnumDeclaration);
  on((node, frame, context, walked) => {
    const { name } = node as ts.ModuleDeclaration;
    const value = evaluateNamespace(node as ts.ModuleDeclaration, context);
    // One that holds types alone stands beside a value of its name.
    if (value.properties.length > 0) walked.declarations.declare(name.text, frame.block, value);
    return frame;
  }, SyntaxKind.ModuleDeclaration);
  on((node, frame, context, walked) => {
    handOver(node as ts.NewExpression, context, walked);
    return frame;
  }, SyntaxKind.NewExpression);
  on((node, frame, _, walked) => {
    const { tag, template } = node as ts.TaggedTemplateExpression;
    const to = pathOf(tag)?.names[0];
    if (template.kind === SyntaxKind.TemplateExpression)
      for (const { expression } of template.templateSpans)
        forEachHeldName(expression, ([name = "", ...path]) => letGo(name, path, expression.end, to, walked));
    return frame;
  }, SyntaxKind.TaggedTemplateExpression);
  on((node, frame, _, walked) => {
    const { expression } = node as ts.ReturnStatement;
    if (expression !== undefined) handOut(expression, node.parent, walked);
    return frame;
  }, SyntaxKind.ReturnStatement);
  on((node, frame, _, walked) => {
    changed((node as ts.DeleteExpression).expression, walked, "deleted");
    return frame;
  }, SyntaxKind.DeleteExpression);
  return table;
})();

const isBlockScoped = (node: ts.VariableDeclaration): boolean => (ts.getCombinedNodeFlags(node) & ts.NodeFlags.BlockScoped) !== 0;

function functionValue(node: ts.FunctionDeclaration, context: EvaluateContext): Value {
  const async = node.modifiers?.some((modifier) => modifier.kind === SyntaxKind.AsyncKeyword) === true;
  return { file: context.file, start: node.getStart(context.source), end: node.getEnd(), kind: "function", async };
}

function readVariable(node: ts.VariableDeclaration, scope: Span, context: EvaluateContext, walked: Walking): void {
  if (!ts.isIdentifier(node.name)) {
    for (const name of namesOf(node.name)) {
      const bound = boundValue(node, name, context);
      walked.declarations.declare(name, scope, bound);
      addAlias(name, node.end, bound, walked.declarations);
    }
    readTokenBinding(node.name, walked.tokenAliases);
    return;
  }
  const value = node.initializer && evaluate(node.initializer, context);
  if (value?.kind === "reference") {
    const last = value.path[value.path.length - 1] ?? "";
    if (last === "invocationToken" || (value.path.length === 1 && walked.tokenAliases.has(last))) walked.tokenAliases.add(node.name.text);
  }
  const loop = value === undefined ? node.parent.parent : undefined;
  const list = loop !== undefined && loop.kind === SyntaxKind.ForOfStatement ? (loop as ts.ForOfStatement).expression : undefined;
  walked.declarations.declare(node.name.text, scope, list === undefined ? value : eachOf(list, context));
  const source = value ?? iterated(node, context);
  addAlias(node.name.text, node.end, source, walked.declarations);
  const held = list ?? node.initializer;
  const local = node.name;
  if (held !== undefined && isHolder(unwrap(held)))
    forEachHeldName(held, ([root = "", ...path], inside) =>
      // Of a list that is gone through, the items are meant.
      walked.declarations.alias(root, { name: local.text, offset: node.end, path, inside: list === undefined ? inside : inside.slice(1) }),
    );
  if (source?.kind === "unknown" && source.callee?.kind === "reference")
    walked.declarations.alias(givenBy(source.callee.path.at(-1)), { name: node.name.text, offset: node.end, path: [] });
}

/** `return config`: who calls the function may write to it. */
function handOut(returned: ts.Node, inside: ts.Node, walked: Walking): void {
  const path = returned.kind === SyntaxKind.Block ? undefined : pathOf(returned as ts.Expression)?.names;
  if (path === undefined) return;
  const { declarations } = walked;
  let node = inside;
  while (!FUNCTIONS.has(node.kind)) {
    if (node.parent === undefined) return;
    node = node.parent;
  }
  const name = nameOfFunction(node as ts.FunctionLikeDeclaration);
  const [root = "", ...rest] = path;
  if (name !== undefined && node.kind !== SyntaxKind.GetAccessor)
    declarations.alias(root, { name: givenBy(name), offset: returned.end, path: rest });
  // Given to whoever calls or reads something that has no name here.
  else letGo(root, rest, returned.end, undefined, walked);
}

/** What is out of sight may be written to. */
function letGo(name: string, path: readonly string[], offset: number, to: string | undefined, walked: Walking): void {
  if (path.length === 0 || name === "this") walked.handedOver.push({ to, what: name });
  walked.declarations.change({ kind: "escaped", name, offset, path });
}

const FUNCTIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.Constructor,
  SyntaxKind.SetAccessor,
]);

/** Its own, or that of what it is given to: `const settings = () => config`, `settings: () => config`. */
function nameOfFunction(node: ts.FunctionLikeDeclaration): string | undefined {
  const { parent } = node;
  const name = node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined);
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined;
}

function addAlias(name: string, offset: number, value: Value | undefined, declarations: Declarations): void {
  if (value?.kind === "unknown" && value.lookup?.object.kind === "reference") {
    const [root = "", ...path] = value.lookup.object.path;
    declarations.alias(root, { name, offset, path: [...path, ANY] });
  }
  if (value?.kind === "reference") declarations.alias(value.path[0] ?? "", { name, offset, path: value.path.slice(1) });
}

/** Of what goes through a list that has a name, or is written out. */
function eachOf(list: ts.Expression, context: EvaluateContext): Value | undefined {
  const value = evaluate(list, context);
  const { file, start, end } = value;
  return value.kind === "reference" || value.kind === "array" ? { kind: "unknown", file, start, end, each: value } : undefined;
}

/** The list whose items a function is given: `list.forEach((item) => …)`. */
function listFor(parameter: ts.ParameterDeclaration): ts.Expression | undefined {
  const given = parameter.parent;
  const call = given.parent;
  if (given.parameters[0] !== parameter || !ts.isCallExpression(call) || call.arguments[0] !== given) return undefined;
  const callee = unwrap(call.expression);
  return ts.isPropertyAccessExpression(callee) && callee.name.text === "forEach" ? callee.expression : undefined;
}

/** Of the variable of `for (const item of list)`: an item of the list. */
function iterated({ parent }: ts.VariableDeclaration, context: EvaluateContext): Value | undefined {
  if (!ts.isForOfStatement(parent.parent)) return undefined;
  const list = evaluate(parent.parent.expression, context);
  return list.kind === "reference" ? { ...list, path: [...list.path, ANY] } : undefined;
}

/** `const { name: local } = object`: the local name stands for `object.name`. */
function boundValue(node: ts.VariableDeclaration, local: string, context: EvaluateContext): Value | undefined {
  const from = node.initializer && evaluate(node.initializer, context);
  if (from?.kind !== "reference" || !ts.isObjectBindingPattern(node.name)) return undefined;
  const item = node.name.elements.find((element) => ts.isIdentifier(element.name) && element.name.text === local);
  if (item === undefined || item.initializer || item.dotDotDotToken) return undefined;
  const name = item.propertyName === undefined ? local : ts.isIdentifier(item.propertyName) ? item.propertyName.text : undefined;
  return name === undefined ? undefined : { ...from, path: [...from.path, name] };
}

/** What a parameter's names stand for is not known, but that one is a property of another is: `{ invocationToken: token }`. */
function declareParameter(name: ts.BindingName, scope: Span, context: EvaluateContext, declarations: Declarations): void {
  if (!ts.isObjectBindingPattern(name)) {
    for (const local of namesOf(name)) declarations.declare(local, scope, undefined);
    return;
  }
  for (const item of name.elements) {
    const property = item.propertyName ?? item.name;
    if (!ts.isIdentifier(item.name) || !ts.isIdentifier(property) || item.initializer || item.dotDotDotToken)
      for (const local of namesOf(item.name)) declarations.declare(local, scope, undefined);
    else {
      const at = { file: context.file, start: property.getStart(context.source), end: property.end };
      const nameSpan = { start: at.start, end: at.end };
      declarations.declare(item.name.text, scope, { ...at, kind: "reference", path: ["", property.text], nameSpan });
    }
  }
}

/** `{ invocationToken: token }`, in parameters and declarations. */
function readTokenBinding(name: ts.BindingName, tokenAliases: Set<string>): void {
  if (!ts.isObjectBindingPattern(name)) return;
  for (const item of name.elements) {
    if (!ts.isIdentifier(item.name)) readTokenBinding(item.name, tokenAliases);
    else if (item.propertyName && ts.isIdentifier(item.propertyName) && item.propertyName.text === "invocationToken")
      tokenAliases.add(item.name.text);
  }
}

function readCall(
  node: ts.CallExpression,
  called: ReturnType<typeof calleeName>,
  frame: Frame,
  context: EvaluateContext,
  walked: Walking,
): void {
  const callee = unwrap(node.expression);
  const imported = ts.isIdentifier(callee) ? context.toolkitImports.get(callee.text) : undefined;
  const method = imported === undefined || imported.name === "*" ? called?.name : imported.name;
  if (called !== undefined && method !== undefined && METHODS.has(method))
    walked.calls.push(callFact(node, method, called, frame, context));
  if (concernsContext(node, method)) walked.contextCalls.push(node);
  if (called !== undefined && READERS.has(method ?? "")) return;
  handOver(node, context, walked);
  if (node.arguments.length > 1 && node.arguments.some(isPackName)) walked.handedCalls.push(handedCall(node, frame, context));
  const receiver = ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee) ? callee.expression : undefined;
  if (receiver === undefined || (called !== undefined && !WRITERS.has(called.name) && !ITERATORS.has(called.name))) return;
  const path = stepsOf(receiver)?.names;
  if (path === undefined && called !== undefined && ITERATORS.has(called.name))
    forEachHeldName(receiver, ([name = "", ...rest], [, ...inside]) => aliasItems(node, name, rest, walked.declarations, inside));
  if (path === undefined) return;
  const [root = "", ...steps] = path;
  if (called === undefined) walked.handedOver.push({ to: undefined, what: root });
  else if (WRITERS.has(called.name)) {
    const at = { name: root, offset: receiver.getStart(context.source), path: steps };
    walked.declarations.change(GROWERS.has(called.name) ? { ...at, kind: "grown" } : { ...at, kind: "written", property: ANY });
    if (steps.length > 0) walked.handedOver.push({ to: undefined, what: root });
  } else if (ITERATORS.has(called.name)) aliasItems(node, root, [...steps, ANY], walked.declarations);
}

const isPackName = (argument: ts.Expression): boolean =>
  argument.kind === SyntaxKind.Identifier && /^p$|pack$|builder$/i.test((argument as ts.Identifier).text);

function handedCall(node: ts.CallExpression, frame: Frame, context: EvaluateContext): HandedCall {
  return {
    file: context.file,
    start: node.getStart(context.source),
    end: node.end,
    callee: evaluate(node.expression, context),
    arguments: node.arguments.map((argument) => evaluateArgument(argument, context)),
    within: frame.body === FILE_SCOPE ? undefined : frame.body,
  };
}

/** The first parameter of a function that is given the items of a list. */
function aliasItems(
  node: ts.CallExpression,
  root: string,
  path: readonly string[],
  declarations: Declarations,
  inside: readonly string[] = [],
): void {
  const callback = node.arguments[0] && unwrap(node.arguments[0]);
  if (callback === undefined || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))) return;
  const name = callback.parameters[0]?.name;
  if (name && ts.isIdentifier(name)) declarations.alias(root, { name: name.text, offset: name.end, path, inside });
}

/** What most arguments are, when they are no name. */
const NAMES_NOTHING: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
]);

/** What is handed to a function may be written to there. */
function handOver(node: ts.CallExpression | ts.NewExpression, context: EvaluateContext, walked: Walking): void {
  const given = node.arguments;
  if (given === undefined || given.length === 0) return;
  const to = pathOf(node.expression)?.names;
  for (const argument of given) {
    const what = unwrap(argument);
    if (NAMES_NOTHING.has(what.kind)) continue;
    if (what.kind === SyntaxKind.CallExpression && calleeName(what as ts.CallExpression)?.name === "newPack")
      walked.handedOver.push({ to: to?.[0], what: "pack" });
    if (isHolder(what)) {
      // The toolkit writes to nothing that it is given.
      if (context.toolkitImports.has(to?.[0] ?? "")) continue;
      forEachHeldName(what, ([name = "", ...path]) => letGo(name, path, what.end, to?.[0], walked));
      continue;
    }
    const path = stepsOf(what)?.names;
    if (path === undefined) continue;
    // `addTo(this)` and `addTo(this.pack)`.
    if (pathOf(what)?.names[0] === "this") walked.handedOver.push({ to: to?.[0], what: "this" });
    const name = path[0] ?? "";
    const steps = path.slice(1);
    // `pack.addNetworkDomain.bind(pack)`: what is made of it may be called anywhere.
    if (steps.length === 0) walked.handedOver.push({ to: to !== undefined && to[0] === name ? undefined : to?.[0], what: name });
    walked.declarations.change({ kind: "escaped", name, offset: what.end, path: steps });
  }
}

/** What is spread into a call is a list of which it takes the items. */
function evaluateArgument(argument: ts.Expression, context: EvaluateContext): Value {
  if (argument.kind !== SyntaxKind.SpreadElement) return evaluate(argument, context);
  const value = evaluate((argument as ts.SpreadElement).expression, context);
  const at = { file: context.file, start: argument.getStart(context.source), end: argument.end };
  return { ...at, kind: "array", items: [], spreads: [{ before: 0, value }], open: true };
}

function callFact(
  node: ts.CallExpression,
  method: string,
  called: { readonly name: string; readonly node: ts.Node },
  frame: Frame,
  context: EvaluateContext,
): CallFact {
  const { file, source } = context;
  const callee = unwrap(node.expression);
  const isMember = ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee);
  const isNested = frame.body !== FILE_SCOPE;
  const fact = {
    file,
    start: node.getStart(source),
    end: node.end,
    method,
    callee: called.name,
    receiver: isMember ? callee.expression.getText(source) : "",
    nameSpan: { start: called.node.getStart(source), end: called.node.end },
    arguments: node.arguments.map((argument) => evaluateArgument(argument, context)),
    conditional: frame.conditional,
    within: isNested ? frame.body : undefined,
  };
  const { parent } = node;
  if (parent.kind !== SyntaxKind.ExpressionStatement) return fact;
  return Object.assign(fact, { statement: { start: parent.getStart(source), end: parent.end } });
}

/** A name that is assigned to, written into, deleted from or counted. */
function changed(target: ts.Node, walked: Walking, kind: "written" | "deleted" = "written"): void {
  const { declarations } = walked;
  const expression = unwrap(target as ts.Expression);
  if (ts.isArrayLiteralExpression(expression) || ts.isObjectLiteralExpression(expression)) {
    // Destructured into: every name in it is assigned.
    const assign = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) declarations.change({ kind: "assigned", name: node.text, offset: node.pos, path: [] });
      else ts.forEachChild(node, assign);
    };
    ts.forEachChild(expression, assign);
    return;
  }
  const steps = stepsOf(expression);
  if (steps === undefined) {
    // `(a ?? b).name = …`: either.
    const of = ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression) ? expression.expression : undefined;
    if (of !== undefined) forEachHeldName(of, ([name = "", ...path]) => letGo(name, path, of.end, undefined, walked));
    return;
  }
  const [name = "", ...path] = steps.names;
  const property = path.pop();
  if (property === undefined) declarations.change({ kind: "assigned", name, offset: steps.root.end, path });
  else {
    declarations.change({ kind, name, offset: steps.root.end, path, property });
    walked.handedOver.push({ to: undefined, what: name });
  }
}

/** What is written to `this` may be written to what stands in the class for good. */
function nameOfClassAround(node: ts.Node): string | undefined {
  let around = node.parent;
  while (around !== undefined && !ts.isClassLike(around)) around = around.parent;
  return around?.name?.text;
}

/** `list[0].name` → its names, where a computed one may be any; undefined where it begins with no name. */
function stepsOf(node: ts.Expression): { readonly names: readonly string[]; readonly root: ts.Node } | undefined {
  const names: string[] = [];
  for (let part = unwrap(node); ; ) {
    if (part.kind === SyntaxKind.Identifier) {
      names.push((part as ts.Identifier).text);
      return { names: names.reverse(), root: part };
    }
    if (part.kind === SyntaxKind.ThisKeyword) {
      const name = nameOfClassAround(part);
      if (name === undefined) return undefined;
      names.push(name);
      return { names: names.reverse(), root: part };
    }
    if (ts.isCallExpression(part)) {
      const called = calleeName(part);
      if (called === undefined) return undefined;
      names.push(givenBy(called.name));
      return { names: names.reverse(), root: called.node };
    }
    if (ts.isPropertyAccessExpression(part)) names.push(part.name.text);
    else if (ts.isElementAccessExpression(part))
      names.push(ts.isStringLiteralLike(part.argumentExpression) ? part.argumentExpression.text : ANY);
    else return undefined;
    part = unwrap(part.expression);
  }
}
