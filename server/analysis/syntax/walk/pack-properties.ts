// Assignments to a pack without a setter: `pack.defaultAuthentication = …`, `pack.networkDomains.push(…)`, `Object.assign(pack, { … })`.

import type { Expression, ObjectValue } from "../../model/values.ts";
import { between } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { evaluate, evaluateAll } from "../evaluate.ts";
import { FILE_SCOPE } from "../names/declarations.ts";
import { unknownAt } from "../names/mutations.ts";
import { type Access, type Name, nameNodeOf, pathOf, unwrap } from "../nodes.ts";
import { isOtherMember, isReadMember } from "../pack-methods.ts";
import type { Walk } from "./walked.ts";

const { SyntaxKind } = ts;

/** Whether a path ends with a member of a pack whose writes are read. */
export const isPackProperty = (path: readonly string[]): boolean => path.length > 1 && isReadMember(path[path.length - 1] ?? "");

/** Whether a path contains a member of a pack that does not concern accounts: `pack.skills`, `pack.skills.length`. */
export const isOtherProperty = (path: readonly string[]): boolean => path.some((name, index) => index > 0 && isOtherMember(name));

/** Whether the call is `Object.assign(pack, { networkDomains: [...] })` with literal objects. */
export function assignsPackProperties(node: ts.CallExpression): boolean {
  if (pathOf(node.expression)?.join(".") !== "Object.assign") return false;
  const [target, ...sources] = node.arguments.map(unwrap);
  if (target === undefined || !sources.every(ts.isObjectLiteralExpression)) return false;
  const names = sources.flatMap(({ properties }) =>
    properties.map(({ name }) => (name !== undefined && ts.isIdentifier(name) ? name.text : "")),
  );
  return names.some(isReadMember) || (names.length > 0 && names.every(isOtherMember));
}

/** Records `pack.networkDomains = [...]`. With `??=` or `||=`, the value is uncertain. */
export function assignPackProperty(node: ts.BinaryExpression, walk: Walk): void {
  const left = unwrap(node.left);
  const name = nameNodeOf(left);
  if (name === undefined || !isReadMember(name.text)) return;
  const isCertain = node.operatorToken.kind === SyntaxKind.EqualsToken;
  define((left as Access).expression, name, evaluate(node.right, walk.context), isCertain, walk);
}

/** Records `pack.networkDomains.push("example.com")` or `Object.assign(pack, { networkDomains: [...] })`. */
export function callPackProperty(node: ts.CallExpression, method: string, walk: Walk): void {
  const { context } = walk;
  if (assignsPackProperties(node)) {
    const [target, ...sources] = node.arguments;
    for (const value of evaluateAll(sources, context)) if (target !== undefined && value.kind === "object") add(target, value, true, walk);
    return;
  }
  const callee = unwrap(node.expression);
  if (method !== "push" || nameNodeOf(callee) === undefined) return;
  const list = unwrap((callee as Access).expression);
  const name = nameNodeOf(list);
  if (name?.text !== "networkDomains") return;
  const items = evaluateAll(node.arguments, context);
  const value: Expression = {
    kind: "array",
    place: context.places.of(node),
    items,
    spreads: [],
    open: node.arguments.some(ts.isSpreadElement),
  };
  define((list as Access).expression, name, value, true, walk);
}

/** Records a change such as `pack.formulas.splice(…)`, after which the list is unknown. */
export function changePackList(list: ts.Expression, walk: Walk): void {
  const name = nameNodeOf(list);
  if (name !== undefined) define((list as Access).expression, name, unknownAt(walk.context.places.of(list)), false, walk);
}

function define(receiver: ts.Expression, name: Name, value: Expression, isCertain: boolean, walk: Walk): void {
  const nameSpan = walk.context.places.of(name);
  const place = between(nameSpan, value.place);
  const properties = [{ name: name.text, nameSpan, span: place, value }];
  add(receiver, { kind: "object", place, properties, spreads: [], open: false, trailingComma: false }, isCertain, walk);
}

function add(receiver: ts.Expression, definition: ObjectValue, isCertain: boolean, { context, frame, facts }: Walk): void {
  const certain = isCertain && frame.body === FILE_SCOPE && !frame.conditional;
  facts.definitions.push({ receiver: evaluate(receiver, context), definition, certain });
}
