// Names and functions near a place in a tree: uses of a declared name, the function of a name, the call in a stack's line.
import { type FunctionNode, isFunction, unwrap } from "../syntax/nodes.ts";
import { tokenAt } from "../text/token-at.ts";
import { ts } from "../typescript.ts";

export const functionAround = (node: ts.Node): FunctionNode | undefined => ts.findAncestor(node.parent, isFunction);

/** Returns the call at a position from a stack trace: that of its callee's name, of the call's beginning, or of the `await` before it. */
export function calleeAt(tree: ts.SourceFile, line: number, character: number): ts.CallExpression | undefined {
  const start = tree.getLineStarts()[line];
  if (start === undefined) return undefined;
  const offset = start + character;
  const token = tokenAt(tree, offset);
  const { parent } = token;
  const awaited = ts.isAwaitExpression(parent) && parent.getStart(tree) === offset ? unwrap(parent.expression) : undefined;
  if (awaited !== undefined && ts.isCallExpression(awaited)) return awaited;
  const isNamed = (node: ts.Node): node is ts.CallExpression =>
    ts.isCallExpression(node) && node.getStart(tree) <= offset && offset <= node.expression.end;
  return ts.findAncestor(token, isNamed);
}

/** Returns the tree of the file that an import leads to. */
export type ImportedTree = (from: ts.SourceFile, module: string) => ts.SourceFile | undefined;

/** Returns the node if it is a function, or the function that a name refers to, in any file of the pack. */
export function declaredFunction(node: ts.Expression, importedTree: ImportedTree): FunctionNode | undefined {
  if (isFunction(node)) return node;
  const tree = node.getSourceFile();
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const imported = importOf(node.expression.text, tree);
    return imported?.name === "*" ? functionOf(importedTree(tree, imported.module), node.name.text) : undefined;
  }
  if (!ts.isIdentifier(node)) return undefined;
  const own = functionOf(tree, node.text);
  const imported = own === undefined ? importOf(node.text, tree) : undefined;
  return imported === undefined ? own : functionOf(importedTree(tree, imported.module), imported.name);
}

function functionOf(tree: ts.SourceFile | undefined, name: string): FunctionNode | undefined {
  for (const statement of tree?.statements ?? []) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement;
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: declared, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(declared) && declared.text === name && initializer !== undefined && isFunction(initializer)) return initializer;
  }
  return undefined;
}

/** Returns the module and the exported name of an import; `*` for a namespace. */
function importOf(local: string, tree: ts.SourceFile): { readonly module: string; readonly name: string } | undefined {
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const { namedBindings } = statement.importClause ?? {};
    if (namedBindings === undefined) continue;
    const module = statement.moduleSpecifier.text;
    if (ts.isNamespaceImport(namedBindings)) {
      if (namedBindings.name.text === local) return { module, name: "*" };
      continue;
    }
    const specifier = namedBindings.elements.find(({ name }) => name.text === local);
    if (specifier !== undefined) return { module, name: (specifier.propertyName ?? specifier.name).text };
  }
  return undefined;
}

/** Returns the other uses of a variable in its function. `isSpent` is called at each node; the search ends once it returns true. */
export function usesOf(name: ts.Identifier, isSpent: () => boolean): readonly ts.Identifier[] {
  const declaration = declarationOf(name);
  const scope = ts.isParameter(declaration) ? declaration.parent : (functionAround(name) ?? name.getSourceFile());
  const uses: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (isSpent()) return;
    if (node !== scope && isFunction(node) && node.parameters.some((parameter) => binds(parameter.name, name.text))) return;
    if (ts.isIdentifier(node) && node !== name && node.text === name.text && isUse(node)) uses.push(node);
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return uses;
}

/** Returns the declaration of a name, which may be in a pattern. */
const declarationOf = ({ parent }: ts.Identifier): ts.Node =>
  ts.isBindingElement(parent) ? ts.walkUpBindingElementsAndPatterns(parent) : parent;

const binds = (name: ts.BindingName, text: string): boolean =>
  ts.isIdentifier(name) ? name.text === text : name.elements.some((each) => ts.isBindingElement(each) && binds(each.name, text));

/** Whether the identifier is neither a property's name nor a declared name. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) return parent.right === node;
  return !ts.isBindingElement(parent) && !ts.isParameter(parent);
}
