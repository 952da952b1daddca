// What is read of the context that the platform gives: `context.name`, `const { name } = context`.

import type { ContextMember } from "../../model/facts.ts";
import type { Placing } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { unwrap } from "../evaluate/path-of.ts";
import { parameterAround } from "../names/parameter-around.ts";
import type { Walk } from "./walked.ts";

const CONTEXT_NAME = /context$|^ctx$/i;

export const useContext = ({ expression, name }: ts.PropertyAccessExpression, walk: Walk): void => useMember(expression, name, walk);

export function takeContextApart({ name, initializer }: ts.VariableDeclaration, walk: Walk): void {
  if (initializer === undefined || !ts.isObjectBindingPattern(name)) return;
  for (const element of name.elements) {
    const member = element.propertyName ?? element.name;
    if (ts.isIdentifier(member) && element.dotDotDotToken === undefined) useMember(unwrap(initializer), member, walk);
  }
}

function useMember(object: ts.Expression, member: ts.MemberName, { context, found }: Walk): void {
  if (!ts.isIdentifier(object) || !CONTEXT_NAME.test(object.text)) return;
  const parameter = parameterOf(object, context.places);
  if (parameter === undefined) return;
  const isKnown = found.contextMembers.some((known) => known.name === member.text && known.owner.start === parameter.owner.start);
  if (!isKnown) found.contextMembers.push({ place: context.places.of(member), name: member.text, ...parameter });
}

/** The function around a name that has a parameter of that name, where that is of a context's type, or of none. */
function parameterOf(node: ts.Identifier, places: Placing): Pick<ContextMember, "owner" | "isTyped"> | undefined {
  const found = parameterAround(node, node.text);
  if (found === undefined) return undefined;
  const type = found.type?.getText();
  const isTyped = type !== undefined && /(?:^|\.)\w*ExecutionContext$/.test(type);
  return type === undefined || isTyped ? { owner: places.of(found.parent), isTyped } : undefined;
}
