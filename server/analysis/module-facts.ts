// What a file takes from other modules and gives to them: ES modules, CommonJS, `import = require`, `export =`, and JSON.
import { ts } from "ts-morph";
import { calleeName, type EvaluateContext, evaluate, pathOf, toolkitPath, unwrap } from "./evaluate.ts";
import type { ImportFact, Value } from "./model.ts";

export type ExportFact = { readonly local: string } | { readonly module: string; readonly name: string } | { readonly value: Value };

export interface ModuleFacts {
  readonly modules: string[];
  readonly imports: Map<string, ImportFact>;
  readonly exports: Map<string, ExportFact>;
  readonly starExports: string[];
}

export const noModuleFacts = (): ModuleFacts => ({ modules: [], imports: new Map(), exports: new Map(), starExports: [] });

/** Reads the statements of the file's top level; values are read afterwards, when the imports are known. */
export function readModule(source: ts.SourceFile, toolkitModules: readonly string[]): ModuleFacts {
  const facts = noModuleFacts();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) readImport(statement, facts);
    else if (ts.isImportEqualsDeclaration(statement)) readImportEquals(statement, facts);
    else if (ts.isVariableStatement(statement)) readVariables(statement, facts, toolkitModules);
    else if (ts.isExportDeclaration(statement)) readReexport(statement, facts);
    else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && isExported(statement)) {
      const isDefault = statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) === true;
      if (statement.name) facts.exports.set(isDefault ? "default" : statement.name.text, { local: statement.name.text });
    } else if (ts.isExpressionStatement(statement)) {
      const module = requiredModule(statement.expression);
      if (module !== undefined) facts.modules.push(module);
    }
  }
  return facts;
}

function addImport(facts: ModuleFacts, local: string, module: string, name: string): void {
  facts.imports.set(local, { local, module, name });
}

function readImport(statement: ts.ImportDeclaration, facts: ModuleFacts): void {
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return;
  const module = statement.moduleSpecifier.text;
  const clause = statement.importClause;
  // Types alone load nothing at run time, but say what the names mean.
  facts.modules.push(module);
  if (clause?.name) addImport(facts, clause.name.text, module, "default");
  const bindings = clause?.namedBindings;
  if (bindings && ts.isNamespaceImport(bindings)) addImport(facts, bindings.name.text, module, "*");
  if (bindings && ts.isNamedImports(bindings))
    for (const item of bindings.elements) addImport(facts, item.name.text, module, (item.propertyName ?? item.name).text);
}

function readImportEquals(statement: ts.ImportEqualsDeclaration, facts: ModuleFacts): void {
  const { moduleReference } = statement;
  if (ts.isExternalModuleReference(moduleReference)) {
    if (!ts.isStringLiteral(moduleReference.expression)) return;
    facts.modules.push(moduleReference.expression.text);
    addImport(facts, statement.name.text, moduleReference.expression.text, "*");
  }
}

function requiredModule(expression: ts.Expression | undefined): string | undefined {
  const call = expression && unwrap(expression);
  if (!call || !ts.isCallExpression(call) || calleeName(call)?.name !== "require") return undefined;
  const [argument] = call.arguments;
  return argument && ts.isStringLiteralLike(argument) ? argument.text : undefined;
}

function readVariables(statement: ts.VariableStatement, facts: ModuleFacts, toolkitModules: readonly string[]): void {
  for (const declaration of statement.declarationList.declarations) {
    const module = requiredModule(declaration.initializer);
    if (module !== undefined) {
      facts.modules.push(module);
      bindImports(declaration.name, facts, module, []);
    } else if (declaration.initializer) {
      // `const { newPack } = coda` and `const Types = coda.AuthenticationType` are imports in another form.
      const path = pathOf(declaration.initializer)?.names ?? [];
      const imported = facts.imports.get(path[0] ?? "");
      if (imported !== undefined && toolkitModules.includes(imported.module))
        bindImports(declaration.name, facts, imported.module, toolkitPath(path, imported));
    }
    if (isExported(statement)) for (const name of namesOf(declaration.name)) facts.exports.set(name, { local: name });
  }
}

/** Binds names to a module, or to the one name of it that the path has. */
function bindImports(name: ts.BindingName, facts: ModuleFacts, module: string, path: readonly string[]): void {
  if (ts.isIdentifier(name)) {
    if (path.length < 2) addImport(facts, name.text, module, path[0] ?? "*");
  } else if (ts.isObjectBindingPattern(name) && path.length === 0) {
    for (const item of name.elements) {
      if (!ts.isIdentifier(item.name)) continue;
      addImport(
        facts,
        item.name.text,
        module,
        item.propertyName && ts.isIdentifier(item.propertyName) ? item.propertyName.text : item.name.text,
      );
    }
  }
}

export function namesOf(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((item) => (ts.isOmittedExpression(item) ? [] : namesOf(item.name)));
}

function readReexport(statement: ts.ExportDeclaration, facts: ModuleFacts): void {
  const module = statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : undefined;
  if (module !== undefined) facts.modules.push(module);
  const clause = statement.exportClause;
  if (clause && ts.isNamedExports(clause)) {
    for (const item of clause.elements) {
      const name = (item.propertyName ?? item.name).text;
      facts.exports.set(item.name.text, module === undefined ? { local: name } : { module, name });
    }
  } else if (module !== undefined && clause && ts.isNamespaceExport(clause)) facts.exports.set(clause.name.text, { module, name: "*" });
  else if (module !== undefined) facts.starExports.push(module);
}

function isExported(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** `export default …`, `export = …`, `module.exports = …`, `exports.name = …`, and a JSON file's one value. */
export function readExportedValues(facts: ModuleFacts, context: EvaluateContext): void {
  const { exports } = facts;
  const whole = (value: Value): void => {
    exports.set("default", { value });
    if (value.kind === "object") for (const property of value.properties) exports.set(property.name, { value: property.value });
  };
  for (const statement of context.source.statements) {
    if (ts.isExportAssignment(statement)) {
      if (statement.isExportEquals) whole(evaluate(statement.expression, context));
      else exports.set("default", { value: evaluate(statement.expression, context) });
    } else if (ts.isExpressionStatement(statement)) {
      const { expression } = statement;
      if (/\.json$/i.test(context.file)) whole(evaluate(expression, context));
      else if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
        const target = pathOf(expression.left)?.names.join(".");
        const named = /^(?:module\.)?exports\.(\w+)$/.exec(target ?? "")?.[1];
        if (named !== undefined) exports.set(named, { value: evaluate(expression.right, context) });
        if (target === "module.exports") whole(evaluate(expression.right, context));
      }
    }
  }
}
