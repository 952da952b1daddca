// Where a source names a module, or imports a name from one. The places are computed on demand, since few imports have findings.

import type { TextEdit } from "../model/findings.ts";
import type { Place } from "../model/values.ts";
import { replace } from "../text/edit.ts";
import { parse } from "../text/parse.ts";
import { ts } from "../typescript.ts";
import { calleeName } from "./nodes.ts";

/** Returns the places of the module's name, without quotes, in every import, require and export. */
export function modulePlaces(file: string, text: string, module: string): readonly Place[] {
  const places: Place[] = [];
  each(parse(file, text), (node) => {
    if (!ts.isStringLiteralLike(node) || node.text !== module || !isSpecifier(node)) return;
    places.push({ file, start: node.getStart() + 1, end: node.end - 1 });
  });
  return places;
}

function isSpecifier({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    (ts.isCallExpression(parent) && calleeName(parent)?.text === "require")
  );
}

/** The place of a name in `{ name as local }` or `{ name: local }` of an import or require. */
export interface ImportedName {
  readonly place: Place;
  /** Returns the edits that rename it here and everywhere in the file, or undefined if the file already has the other name. */
  readonly respelt: (to: string) => readonly TextEdit[] | undefined;
}

export function importedNames(file: string, text: string, name: string): readonly ImportedName[] {
  const names: ImportedName[] = [];
  const source = parse(file, text);
  for (const statement of source.statements)
    if (ts.isImportDeclaration(statement) || ts.isVariableStatement(statement))
      each(statement, (node) => {
        if (ts.isFunctionLike(node) || !(ts.isImportSpecifier(node) || ts.isBindingElement(node))) return;
        const from = node.propertyName ?? node.name;
        if (from.getText() !== name) return;
        const place = { file, start: from.getStart(), end: from.end };
        names.push({ place, respelt: (to) => (node.propertyName === undefined ? respelt(source, node, place, to) : [replace(place, to)]) });
      });
  return names;
}

function respelt(
  source: ts.SourceFile,
  specifier: ts.ImportSpecifier | ts.BindingElement,
  place: Place,
  to: string,
): readonly TextEdit[] | undefined {
  const name = specifier.name.getText();
  const uses: ts.Identifier[] = [];
  let hasOther = false;
  each(source, (node) => {
    if (!ts.isIdentifier(node) || node === specifier.name || !standsForItself(node)) return;
    if (node.text === to) hasOther = true;
    if (node.text === name) uses.push(node);
  });
  if (hasOther) return undefined;
  // A use as a shorthand, an export or a declared name keeps the local name.
  if (uses.some(namesSomething)) return [replace(place, ts.isImportSpecifier(specifier) ? `${to} as ${name}` : `${to}: ${name}`)];
  return [replace(place, to), ...uses.map((use) => replace({ file: place.file, start: use.getStart(), end: use.end }, to))];
}

/** Whether the identifier refers to the name, and is not the name of a member: `object.name`, `{ name: 1 }`. */
function standsForItself(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent)) return parent.propertyName !== node;
  return (
    !(ts.isPropertyAssignment(parent) || ts.isClassElement(parent) || ts.isTypeElement(parent) || ts.isEnumMember(parent)) ||
    parent.name !== node
  );
}

function namesSomething(node: ts.Identifier): boolean {
  const { parent } = node;
  return ts.isShorthandPropertyAssignment(parent) || ts.isExportSpecifier(parent) || (parent as ts.NamedDeclaration).name === node;
}

/** Returns the places of `import local from …`; `isAll` says that the statement imports nothing else. */
export function defaultPlaces(file: string, text: string, local: string): readonly { readonly place: Place; readonly isAll: boolean }[] {
  return parse(file, text).statements.flatMap((statement) => {
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
    if (clause?.name?.text !== local) return [];
    return { place: { file, start: clause.name.getStart(), end: clause.name.end }, isAll: clause.namedBindings === undefined };
  });
}

function each(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => each(child, look));
}
