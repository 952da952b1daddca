// The imports and exports of a file: ES modules, CommonJS, `import = require`, `export =`, and JSON.

import type { ExportFact, ImportFact } from "../model/facts.ts";
import type { Expression } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { assignedExports, exportingCall, readImportPath } from "./commonjs.ts";
import { isNamed } from "./evaluate/declared-objects.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { isToolkitModule, toolkitPath } from "./toolkit-names.ts";

const { SyntaxKind } = ts;

export interface ModuleFacts {
  readonly modules: string[];
  readonly imports: Map<string, ImportFact>;
  readonly exports: Map<string, ExportFact>;
  readonly starExports: string[];
}

/** The imports and exports of one top-level statement. */
export interface ModulePart extends ModuleFacts {
  /** Names bound to a possible import: `const { newPack } = coda` and `const Types = coda.AuthenticationType`. */
  readonly bindings: { readonly names: readonly BoundName[]; readonly path: readonly string[] }[];
}

/** A local name and the property that it is bound to; undefined for the whole value. */
interface BoundName {
  readonly local: string;
  readonly from: string | undefined;
}

export const noModuleFacts = (): ModuleFacts => ({ modules: [], imports: new Map(), exports: new Map(), starExports: [] });

/** Reads one top-level statement. Returns undefined for the many that concern no modules. {@link readExportedValues} reads the values. */
export function readModulePart(statement: ts.Statement): ModulePart | undefined {
  // Most statements of a pack are calls.
  if (ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression)) return undefined;
  const part: ModulePart = { ...noModuleFacts(), bindings: [] };
  if (ts.isImportDeclaration(statement)) readImport(statement, part);
  else if (ts.isImportEqualsDeclaration(statement)) readImportEquals(statement, part);
  else if (ts.isVariableStatement(statement)) readVariables(statement, part);
  else if (ts.isExportDeclaration(statement)) readReexport(statement, part);
  else if (ts.isExpressionStatement(statement)) readAssignment(statement.expression, part);
  else if (isNamed(statement) && statement.name !== undefined && isExported(statement)) {
    const isDefault = statement.modifiers?.some(({ kind }) => kind === SyntaxKind.DefaultKeyword) === true;
    part.exports.set(isDefault ? "default" : statement.name.text, { local: statement.name.text });
  }
  return part.modules.length + part.imports.size + part.exports.size + part.bindings.length === 0 ? undefined : part;
}

/** Reads `let m; m = require("m")`. */
function readAssignment(node: ts.Expression, part: ModulePart): void {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.EqualsToken || !ts.isIdentifier(node.left)) return;
  const importPath = readImportPath(node.right);
  if (importPath?.module !== undefined) bindImports([{ local: node.left.text, from: undefined }], part, importPath.module, importPath.path);
}

/** Combines the parts of a file's statements, in order. */
export function joinModuleParts(parts: readonly (ModulePart | undefined)[], toolkitModules: readonly string[]): ModuleFacts {
  const facts = noModuleFacts();
  for (const part of parts) {
    if (part === undefined) continue;
    facts.modules.push(...part.modules);
    facts.starExports.push(...part.starExports);
    for (const imported of part.imports.values()) facts.imports.set(imported.local, imported);
    for (const [name, exported] of part.exports) facts.exports.set(name, exported);
    for (const { names, path } of part.bindings) {
      const imported = facts.imports.get(path[0] ?? "");
      if (imported !== undefined && isToolkitModule(imported.module, toolkitModules))
        bindImports(names, facts, imported.module, toolkitPath(path, imported));
    }
  }
  return facts;
}

const addImport = ({ imports }: ModuleFacts, local: string, module: string, name: string): void =>
  void imports.set(local, { local, module, name });

function readImport(statement: ts.ImportDeclaration, facts: ModuleFacts): void {
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return;
  const module = statement.moduleSpecifier.text;
  const clause = statement.importClause;
  // A type-only import loads nothing at run time, but declares what its names mean.
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

function readVariables(statement: ts.VariableStatement, facts: ModulePart): void {
  for (const { name, initializer } of statement.declarationList.declarations) {
    const importPath = initializer && readImportPath(initializer);
    if (importPath?.module !== undefined) bindImports(boundNames(name), facts, importPath.module, importPath.path);
    else if (importPath !== undefined) facts.bindings.push({ names: boundNames(name), path: importPath.path });
    if (isExported(statement)) for (const local of namesOf(name)) facts.exports.set(local, { local });
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

/** Binds names to a module, or to the one export that the path names. */
function bindImports(names: readonly BoundName[], facts: ModuleFacts, module: string, path: readonly string[]): void {
  for (const { local, from } of names) {
    if (from === undefined) {
      if (path.length < 2) addImport(facts, local, module, path[0] ?? "*");
    } else if (path.length === 0) addImport(facts, local, module, from);
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

function isExported(
  node: ts.VariableStatement | ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration,
): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === SyntaxKind.ExportKeyword) === true;
}

/** A value that is exported under a name, or as the whole module if the name is undefined. */
export type ExportedValue = { readonly name: string | undefined; readonly value: Expression };

/** Returns the values of `export default …`, `export = …`, CommonJS exports (see commonjs.ts), and a JSON file's single value. */
export function readExportedValues(statement: ts.Statement, context: EvaluateContext): readonly ExportedValue[] {
  if (ts.isExportAssignment(statement))
    return [{ name: statement.isExportEquals ? undefined : "default", value: evaluate(statement.expression, context) }];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer === undefined ? [] : valuesOf(initializer, ts.isIdentifier(name) ? name : undefined, context),
    );
  if (!ts.isExpressionStatement(statement)) return [];
  const { expression } = statement;
  if (/\.json$/i.test(context.file)) return [{ name: undefined, value: evaluate(expression, context) }];
  if (!ts.isCallExpression(expression)) return valuesOf(expression, undefined, context);
  return (exportingCall(expression) ?? []).map(({ name, value }) => ({ name, value: evaluate(value, context) }));
}

/** Returns the exports of `exports.name = value`. For `const local = exports.name = value`, the value is that of the local name. */
function valuesOf(node: ts.Expression, local: ts.Identifier | undefined, context: EvaluateContext): readonly ExportedValue[] {
  const assigned = assignedExports(node);
  if (assigned === undefined) return [];
  const value = evaluate(local ?? assigned.value, context);
  return assigned.names.map((name) => ({ name, value }));
}

/** The name under which the exports contain the module as a whole. */
export const WHOLE = "export=";

/** Adds the values to the exports, in order. */
export function addExportedValues({ exports }: ModuleFacts, values: readonly ExportedValue[]): void {
  for (const { name, value } of values) {
    exports.set(name ?? "default", { value });
    if (name === undefined) exports.set(WHOLE, { value });
    if (name === undefined && value.kind === "object")
      for (const property of value.properties) exports.set(property.name, { value: property.value });
  }
}
