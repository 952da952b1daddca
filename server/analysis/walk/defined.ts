// What a pack is given without a setter: `pack.defaultAuthentication = …`, `pack.networkDomains.push(…)`, `Object.assign(pack, { … })`.
import { ts } from "ts-morph";
import { FILE_SCOPE } from "../declarations.ts";
import { nameNodeOf, pathOf, unwrap } from "../evaluate/path-of.ts";
import { type EvaluateContext, evaluate, evaluateAll } from "../evaluate.ts";
import type { ObjectValue, Span, Value } from "../model.ts";
import type { Frame, Walking } from "./walked.ts";

const { SyntaxKind } = ts;

/** What of a pack's definition is looked at; the rest, such as its version, is nobody's business here. */
const DEFINED: ReadonlySet<string> = new Set(["defaultAuthentication", "systemConnectionAuthentication", "networkDomains"]);

/** Whether a path ends with something of a definition that is read where it is written. */
export const isDefined = (path: readonly string[]): boolean => path.length > 1 && DEFINED.has(path[path.length - 1] ?? "");

/** `Object.assign(pack, { networkDomains: [...] })`, of objects that are written out. */
export function isDefiningCall(node: ts.CallExpression): boolean {
  if (pathOf(node.expression)?.join(".") !== "Object.assign") return false;
  const [target, ...given] = node.arguments.map(unwrap);
  return (
    target !== undefined &&
    given.every(ts.isObjectLiteralExpression) &&
    given.some(({ properties }) => properties.some(({ name }) => name !== undefined && ts.isIdentifier(name) && DEFINED.has(name.text)))
  );
}

/** `pack.networkDomains = [...]`; by `??=` and `||=` it may be something else. */
export function assignDefinition(node: ts.BinaryExpression, outer: Frame, context: EvaluateContext, walked: Walking): void {
  const frame = node.operatorToken.kind === SyntaxKind.EqualsToken ? outer : { ...outer, conditional: true };
  const left = unwrap(node.left);
  const name = nameNodeOf(left);
  if (name === undefined || !DEFINED.has(name.text)) return;
  const nameSpan = spanOf(name, context.source);
  define((left as ts.PropertyAccessExpression).expression, name.text, nameSpan, evaluate(node.right, context), frame, context, walked);
}

/** `pack.networkDomains.push("example.com")`, `Object.assign(pack, { networkDomains: [...] })`. */
export function callDefinition(node: ts.CallExpression, method: string, frame: Frame, context: EvaluateContext, walked: Walking): void {
  if (isDefiningCall(node)) {
    const [target, ...given] = node.arguments;
    for (const value of evaluateAll(given, context))
      if (target !== undefined && value.kind === "object") add(target, value, frame, context, walked);
    return;
  }
  const callee = unwrap(node.expression);
  if (method !== "push" || nameNodeOf(callee) === undefined) return;
  const list = unwrap((callee as ts.PropertyAccessExpression).expression);
  const name = nameNodeOf(list);
  if (name?.text !== "networkDomains") return;
  const items = evaluateAll(node.arguments, context);
  const open = node.arguments.some(({ kind }) => kind === SyntaxKind.SpreadElement);
  const value: Value = { kind: "array", file: context.file, ...spanOf(node, context.source), items, open };
  define((list as ts.PropertyAccessExpression).expression, name.text, spanOf(name, context.source), value, frame, context, walked);
}

function define(
  receiver: ts.Expression,
  name: string,
  nameSpan: Span,
  value: Value,
  frame: Frame,
  context: EvaluateContext,
  walked: Walking,
): void {
  const span = { start: nameSpan.start, end: value.end };
  const properties = [{ name, nameSpan, span, value }];
  const definition: ObjectValue = {
    kind: "object",
    file: context.file,
    ...span,
    properties,
    spreads: [],
    open: false,
    trailingComma: false,
  };
  add(receiver, definition, frame, context, walked);
}

function add(receiver: ts.Expression, definition: ObjectValue, frame: Frame, context: EvaluateContext, walked: Walking): void {
  walked.definitions.push({ receiver: evaluate(receiver, context), definition, certain: frame.body === FILE_SCOPE && !frame.conditional });
}

const spanOf = (node: ts.Node, source: ts.SourceFile): Span => ({ start: node.getStart(source), end: node.end });
