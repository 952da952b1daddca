// Operators that may leave out what stands right of them.
import { ts } from "../typescript.ts";

const { SyntaxKind } = ts;

/** `a && b`, `a || b`, `a ?? b`. */
export const isShortCircuit = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken || isDefaulting(node);

/** `a || b`, `a ?? b`. */
export const isDefaulting = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind === SyntaxKind.BarBarToken || kind === SyntaxKind.QuestionQuestionToken;
