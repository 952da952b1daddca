// Finds the statement that builds the pack, and the pack's name there. The model does not know it: no rule needs the name.
import type { PackModel } from "../../model/pack.ts";
import type { FileSpan } from "../../model/values.ts";
import { parse } from "../../text/parse.ts";
import { ts } from "../../typescript.ts";

/** Returns undefined if the pack has no name, as in `export default newPack()`, or is built inside a function. */
export function builtPack(pack: PackModel): { readonly receiver: string; readonly statement: FileSpan } | undefined {
  for (const { file, text, calls } of pack.facts) {
    const call = calls.find(({ method }) => method === "newPack");
    if (call === undefined) continue;
    const tree = parse(file, text);
    const statement = tree.statements.find(({ pos, end }) => pos <= call.place.start && call.place.end <= end);
    const receiver = statement && nameIn(statement, call.place.start, tree);
    if (receiver === undefined) continue;
    return { receiver, statement: { file, start: statement?.getStart(tree) ?? 0, end: statement?.end ?? 0 } };
  }
  return undefined;
}

function nameIn(statement: ts.Statement, callStart: number, tree: ts.SourceFile): string | undefined {
  if (ts.isVariableStatement(statement)) {
    const declared = statement.declarationList.declarations.find(({ initializer }) => initializer && leadsTo(initializer, callStart, tree));
    return declared && ts.isIdentifier(declared.name) ? declared.name.text : undefined;
  }
  if (!ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  const isAssigned = isAssignment(expression) && leadsTo(expression.right, callStart, tree);
  return isAssigned ? expression.left.getText(tree) : undefined;
}

const isAssignment = (node: ts.Expression): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;

/** Whether the value is that of the call: `(exports.pack = newPack())`, `newPack() as Pack`. */
function leadsTo(value: ts.Expression, callStart: number, tree: ts.SourceFile): boolean {
  if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value))
    return leadsTo(value.expression, callStart, tree);
  if (isAssignment(value)) return leadsTo(value.right, callStart, tree);
  return (ts.isCallExpression(value) || ts.isNewExpression(value)) && value.getStart(tree) === callStart;
}
