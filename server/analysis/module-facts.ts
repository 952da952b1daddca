// What a file takes from other modules and gives to them: ES modules, CommonJS, `import = require`, `export =`, and JSON.
import { ts } from "ts-morph";
import { assignedExports, exportingCall, takenFrom } from "./commonjs.ts";
import { toolkitPath } from "./evaluate/toolkit-path.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { isToolkitModule } from "./is-toolkit-module.ts";
import type { ImportFact, Value } from "./model.ts";

const { SyntaxKind } = ts;

export type ExportFact = { readonly local: string } | { readonly module: string; readonly name: string } | { readonly value: Value };

export interface ModuleFacts {
  readonly modules: string[];
  readonly imports: Map<string, ImportFact>;
  readonly exports: Map<string, ExportFact>;
  readonly starExports: string[];
}

/** What is being read; what is not there is shared, and empty. */
interface ModuleDraft extends Pick<ModuleFacts, "modules" | "starExports"> {
  imports: ReadonlyMap<string, ImportFact>;
  exports: ReadonlyMap<string, ExportFact>;
}

/** What one statement of the top level says about modules. */
export interface ModulePart extends ModuleDraft {
  /** Names bound to what an import may turn out to be: `const { newPack } = coda` and `const Types = coda.AuthenticationType`. */
  readonly bindings: { readonly names: readonly BoundName[]; readonly path: readonly string[] }[];
}

/** A local name and the name that it is taken from; undefined where it is the whole. */
interface BoundName {
  readonly local: string;
  readonly from: string | undefined;
}

export const noModuleFacts = (): ModuleFacts => moduleFacts([], new Map(), new Map(), []);

/** By itself, as below: lists that are written into a literal are put there by V8's slow path. */
const moduleFacts = (
  modules: string[],
  imports: ModuleFacts["imports"],
  exports: ModuleFacts["exports"],
  starExports: string[],
): ModuleFacts => ({ modules, imports, exports, starExports });

const modulePart = (modules: string[], starExports: string[], bindings: ModulePart["bindings"]): ModulePart => ({
  modules,
  imports: NO_IMPORTS,
  exports: NO_EXPORTS,
  starExports,
  bindings,
});

const NO_IMPORTS: ReadonlyMap<string, ImportFact> = new Map();
const NO_EXPORTS: ReadonlyMap<string, ExportFact> = new Map();

const SAY_OF_MODULES: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ImportEqualsDeclaration,
  SyntaxKind.VariableStatement,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.EnumDeclaration,
  SyntaxKind.ModuleDeclaration,
  SyntaxKind.ExpressionStatement,
]);

/** Reads one statement of the file's top level; undefined for the many that have nothing to do with modules. Values are read by {@link readExportedValues}. */
export function readModulePart(statement: ts.Statement): ModulePart | undefined {
  if (!SAY_OF_MODULES.has(statement.kind)) return undefined;
  // Most are calls.
  if (ts.isExpressionStatement(statement) && !ts.isBinaryExpression(statement.expression)) return undefined;
  if (ts.isVariableStatement(statement) && !isExported(statement) && !statement.declarationList.declarations.some(mayBind))
    return undefined;
  if (isNamed(statement) && !isExported(statement)) return undefined;
  const facts = modulePart([], [], []);
  if (ts.isImportDeclaration(statement)) readImport(statement, facts);
  else if (ts.isImportEqualsDeclaration(statement)) readImportEquals(statement, facts);
  else if (ts.isVariableStatement(statement)) {
    readVariables(statement, facts);
    if (facts.modules.length + facts.exports.size + facts.imports.size + facts.bindings.length === 0) return undefined;
  } else if (ts.isExportDeclaration(statement)) readReexport(statement, facts);
  else if (isNamed(statement)) {
    const isDefault = statement.modifiers?.some((modifier) => modifier.kind === SyntaxKind.DefaultKeyword) === true;
    if (statement.name) addExport(facts, isDefault ? "default" : statement.name.text, { local: statement.name.text });
  } else if (ts.isExpressionStatement(statement)) {
    // `let m; m = require("m")`.
    const { left, operatorToken, right } = statement.expression as ts.BinaryExpression;
    const taken = operatorToken.kind === SyntaxKind.EqualsToken && ts.isIdentifier(left) ? takenFrom(right) : undefined;
    if (taken?.module === undefined) return undefined;
    bindImports([{ local: (left as ts.Identifier).text, from: undefined }], facts, taken.module, taken.path);
  } else return undefined;
  return facts;
}

const isNamed = (
  statement: ts.Statement,
): statement is ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration =>
  ts.isFunctionDeclaration(statement) ||
  ts.isClassDeclaration(statement) ||
  ts.isEnumDeclaration(statement) ||
  ts.isModuleDeclaration(statement);

/** The parts of a file's statements, in order → the file's. */
export function joinModuleParts(parts: readonly (ModulePart | undefined)[], toolkitModules: readonly string[]): ModuleFacts {
  const facts = noModuleFacts();
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part === undefined) continue;
    for (let at = 0; at < part.modules.length; at++) facts.modules.push(part.modules[at] ?? "");
    // Nearly all of these are empty.
    if (part.starExports.length > 0) facts.starExports.push(...part.starExports);
    if (part.imports.size > 0) for (const imported of part.imports.values()) facts.imports.set(imported.local, imported);
    if (part.exports.size > 0) for (const [name, exported] of part.exports) facts.exports.set(name, exported);
    if (part.bindings.length === 0) continue;
    for (const { names, path } of part.bindings) {
      const imported = facts.imports.get(path[0] ?? "");
      if (imported !== undefined && isToolkitModule(imported.module, toolkitModules))
        bindImports(names, facts, imported.module, toolkitPath(path, imported));
    }
  }
  return facts;
}

