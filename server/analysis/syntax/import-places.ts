// Where a source names a module, or what it takes of one: found anew when something is said of it, since few imports are wrong.

import type { Place } from "../model/values.ts";
import { parse } from "../text/parse.ts";
import { ts } from "../typescript.ts";
import { calleeName } from "./nodes.ts";

/** The module's name, without its quotes, wherever it is imported, required or exported from. */
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

/** The name where it is imported or taken out of what is imported: `{ name as local }`, `{ name: local }`. */
export function namePlaces(file: string, text: string, name: string): readonly Place[] {
  const places: Place[] = [];
  for (const statement of parse(file, text).statements)
    if (ts.isImportDeclaration(statement) || ts.isVariableStatement(statement))
      each(statement, (node) => {
        if (ts.isFunctionLike(node) || !(ts.isImportSpecifier(node) || ts.isBindingElement(node))) return;
        const from = node.propertyName ?? node.name;
        if (from.getText() === name) places.push({ file, start: from.getStart(), end: from.end });
      });
  return places;
}

/** `import local from …`, and whether that is all that the statement imports. */
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
