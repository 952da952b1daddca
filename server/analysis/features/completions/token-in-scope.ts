// How the invocation token is written at a place: an alias that is in scope, the context of the function around it, or a blank.

import { parse } from "../../text/parse.ts";
import { ts } from "../../typescript.ts";
import { Node, wrap } from "../../wrap.ts";
import { blank, literally } from "./snippet.ts";

const { SyntaxKind } = ts;

/** A formula is given its parameters and the context, a function of the configuration the context first. */
const POSITIONS: ReadonlyMap<string, number> = new Map([
  ["execute", 1],
  ["getConnectionName", 0],
]);

/** A snippet for an expression inside the text behind whose first characters the offset stands; a blank where no function around it has a context. */
export function tokenExpression(source: string, file: string, offset: number): string {
  const text = wrap(parse(file, source)).getDescendantAtPos(offset - 1);
  for (const node of text?.getAncestors() ?? []) {
    const expression = variableIn(node, offset) ?? parameterOf(node);
    if (expression !== undefined) return literally(expression);
  }
  return `${blank(1, "context")}.invocationToken`;
}

/** Declared before the offset. */
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

/** `{ invocationToken: token }`. */
function boundToken(name: Node): string | undefined {
  const bound = name
    .asKind(SyntaxKind.ObjectBindingPattern)
    ?.getElements()
    .find((element) => (element.getPropertyNameNode() ?? element.getNameNode()).getText() === "invocationToken");
  return bound && nameOf(bound.getNameNode());
}

const nameOf = (name: Node): string | undefined => name.asKind(SyntaxKind.Identifier)?.getText();
