// What is read of the context that the platform gives: `context.name`.

import type { ContextMember } from "../../model/facts.ts";
import type { Placing } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { parameterAround } from "../names/parameter-around.ts";
import type { Walk } from "./walked.ts";

const CONTEXT_NAME = /context$|^ctx$/i;

export function useContext({ expression, name }: ts.PropertyAccessExpression, { context, found }: Walk): void {
  if (!ts.isIdentifier(expression) || !CONTEXT_NAME.test(expression.text)) return;
  const parameter = parameterOf(expression, context.places);
  if (parameter === undefined) return;
  const isKnown = found.contextMembers.some((known) => known.name === name.text && known.owner.start === parameter.owner.start);
  if (!isKnown) found.contextMembers.push({ place: context.places.of(name), name: name.text, ...parameter });
}

/** The function around a name that has a parameter of that name, where that is of a context's type, or of none. */
function parameterOf(node: ts.Identifier, places: Placing): Pick<ContextMember, "owner" | "isTyped"> | undefined {
  const found = parameterAround(node, node.text);
  if (found === undefined) return undefined;
  const type = found.type?.getText();
  const isTyped = type !== undefined && /(?:^|\.)\w*ExecutionContext$/.test(type);
  return type === undefined || isTyped ? { owner: places.of(found.parent), isTyped } : undefined;
}
