// How the invocation token is written at a place: an alias that is in scope, the context of the function around it, or a blank.
import { ts } from "ts-morph";
import { blank, literally } from "./completions/snippet.ts";
import { parse } from "./facts.ts";

/** A snippet for the expression; a blank for the context where no function around the place has one. */
export function tokenExpression(source: string, file: string, offset: number): string {
  const tree = parse(file, source);
  const around = tree === undefined ? [] : ancestorsAt(tree, offset);
  for (const node of around) {
    const alias = ts.isFunctionLike(node) || ts.isBlock(node) || ts.isSourceFile(node) ? aliasIn(node, offset) : undefined;
    if (alias !== undefined) return literally(alias);
  }
  return `${blank(1, "context")}.invocationToken`;
}

/** The nodes around the offset, innermost first. */
function ancestorsAt(tree: ts.SourceFile, offset: number): readonly ts.Node[] {
  const found: ts.Node[] = [tree];
  for (let node: ts.Node | undefined = tree; node !== undefined; ) {
    const next: ts.Node | undefined = ts.forEachChild(node, (child) =>
      child.pos <= offset && offset <= child.end && child.getStart(tree) <= offset ? child : undefined,
    );
    if (next !== undefined) found.unshift(next);
    node = next;
  }
  return found;
}

function aliasIn(node: ts.SignatureDeclaration | ts.Block | ts.SourceFile, offset: number): string | undefined {
  if (ts.isBlock(node) || ts.isSourceFile(node)) {
    for (const statement of node.statements) {
      if (statement.end > offset || !ts.isVariableStatement(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        const bound = boundToken(name);
        if (bound !== undefined) return bound;
        if (
          ts.isIdentifier(name) &&
          initializer &&
          ts.isPropertyAccessExpression(initializer) &&
          initializer.name.text === "invocationToken"
        )
          return name.text;
      }
    }
    return undefined;
  }
  for (const { name } of node.parameters) {
    const bound = boundToken(name);
    if (bound !== undefined) return bound;
  }
  const context = node.parameters.find(
    ({ name, type }) => ts.isIdentifier(name) && (/context|^ctx$/i.test(name.text) || /ExecutionContext/.test(type?.getText() ?? "")),
  );
  // A formula is given its parameters and the context, a function of the configuration the context first.
  const parameter = context ?? secondOfExecute(node);
  return parameter !== undefined && ts.isIdentifier(parameter.name) ? `${parameter.name.text}.invocationToken` : undefined;
}

function secondOfExecute(node: ts.SignatureDeclaration): ts.ParameterDeclaration | undefined {
  const named = ts.isMethodDeclaration(node) ? node.name : ts.isPropertyAssignment(node.parent) ? node.parent.name : undefined;
  if (named === undefined || !ts.isIdentifier(named)) return undefined;
  return named.text === "execute" ? node.parameters[1] : named.text === "getConnectionName" ? node.parameters[0] : undefined;
}

/** `{ invocationToken: token }`. */
function boundToken(name: ts.BindingName): string | undefined {
  if (!ts.isObjectBindingPattern(name)) return undefined;
  const item = name.elements.find(
    (element) => ts.isIdentifier(element.name) && ((element.propertyName ?? element.name) as ts.Identifier).text === "invocationToken",
  );
  return item !== undefined && ts.isIdentifier(item.name) ? item.name.text : undefined;
}
