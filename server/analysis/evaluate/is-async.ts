// Whether a function says that it is asynchronous.
import { ts } from "ts-morph";

const { SyntaxKind } = ts;

export function isAsync(node: ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === SyntaxKind.AsyncKeyword) === true;
}
