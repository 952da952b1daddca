// One source file → plain facts. The syntax tree is owned by the caller, may be updated in place by the next edit, and is not kept.
import { ts } from "ts-morph";
import { type Change, createDeclarations, type Declarations, find } from "./declarations.ts";
import { calleeName, type EvaluateContext, evaluate, pathOf, unwrap } from "./evaluate.ts";
import type { CallFact, Declaration, FileFacts, ImportFact, Span, Value } from "./model.ts";
import { namesOf, noModuleFacts, readExportedValues, readModule } from "./module-facts.ts";
import { findPlaceholders } from "./placeholders.ts";

/** Methods of packs, and what else of a pack is looked at. */
const METHODS = new Set([
  "setUserAuthentication",
  "setSystemAuthentication",
  "addNetworkDomain",
  "addFormula",
  "addSyncTable",
  "addDynamicSyncTable",
  "addColumnFormat",
  "newPack",
  "fetch",
]);

/** Calls that only read what they are given. */
const READERS = new Set([
  ...METHODS,
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
const WRITERS = new Set(["push", "unshift", "pop", "shift", "splice", "sort", "reverse", "fill", "copyWithin"]);

/** The tree of a source; undefined where it is too deep to be parsed. */
export function parse(file: string, text: string): ts.SourceFile | undefined {
  try {
    return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, scriptKind(file));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function scriptKind(file: string): ts.ScriptKind {
  if (/\.json$/i.test(file)) return ts.ScriptKind.JSON;
  if (/\.tsx$/i.test(file)) return ts.ScriptKind.TSX;
  if (/\.jsx$/i.test(file)) return ts.ScriptKind.JSX;
  return /\.[cm]?js$/i.test(file) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

/** Facts of a source, or of one whose tree is unknown or too deep to be walked: then there are none. */
export function collectFacts(file: string, text: string, source: ts.SourceFile | undefined, toolkitModules: readonly string[]): FileFacts {
  try {
    if (source !== undefined) return collect(file, source, toolkitModules);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const none = {
    declarations: new Map(),
    calls: [],
    placeholders: [],
    toolkitPrefix: "",
    importsToolkit: false,
    builds: 0,
    packGoesTo: [],
  };
  return { file, text, ...noModuleFacts(), ...none };
}

function collect(file: string, source: ts.SourceFile, toolkitModules: readonly string[]): FileFacts {
  const module = readModule(source, toolkitModules);
  const toolkitImports = new Map([...module.imports].filter(([, imported]) => toolkitModules.includes(imported.module)));
  const context: EvaluateContext = { file, source, toolkitImports };
  const walked = walk(source, context, createDeclarations());
  const declarations = walked.declarations.finish();
  readExportedValues(module, context);

  const namespace = [...toolkitImports.values()].find((found) => found.name === "*" || found.name === "default");
  const isToken = (part: Value): boolean =>
    part.kind === "reference" &&
    (part.path.at(-1) === "invocationToken" || (part.path.length === 1 && walked.tokenAliases.has(part.path[0] ?? "")));
  const news = walked.calls.filter(
    (call) => call.method === "newPack" && toolkitImports.has((call.receiver || call.callee).split(".")[0] ?? ""),
  );
  return {
    file,
    text: source.text,
    modules: module.modules,
    imports: module.imports,
    exports: module.exports,
    starExports: module.starExports,
    declarations,
    calls: walked.calls.map(({ callee: _, ...call }) => call),
    placeholders: walked.texts.flatMap((text) => findPlaceholders(evaluate(text, context), source.text, isToken)),
    toolkitPrefix: namespace === undefined ? "" : `${namespace.local}.`,
    importsToolkit: toolkitImports.size > 0,
    builds: news.length || (toolkitImports.size > 0 && hasOldManifest(module.exports.keys(), declarations) ? 1 : 0),
    packGoesTo: walked.handedOver.flatMap(({ to, what }) => (isPack(what, walked.calls) ? moduleOf(to, module.imports) : [])),
  };
}

interface Walked {
  readonly declarations: Declarations;
  /** With the name that is called, which an import may have changed. */
  readonly calls: (CallFact & { readonly callee: string })[];
  /** Templates and sums of texts. */
  readonly texts: ts.Expression[];
  readonly tokenAliases: Set<string>;
  /** Names that are given to functions: `to(what)`; undefined where the function is computed. */
  readonly handedOver: { readonly to: string | undefined; readonly what: string }[];
}

function walk(source: ts.SourceFile, context: EvaluateContext, declarations: Declarations): Walked {
  const walked: Walked = { declarations, calls: [], texts: [], tokenAliases: new Set(), handedOver: [] };
  const file: Span = { start: 0, end: source.text.length };
  const spanOf = (node: ts.Node): Span => ({ start: node.getStart(source), end: node.getEnd() });

  const visit = (node: ts.Node, block: Span, body: Span, conditional: boolean): void => {
    let [innerBlock, innerBody, innerConditional] = [block, body, conditional];
    if (ts.isFunctionLike(node)) {
      if (ts.isFunctionDeclaration(node) && node.name) declarations.declare(node.name.text, block, functionValue(node, context));
      [innerBlock, innerBody, innerConditional] = [spanOf(node), spanOf(node), false];
    } else if (
      ts.isBlock(node) ||
      ts.isCaseBlock(node) ||
      ts.isForStatement(node) ||
      ts.isForInStatement(node) ||
      ts.isForOfStatement(node)
    ) {
      innerBlock = ts.isFunctionLike(node.parent) ? block : spanOf(node);
    } else if (ts.isCatchClause(node)) innerBlock = spanOf(node);
    else if (ts.isClassDeclaration(node) && node.name) declarations.declare(node.name.text, block, undefined);
    else if (ts.isVariableDeclaration(node)) readVariable(node, isBlockScoped(node) ? block : body, context, walked);
    else if (ts.isParameter(node)) {
      for (const name of namesOf(node.name)) declarations.declare(name, body, undefined);
      readTokenBinding(node.name, walked.tokenAliases);
    } else if (ts.isNewExpression(node)) handOver(node, context, walked);
    else if (ts.isCallExpression(node)) readCall(node, conditional, context, walked);
    else if (ts.isTemplateExpression(node) || isPlus(node)) {
      if (!isPlus(node.parent)) walked.texts.push(node);
    }
    readChange(node, declarations);
    ts.forEachChild(node, (child) => visit(child, innerBlock, innerBody, innerConditional || isBranch(node, child)));
  };
  visit(source, file, file, false);
  return walked;
}

/** Whether the child runs only under a condition, or more than once. */
function isBranch(node: ts.Node, child: ts.Node): boolean {
  if (ts.isIfStatement(node)) return child !== node.expression;
  if (ts.isConditionalExpression(node)) return child !== node.condition;
  if (ts.isIterationStatement(node, false) || ts.isCaseBlock(node) || ts.isCatchClause(node)) return true;
  return ts.isBinaryExpression(node) && child === node.right && /^(&&|\|\||\?\?)=?$/.test(ts.tokenToString(node.operatorToken.kind) ?? "");
}

const isPlus = (node: ts.Node | undefined): node is ts.BinaryExpression =>
  node !== undefined && ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

const isBlockScoped = (node: ts.VariableDeclaration): boolean => (ts.getCombinedNodeFlags(node) & ts.NodeFlags.BlockScoped) !== 0;

function functionValue(node: ts.FunctionDeclaration, context: EvaluateContext): Value {
  const async = node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword) === true;
  return { file: context.file, start: node.getStart(context.source), end: node.getEnd(), kind: "function", async };
}

function readVariable(node: ts.VariableDeclaration, scope: Span, context: EvaluateContext, walked: Walked): void {
  if (!ts.isIdentifier(node.name)) {
    for (const name of namesOf(node.name)) walked.declarations.declare(name, scope, boundValue(node, name, context));
    readTokenBinding(node.name, walked.tokenAliases);
    return;
  }
  const value = node.initializer && evaluate(node.initializer, context);
  if (value?.kind === "reference" && value.path.at(-1) === "invocationToken") walked.tokenAliases.add(node.name.text);
  walked.declarations.declare(node.name.text, scope, value);
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

/** `{ invocationToken: token }`, in parameters and declarations. */
function readTokenBinding(name: ts.BindingName, tokenAliases: Set<string>): void {
  if (!ts.isObjectBindingPattern(name)) return;
  for (const item of name.elements) {
    if (!ts.isIdentifier(item.name)) readTokenBinding(item.name, tokenAliases);
    else if (item.propertyName && ts.isIdentifier(item.propertyName) && item.propertyName.text === "invocationToken")
      tokenAliases.add(item.name.text);
  }
}

function readCall(node: ts.CallExpression, conditional: boolean, context: EvaluateContext, walked: Walked): void {
  const called = calleeName(node);
  const callee = unwrap(node.expression);
  const imported = ts.isIdentifier(callee) ? context.toolkitImports.get(callee.text) : undefined;
  const method = imported === undefined || imported.name === "*" ? called?.name : imported.name;
  if (called !== undefined && method !== undefined && METHODS.has(method))
    walked.calls.push({ ...callFact(node, method, called.node, conditional, context), callee: called.name });
  if (called !== undefined && READERS.has(method ?? "")) return;
  handOver(node, context, walked);
  const receiver = ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee) ? callee.expression : undefined;
  const root = receiver && pathOf(receiver)?.names[0];
  if (root === undefined || receiver === undefined) return;
  if (called === undefined) walked.handedOver.push({ to: undefined, what: root });
  else if (WRITERS.has(called.name)) walked.declarations.change({ kind: "escaped", name: root, offset: receiver.getStart(context.source) });
}

/** What is handed to a function may be written to there. */
function handOver(node: ts.CallExpression | ts.NewExpression, context: EvaluateContext, walked: Walked): void {
  for (const argument of node.arguments ?? []) {
    const what = unwrap(argument);
    if (!ts.isIdentifier(what)) continue;
    walked.handedOver.push({ to: pathOf(node.expression)?.names[0], what: what.text });
    walked.declarations.change({ kind: "escaped", name: what.text, offset: what.getStart(context.source) });
  }
}

function callFact(node: ts.CallExpression, method: string, name: ts.Node, conditional: boolean, context: EvaluateContext): CallFact {
  const callee = unwrap(node.expression);
  const isMember = ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee);
  const statement = ts.isExpressionStatement(node.parent) ? node.parent : undefined;
  return {
    file: context.file,
    start: node.getStart(context.source),
    end: node.getEnd(),
    method,
    receiver: isMember ? callee.expression.getText(context.source) : "",
    nameSpan: { start: name.getStart(context.source), end: name.getEnd() },
    arguments: node.arguments.map((argument) => evaluate(argument, context)),
    conditional,
    ...(statement === undefined ? {} : { statement: { start: statement.getStart(context.source), end: statement.getEnd() } }),
  };
}

/** Assignments, `delete` and counting, by the name that they change. */
function readChange(node: ts.Node, declarations: Declarations): void {
  if (ts.isBinaryExpression(node)) {
    const isAssignment =
      node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
    if (isAssignment) changed(node.left, declarations);
  } else if (ts.isDeleteExpression(node)) changed(node.expression, declarations);
  else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    if (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken)
      changed(node.operand, declarations);
  } else if (ts.isForInStatement(node) || ts.isForOfStatement(node)) {
    if (!ts.isVariableDeclarationList(node.initializer)) changed(node.initializer, declarations);
  }
}

function changed(target: ts.Node, declarations: Declarations): void {
  const expression = unwrap(target as ts.Expression);
  if (ts.isArrayLiteralExpression(expression) || ts.isObjectLiteralExpression(expression)) {
    // Destructured into: every name in it is assigned.
    const assign = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) declarations.change({ kind: "assigned", name: node.text, offset: node.pos });
      else ts.forEachChild(node, assign);
    };
    ts.forEachChild(expression, assign);
    return;
  }
  let root: ts.Expression = expression;
  while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root)) root = unwrap(root.expression);
  if (!ts.isIdentifier(root)) return;
  const names = pathOf(expression)?.names;
  const at = { name: root.text, offset: root.end };
  const change: Change =
    root === expression
      ? { ...at, kind: "assigned" }
      : names?.length === 2 && names[1] !== undefined
        ? { ...at, kind: "written", property: names[1] }
        : { ...at, kind: "escaped" };
  declarations.change(change);
}

/** Packs from before newPack: an exported `manifest` object. */
function hasOldManifest(exported: Iterable<string>, declarations: ReadonlyMap<string, readonly Declaration[]>): boolean {
  return [...exported].some((name) => {
    const value = name === "manifest" || name === "pack" ? find(declarations.get(name), 0)?.value : undefined;
    return (
      value?.kind === "object" &&
      value.properties.some((property) => /^(defaultAuthentication|networkDomains|formulas|syncTables)$/.test(property.name))
    );
  });
}

/** A name on which a pack's methods are called, or that is called pack. */
function isPack(name: string, calls: readonly CallFact[]): boolean {
  return name === "pack" || calls.some((call) => call.receiver === name && call.method !== "fetch");
}

/** The module that a function is imported from; an empty name for a function that is computed, nothing for one of the file itself. */
function moduleOf(name: string | undefined, imports: ReadonlyMap<string, ImportFact>): readonly string[] {
  if (name === undefined) return [""];
  const imported = imports.get(name);
  return imported === undefined ? [] : [imported.module];
}
