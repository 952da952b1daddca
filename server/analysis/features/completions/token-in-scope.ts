// Finds how to write the invocation token at a place: an alias in scope, the context of the surrounding function, or a placeholder.

import { parse } from "../../text/parse.ts";
import { ts } from "../../typescript.ts";
import { Node, wrap } from "../../wrap.ts";
import { blank, literally } from "./snippet.ts";

const { SyntaxKind } = ts;

/** The index of the context among a function's parameters: second in a formula, first in a function of the configuration. */
const POSITIONS: ReadonlyMap<string, number> = new Map([
  ["execute", 1],
  ["getConnectionName", 0],
]);

/**
 * Returns a snippet for an expression inside the string before the offset. If no surrounding function has a context, the snippet has a tab
 * stop for it.
 */
export function tokenExpression(source: string, file: string, offset: number): string {
  const text = wrap(parse(file, source)).getDescendantAtPos(offset - 1);
  for (const node of text?.getAncestors() ?? []) {
    const expression = variableIn(node, offset) ?? parameterOf(node);
    if (expression !== undefined) return literally(expression);
  }
  return `${blank(1, "context")}.invocationToken`;
}

/** Finds a variable for the token that is declared before the offset. */
function variableIn(node: Node, offset: number): string | undefined {
  if (!Node.isBlock(node) && !Node.isSourceFile(node)) return undefined;
  for (const variable of node.getVariableDeclarations()) {
    if (variable.getEnd() > offset) return undefined;
    const isToken = variable.getInitializerIfKind(SyntaxKind.PropertyAccessExpression)?.getName() === "invocationToken";
    const name = isToken ? nameOf(variable.getNameNode()) : boundToken(variable.getNameNode());
    if (name !== undefined) return name;
  }
  return undefined;
}

function parameterOf(node: Node): string | undefined {
  if (!Node.isParametered(node)) return undefined;
  const parameters = node.getParameters();
  for (const parameter of parameters) {
    const bound = boundToken(parameter.getNameNode());
    if (bound !== undefined) return bound;
  }
  const typed = parameters.find(
    (each) => /context|^ctx$/i.test(nameOf(each.getNameNode()) ?? "") || /ExecutionContext/.test(each.getTypeNode()?.getText() ?? ""),
  );
  const method = Node.isMethodDeclaration(node) ? node : node.getParentIfKind(SyntaxKind.PropertyAssignment);
  const context = typed ?? parameters[POSITIONS.get(method?.getName() ?? "") ?? parameters.length];
  const name = context && nameOf(context.getNameNode());
  return name && `${name}.invocationToken`;
}

/** Finds `{ invocationToken: token }`. */
function boundToken(name: Node): string | undefined {
  const bound = name
    .asKind(SyntaxKind.ObjectBindingPattern)
    ?.getElements()
    .find((element) => (element.getPropertyNameNode() ?? element.getNameNode()).getText() === "invocationToken");
  return bound && nameOf(bound.getNameNode());
}

const nameOf = (name: Node): string | undefined => name.asKind(SyntaxKind.Identifier)?.getText();
