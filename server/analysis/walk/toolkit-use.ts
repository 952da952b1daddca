// What a source takes of the toolkit, and calls on packs, by name: whether there is such a thing, a rule asks who knows the toolkit.
import { ts } from "ts-morph";
import { FILE_SCOPE } from "../declarations.ts";
import { nameNodeOf, pathOf, unwrap } from "../evaluate/path-of.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { PACK_METHODS } from "../pack-methods.ts";
import type { Frame, Walking } from "./walked.ts";

const { SyntaxKind } = ts;

/** `coda.name`, or a name that is imported: of each name the first use in a statement, or the first that fails. */
export function useToolkit(node: ts.Expression, frame: Frame, context: EvaluateContext, walked: Walking): void {
  const isAccess = node.kind === SyntaxKind.PropertyAccessExpression;
  const root = isAccess ? (node as ts.PropertyAccessExpression).expression : node;
  if (root.kind !== SyntaxKind.Identifier) return;
  const local = (root as ts.Identifier).text;
  const imported = context.toolkitImports.get(local);
  if (imported === undefined) return;
  const isWhole = imported.name === "*" || imported.name === "default";
  const isMember = isWhole && isAccess;
  if (isWhole && !isMember) return;
  const name = isMember ? (node as ts.PropertyAccessExpression).name.text : imported.name;
  // Of what is imported by its name, `Name.member` fails where there is no such name.
  const fails = isWhileLoading(node, frame) && (isMember || !isAccess ? needsValue(node) : !isOptional(node));
  const before = walked.toolkitUses.findIndex((use) => use.name === name && use.local === local);
  if (before >= 0 && (!fails || walked.toolkitUses[before]?.fails === true)) return;
  const at = isMember ? (node as ts.PropertyAccessExpression).name : root;
  const use = { file: context.file, start: at.getStart(context.source), end: at.end, name, local, fails };
  if (before >= 0) walked.toolkitUses[before] = use;
  else walked.toolkitUses.push(use);
}

/** A call on what may be a pack, of a method that is none of those that are looked at. */
export function useBuilder(node: ts.CallExpression, frame: Frame, context: EvaluateContext, walked: Walking): void {
  const callee = unwrap(node.expression);
  const called = nameNodeOf(callee);
  if (called === undefined || PACK_METHODS.has(called.text) || isOptional(node) || isOptional(callee)) return;
  let receiver = unwrap((callee as ts.PropertyAccessExpression).expression);
  // Every method of a builder gives back the builder.
  for (;;) {
    if (receiver.kind !== SyntaxKind.CallExpression) break;
    const inner = unwrap((receiver as ts.CallExpression).expression);
    const method = nameNodeOf(inner);
    if (method === undefined || method.text === "newPack" || !PACK_METHODS.has(method.text)) break;
    receiver = unwrap((inner as ts.PropertyAccessExpression).expression);
  }
  const isCall = receiver.kind === SyntaxKind.CallExpression;
  if (!isCall && !mayBePack(pathOf(receiver)?.at(-1))) return;
  const value = evaluate(receiver, context);
  if (value.kind !== "reference" && !(value.kind === "unknown" && value.isPack === true)) return;
  const { file, source } = context;
  walked.builderCalls.push({
    file,
    start: called.getStart(source),
    end: called.end,
    name: called.text,
    receiver: value,
    isTyped: receiver.kind === SyntaxKind.Identifier && isBuilder(node, (receiver as ts.Identifier).text, source),
    fails: isWhileLoading(node, frame),
  });
}

/** Packs are called so, mostly. */
const mayBePack = (name: string | undefined): boolean => name !== undefined && /^p$|pack$|builder$/i.test(name);

/** `(pack: coda.PackDefinitionBuilder) => …`, in a function around the call. */
function isBuilder(node: ts.Node, name: string, source: ts.SourceFile): boolean {
  for (let { parent } = node; parent !== undefined; parent = parent.parent) {
    const found = ts.isFunctionLike(parent)
      ? parent.parameters.find((parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name)
      : undefined;
    if (found !== undefined) return /\bPackDefinitionBuilder$/.test(found.type?.getText(source) ?? "");
  }
  return false;
}

const isWhileLoading = (node: ts.Node, { body, conditional }: Frame): boolean => body === FILE_SCOPE && !conditional && !isTried(node);

function isTried(node: ts.Node): boolean {
  for (let around = node; around.parent !== undefined; around = around.parent)
    if (ts.isTryStatement(around.parent) && around.parent.tryBlock === around) return around.parent.catchClause !== undefined;
  return false;
}

/** Called, made anew, or something of it read. */
function needsValue(node: ts.Expression): boolean {
  let child: ts.Node = node;
  while (ts.isExpression(child.parent) && unwrap(child.parent) === node) child = child.parent;
  const { parent } = child;
  switch (parent.kind) {
    case SyntaxKind.CallExpression:
    case SyntaxKind.NewExpression:
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
      return (parent as ts.CallExpression).expression === child && !isOptional(parent);
    default:
      return false;
  }
}

const isOptional = (node: ts.Node): boolean => (node as ts.PropertyAccessExpression).questionDotToken !== undefined;