function addImport(facts: ModuleDraft, local: string, module: string, name: string): void {
  if (facts.imports === NO_IMPORTS) facts.imports = new Map();
  (facts.imports as Map<string, ImportFact>).set(local, { local, module, name });
}

function addExport(facts: ModuleDraft, name: string, exported: ExportFact): void {
  if (facts.exports === NO_EXPORTS) facts.exports = new Map();
  (facts.exports as Map<string, ExportFact>).set(name, exported);
}

function readImport(statement: ts.ImportDeclaration, facts: ModuleDraft): void {
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

function readImportEquals(statement: ts.ImportEqualsDeclaration, facts: ModuleDraft): void {
  const { moduleReference } = statement;
  if (ts.isExternalModuleReference(moduleReference)) {
    if (!ts.isStringLiteral(moduleReference.expression)) return;
    facts.modules.push(moduleReference.expression.text);
    addImport(facts, statement.name.text, moduleReference.expression.text, "*");
  }
}

const mayBind = ({ initializer }: ts.VariableDeclaration): boolean => initializer !== undefined && takenFrom(initializer) !== undefined;

function readVariables(statement: ts.VariableStatement, facts: ModulePart): void {
  for (const { name, initializer } of statement.declarationList.declarations) {
    const taken = initializer && takenFrom(initializer);
    if (taken?.module !== undefined) bindImports(boundNames(name), facts, taken.module, taken.path);
    else if (taken !== undefined) facts.bindings.push({ names: boundNames(name), path: taken.path });
    if (isExported(statement)) for (const local of namesOf(name)) addExport(facts, local, { local });
  }
}

function boundNames(name: ts.BindingName): readonly BoundName[] {
  if (ts.isIdentifier(name)) return [{ local: name.text, from: undefined }];
  if (!ts.isObjectBindingPattern(name)) return [];
  return name.elements.flatMap(({ name: local, propertyName }) =>
    ts.isIdentifier(local)
      ? [{ local: local.text, from: propertyName && ts.isIdentifier(propertyName) ? propertyName.text : local.text }]
      : [],
  );
}

/** Binds names to a module, or to the one name of it that the path has. */
function bindImports(names: readonly BoundName[], facts: ModuleDraft, module: string, path: readonly string[]): void {
  for (const { local, from } of names) {
    if (from === undefined) {
      if (path.length < 2) addImport(facts, local, module, path[0] ?? "*");
    } else if (path.length === 0) addImport(facts, local, module, from);
  }
}

export function namesOf(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  const names: string[] = [];
  for (const item of name.elements) if (!ts.isOmittedExpression(item)) for (const local of namesOf(item.name)) names.push(local);
  return names;
}

function readReexport(statement: ts.ExportDeclaration, facts: ModuleDraft): void {
  const module = statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : undefined;
  if (module !== undefined) facts.modules.push(module);
  const clause = statement.exportClause;
  if (clause && ts.isNamedExports(clause)) {
    for (const item of clause.elements) {
      const name = (item.propertyName ?? item.name).text;
      addExport(facts, item.name.text, module === undefined ? { local: name } : { module, name });
    }
  } else if (module !== undefined && clause && ts.isNamespaceExport(clause)) addExport(facts, clause.name.text, { module, name: "*" });
  else if (module !== undefined) facts.starExports.push(module);
}

function isExported(
  node: ts.VariableStatement | ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration,
): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === SyntaxKind.ExportKeyword) === true;
}

/** A value that is exported under a name, or as the whole module. */
export type ExportedValue = { readonly name: string | undefined; readonly value: Value };

/** `export default …`, `export = …`, what CommonJS exports (see commonjs.ts), and a JSON file's one value. */
export function readExportedValues(statement: ts.Statement, context: EvaluateContext): readonly ExportedValue[] {
  if (ts.isExportAssignment(statement))
    return [{ name: statement.isExportEquals ? undefined : "default", value: evaluate(statement.expression, context) }];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer === undefined ? NO_VALUES : valuesOf(initializer, ts.isIdentifier(name) ? name : undefined, context),
    );
  if (!ts.isExpressionStatement(statement)) return NO_VALUES;
  const { expression } = statement;
  if (/\.json$/i.test(context.file)) return [{ name: undefined, value: evaluate(expression, context) }];
  if (expression.kind !== SyntaxKind.CallExpression) return valuesOf(expression, undefined, context);
  return (exportingCall(expression as ts.CallExpression) ?? NO_VALUES).map(({ name, value }) => ({
    name,
    value: evaluate(value, context),
  }));
}

const NO_VALUES: readonly never[] = [];

/** `exports.name = value`; of `const local = exports.name = value` it is what the local name stands for. */
function valuesOf(node: ts.Expression, local: ts.Identifier | undefined, context: EvaluateContext): readonly ExportedValue[] {
  const assigned = node.kind === SyntaxKind.BinaryExpression ? assignedExports(node) : undefined;
  if (assigned === undefined) return NO_VALUES;
  const value = evaluate(local ?? assigned.value, context);
  return assigned.names.map((name) => ({ name, value }));
}

/** The name under which the exports have what is exported as the whole module. */
export const WHOLE = "export=";

/** Adds them to the exports, in order. */
export function addExportedValues({ exports }: ModuleFacts, values: readonly ExportedValue[]): void {
  for (const { name, value } of values) {
    exports.set(name ?? "default", { value });
    if (name === undefined) exports.set(WHOLE, { value });
    if (name === undefined && value.kind === "object")
      for (const property of value.properties) exports.set(property.name, { value: property.value });
  }
}
