// Whether a function says that it is asynchronous.
import { ts } from "../../typescript.ts";

const { SyntaxKind } = ts;

export function isAsync(node: ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === SyntaxKind.AsyncKeyword) === true;
}
