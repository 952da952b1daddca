// One source file → plain facts. The syntax tree is owned by the caller, may be updated in place by the next edit, and is not kept.
import { ts } from "ts-morph";
import { calleeName, type EvaluateContext, evaluate, unwrap } from "./evaluate.ts";
import type { CallFact, FileFacts, ImportFact, PlaceholderFact, Value } from "./model.ts";

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

export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, scriptKind(file));
}

function scriptKind(file: string): ts.ScriptKind {
  if (/\.tsx$/i.test(file)) return ts.ScriptKind.TSX;
  if (/\.jsx$/i.test(file)) return ts.ScriptKind.JSX;
  return /\.[cm]?js$/i.test(file) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

export function collectFacts(file: string, source: ts.SourceFile, toolkitModules: readonly string[]): FileFacts {
  const imports = new Map<string, ImportFact>();
  const modules: string[] = [];
  const exports = new Map<string, { local: string } | { module: string; name: string } | { value: Value }>();
  const starExports: string[] = [];
  const toolkitNames = new Set<string>();
  const addImport = (local: string, module: string, name: string): void => {
    imports.set(local, { local, module, name });
    if (toolkitModules.includes(module)) toolkitNames.add(local);
  };
  for (const statement of source.statements) readModuleStatement(statement, { addImport, modules, exports, starExports });

  const context: EvaluateContext = { file, source, toolkitNames };
  const constants = new Map<string, Value | undefined>();
  const declare = (name: string, value: Value | undefined): void => {
    // A name that is declared twice, or that a parameter shadows, tells nothing for certain.
    constants.set(name, constants.has(name) ? undefined : value);
  };
  const calls: CallFact[] = [];
  const texts: ts.Expression[] = [];
  const tokenAliases = new Set<string>(["invocationToken"]);

  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node)) readVariable(node, declare, context, tokenAliases);
    else if (ts.isParameter(node)) {
      if (ts.isIdentifier(node.name)) declare(node.name.text, undefined);
      else readTokenBinding(node.name, tokenAliases);
    } else if (ts.isFunctionDeclaration(node) && node.name) {
      declare(node.name.text, {
        file,
        start: node.getStart(source),
        end: node.getEnd(),
        kind: "function",
        async: node.modifiers?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) === true,
      });
    } else if (ts.isCallExpression(node)) {
      const name = calleeName(node);
      if (name !== undefined && METHODS.has(name)) calls.push(callFact(node, name, context));
    } else if ((ts.isTemplateExpression(node) || isPlus(node)) && !isPlus(node.parent)) texts.push(node as ts.Expression);
    ts.forEachChild(node, visit);
  };
  setParents(source);
  visit(source);

  const placeholders = texts.flatMap((text) => findPlaceholders(evaluate(text, context), source.text, tokenAliases));
  for (const statement of source.statements) readExportedValues(statement, exports, context);
  const namespace = [...imports.values()].find(
    (found) => toolkitModules.includes(found.module) && (found.name === "*" || found.name === "default"),
  );
  const toolkitNewPack = (call: CallFact): boolean =>
    call.method === "newPack" && toolkitNames.has((call.receiver || "newPack").split(".")[0] ?? "");
  return {
    file,
    text: source.text,
    modules,
    imports,
    constants: new Map([...constants].filter((entry): entry is [string, Value] => entry[1] !== undefined)),
    exports,
    starExports,
    calls,
    placeholders,
    toolkitPrefix: namespace === undefined ? "" : `${namespace.local}.`,
    importsToolkit: toolkitNames.size > 0,
    buildsPack: calls.some(toolkitNewPack) || isOldManifest(exports, constants, toolkitNames),
    end: source.text.length,
  };
}

/** Parents are needed for a few questions; the incremental parser does not keep them. */
function setParents(root: ts.Node): void {
  const set = (node: ts.Node, parent: ts.Node): void => {
    (node as { parent: ts.Node }).parent = parent;
    ts.forEachChild(node, (child) => set(child, node));
  };
  ts.forEachChild(root, (child) => set(child, root));
}

