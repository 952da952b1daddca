// What is read of the context that the platform gives: `context.name`.
import { ts } from "ts-morph";
import type { EvaluateContext } from "../evaluate.ts";
import type { ContextMember } from "../model.ts";
import type { Walking } from "./walked.ts";

const { SyntaxKind } = ts;

const CONTEXT_NAME = /context$|^ctx$/i;

export function useContext(node: ts.PropertyAccessExpression, context: EvaluateContext, walked: Walking): void {
  const { expression, name } = node;
  if (expression.kind !== SyntaxKind.Identifier || !CONTEXT_NAME.test((expression as ts.Identifier).text)) return;
  const parameter = parameterOf(node, (expression as ts.Identifier).text);
  if (
    parameter === undefined ||
    walked.contextMembers.some((known) => known.name === name.text && known.owner.start === parameter.owner.start)
  )
    return;
  const { file, source } = context;
  walked.contextMembers.push({ file, start: name.getStart(source), end: name.end, name: name.text, ...parameter });
}

/** The function around a node that has a parameter of that name, where that is of a context's type, or of none. */
function parameterOf(node: ts.Node, name: string): Pick<ContextMember, "owner" | "isTyped"> | undefined {
  for (let { parent } = node; parent !== undefined; parent = parent.parent) {
    if (!ts.isFunctionLike(parent)) continue;
    const found = parent.parameters.find((parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name);
    if (found === undefined) continue;
    const type = found.type?.getText();
    const isTyped = type !== undefined && /(?:^|\.)\w*ExecutionContext$/.test(type);
    return type === undefined || isTyped ? { owner: { start: parent.getStart(), end: parent.end }, isTyped } : undefined;
  }
  return undefined;
}