const isPlus = (node: ts.Node | undefined): node is ts.BinaryExpression =>
  node !== undefined && ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

interface ModuleSink {
  addImport(local: string, module: string, name: string): void;
  readonly modules: string[];
  readonly exports: Map<string, { local: string } | { module: string; name: string } | { value: Value }>;
  readonly starExports: string[];
}

function readModuleStatement(statement: ts.Statement, sink: ModuleSink): void {
  if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
    const module = statement.moduleSpecifier.text;
    sink.modules.push(module);
    const clause = statement.importClause;
    if (clause?.name) sink.addImport(clause.name.text, module, "default");
    const bindings = clause?.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) sink.addImport(bindings.name.text, module, "*");
    if (bindings && ts.isNamedImports(bindings))
      for (const item of bindings.elements) sink.addImport(item.name.text, module, (item.propertyName ?? item.name).text);
  } else if (ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference)) {
    const { expression } = statement.moduleReference;
    if (ts.isStringLiteral(expression)) {
      sink.modules.push(expression.text);
      sink.addImport(statement.name.text, expression.text, "*");
    }
  } else if (ts.isVariableStatement(statement)) {
    for (const declaration of statement.declarationList.declarations) {
      const initializer = declaration.initializer && unwrap(declaration.initializer);
      const module = initializer && ts.isCallExpression(initializer) && calleeName(initializer) === "require" && initializer.arguments[0];
      if (module && ts.isStringLiteralLike(module)) {
        sink.modules.push(module.text);
        if (ts.isIdentifier(declaration.name)) sink.addImport(declaration.name.text, module.text, "*");
        else if (ts.isObjectBindingPattern(declaration.name)) {
          for (const item of declaration.name.elements) {
            if (ts.isIdentifier(item.name))
              sink.addImport(
                item.name.text,
                module.text,
                item.propertyName && ts.isIdentifier(item.propertyName) ? item.propertyName.text : item.name.text,
              );
          }
        }
      }
      if (isExported(statement) && ts.isIdentifier(declaration.name))
        sink.exports.set(declaration.name.text, { local: declaration.name.text });
    }
  } else if (ts.isExportDeclaration(statement)) {
    const module = statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : undefined;
    if (module !== undefined) sink.modules.push(module);
    if (statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      for (const item of statement.exportClause.elements) {
        const name = (item.propertyName ?? item.name).text;
        sink.exports.set(item.name.text, module === undefined ? { local: name } : { module, name });
      }
    } else if (module !== undefined && !statement.exportClause) sink.starExports.push(module);
  } else if (ts.isFunctionDeclaration(statement) && statement.name && isExported(statement)) {
    sink.exports.set(statement.name.text, { local: statement.name.text });
  }
}

function isExported(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** `export default …`, `export = …`, `module.exports = …`, `exports.name = …`. */
function readExportedValues(statement: ts.Statement, exports: ModuleSink["exports"], context: EvaluateContext): void {
  if (ts.isExportAssignment(statement)) {
    exports.set("default", { value: evaluate(statement.expression, context) });
  } else if (
    ts.isExpressionStatement(statement) &&
    ts.isBinaryExpression(statement.expression) &&
    statement.expression.operatorToken.kind === ts.SyntaxKind.EqualsToken
  ) {
    const target = statement.expression.left.getText(context.source);
    const value = evaluate(statement.expression.right, context);
    const named = /^(?:module\.)?exports\.(\w+)$/.exec(target)?.[1];
    if (named !== undefined) exports.set(named, { value });
    if (target === "module.exports") {
      exports.set("default", { value });
      if (value.kind === "object") for (const property of value.properties) exports.set(property.name, { value: property.value });
    }
  }
}

/** Packs from before newPack: an exported `manifest` object. */
function isOldManifest(
  exports: ModuleSink["exports"],
  constants: ReadonlyMap<string, Value | undefined>,
  toolkitNames: ReadonlySet<string>,
): boolean {
  if (toolkitNames.size === 0) return false;
  return ["manifest", "pack"].some((name) => {
    const value = exports.has(name) ? constants.get(name) : undefined;
    return (
      value?.kind === "object" &&
      value.properties.some((property) => /^(defaultAuthentication|networkDomains|formulas|syncTables)$/.test(property.name))
    );
  });
}

function readVariable(
  node: ts.VariableDeclaration,
  declare: (name: string, value: Value | undefined) => void,
  context: EvaluateContext,
  tokenAliases: Set<string>,
): void {
  if (!ts.isIdentifier(node.name)) {
    readTokenBinding(node.name, tokenAliases);
    return;
  }
  const isConst = ts.isVariableDeclarationList(node.parent) && (node.parent.flags & ts.NodeFlags.Const) !== 0;
  if (node.initializer && /\binvocationToken$/.test(node.initializer.getText(context.source))) tokenAliases.add(node.name.text);
  declare(node.name.text, isConst && node.initializer ? evaluate(node.initializer, context) : undefined);
}

/** `const { invocationToken: token } = context`. */
function readTokenBinding(name: ts.BindingName, tokenAliases: Set<string>): void {
  if (!ts.isObjectBindingPattern(name)) return;
  for (const item of name.elements) {
    if (
      item.propertyName &&
      ts.isIdentifier(item.propertyName) &&
      item.propertyName.text === "invocationToken" &&
      ts.isIdentifier(item.name)
    )
      tokenAliases.add(item.name.text);
  }
}

function callFact(node: ts.CallExpression, method: string, context: EvaluateContext): CallFact {
  const callee = unwrap(node.expression);
  const nameNode = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  const receiver = ts.isPropertyAccessExpression(callee) ? callee.expression.getText(context.source) : "";
  const statement = ts.isExpressionStatement(node.parent)
    ? { start: node.parent.getStart(context.source), end: node.parent.getEnd() }
    : undefined;
  return {
    file: context.file,
    start: node.getStart(context.source),
    end: node.getEnd(),
    method,
    receiver,
    nameSpan: { start: nameNode.getStart(context.source), end: nameNode.getEnd() },
    arguments: node.arguments.filter((argument) => !ts.isSpreadElement(argument)).map((argument) => evaluate(argument, context)),
    ...(statement === undefined ? {} : { statement }),
  };
}

/** `{{name-` + token + `}}`, by whatever the text is put together. */
function findPlaceholders(text: Value, source: string, tokenAliases: ReadonlySet<string>): PlaceholderFact[] {
  if (text.kind !== "template") return [];
  const found: PlaceholderFact[] = [];
  for (const [index, part] of text.parts.entries()) {
    const before = text.parts[index - 1];
    const after = text.parts[index + 1];
    if (part.kind !== "reference" || !tokenAliases.has(part.path.at(-1) ?? "")) continue;
    if (before?.kind !== "string" || after?.kind !== "string" || !after.value.startsWith("}}") || !before.value.endsWith("-")) continue;
    const open = before.value.lastIndexOf("{{");
    const earlier = text.parts[index - 2];
    const dynamic = open < 0 && earlier !== undefined && earlier.kind !== "string";
    if (open < 0 && !dynamic) continue;
    const name = open < 0 ? undefined : before.value.slice(open + 2, -1);
    // The literal ends with its quote, or with the `${` of a template; without escapes its characters are the source's.
    const literalEnd = before.end - (source.slice(before.end - 2, before.end) === "${" ? 2 : 1);
    const start = name === undefined ? part.start : literalEnd - 1 - name.length;
    found.push({ file: text.file, start, end: name === undefined ? part.end : literalEnd - 1, ...(name === undefined ? {} : { name }) });
  }
  return found;
}
