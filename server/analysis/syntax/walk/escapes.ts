// Names that escape: they are passed to a function, returned, or stored in another object. Code that receives them may write to them.

import type { Expression } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { assignedExports, exportingCall, REQUIRED, readImportPath } from "../commonjs.ts";
import { evaluate } from "../evaluate.ts";
import { forEachAliasedName } from "../names/aliases.ts";
import { returnName } from "../names/declarations.ts";
import { calleeName, isAccess, isHolder, outermost, pathOf, unwrap } from "../nodes.ts";
import { PACK_METHODS } from "../pack-methods.ts";
import { assignsPackProperties, isPackProperty } from "./pack-properties.ts";
import { stepsOf } from "./steps-of.ts";
import type { Escape, Walk } from "./walked.ts";

/** Records that other code receives the name's value and may write to it. */
function escapeName(
  name: string,
  path: readonly string[],
  offset: number,
  to: string | undefined,
  { context, facts }: Walk,
  callee?: Expression,
): void {
  if (path.length === 0 || name === "this") facts.escapes.push(escapeOf(to, name, callee));
  facts.declarations.change({ kind: "escaped", name, at: context.places.point(offset), path });
}

/** Records the escape of every name that an expression contains. */
export function escapeAll(holder: ts.Expression, to: string | undefined, walk: Walk, callee?: Expression): void {
  forEachAliasedName(holder, ([name = "", ...path]) => escapeName(name, path, holder.end, to, walk, callee));
}

const escapeOf = (to: string | undefined, what: string, callee: Expression | undefined): Escape =>
  callee === undefined ? { to, what } : { to, what, callee };

/** Records that a value is stored in an object or exported, so that it can be written to through the object or by an importer. */
export function store(value: ts.Expression, into: ts.Expression, walk: Walk): void {
  const target = unwrap(into);
  const names = stepsOf(target)?.names;
  if (names === undefined) return;
  const [root = "", ...steps] = names;
  forEachAliasedName(value, ([name = "", ...path], inside) => {
    if (root === "module" || root === "exports")
      exportName(name, path, [...(root === "module" ? steps.slice(1) : steps), ...inside], target.end, walk);
    else if (ts.isIdentifier(target) || isPackProperty(names)) {
      const at = walk.context.places.point(target.end);
      walk.facts.declarations.alias(name, { name: root, at, path, inside: [...steps, ...inside] });
    } else escapeName(name, path, value.end, pathOf(target)?.[0], walk);
  });
}

/** Records that a write to `exports.config` or `module.exports.config` is a write to the name. */
export function exportName(
  name: string,
  path: readonly string[],
  inside: readonly string[],
  offset: number,
  { context, facts }: Walk,
): void {
  const at = context.places.point(offset);
  facts.declarations.alias(name, { name: "exports", at, path, inside });
  facts.declarations.alias(name, { name: "module", at, path, inside: ["exports", ...inside] });
}

/** Records a `return config`, since callers of the function may write to the value. */
export function readReturn(returned: ts.Expression, node: ts.Node, walk: Walk): void {
  // A function that only calls another is not followed: most returns are of this kind, and it costs time at each key.
  const isCallByName = ts.isCallExpression(returned) && !isAccess(returned.expression);
  const names = isCallByName ? undefined : stepsOf(returned)?.names;
  const around = names && ts.findAncestor(node, isFunctionWithBody);
  if (names === undefined || around === undefined) return;
  const [root = "", ...rest] = names;
  const called = outermost(around).parent;
  if (ts.isCallExpression(called) && unwrap(called.expression) === around) {
    readInPlace(returned, names, called, walk);
    return;
  }
  const name = ts.isGetAccessor(around) ? undefined : nameOfFunction(around);
  // Callers of a function without a name cannot be traced.
  if (name === undefined) escapeName(root, rest, returned.end, undefined, walk);
  else walk.facts.declarations.alias(root, { name: returnName(name), at: walk.context.places.point(returned.end), path: rest });
}

/** Records what receives the return value of a function that is called where it is written. A method of the pack only reads it. */
function readInPlace(returned: ts.Expression, [root = "", ...path]: readonly string[], call: ts.CallExpression, walk: Walk): void {
  const holder = outermost(call).parent;
  if (ts.isReturnStatement(holder) || ts.isArrowFunction(holder)) readReturn(returned, holder, walk);
  else if (ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name))
    walk.facts.declarations.alias(root, { name: holder.name.text, at: walk.context.places.point(holder.end), path });
  else if (!ts.isCallExpression(holder) || !PACK_METHODS.has(calleeName(holder)?.text ?? ""))
    escapeName(root, path, returned.end, undefined, walk);
}

const isFunctionWithBody = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isAccessor(node);

/**
 * Returns the function's name, or the name that it is assigned to: `const settings = () => config`, `settings: () => config`,
 * `exports.settings = () => config`.
 */
export function nameOfFunction(node: ts.FunctionLikeDeclaration | ts.ClassLikeDeclaration): string | undefined {
  const { parent } = outermost(node);
  const exported = ts.isBinaryExpression(parent) ? assignedExports(parent)?.names[0] : undefined;
  if (exported !== undefined) return exported;
  const name = node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined);
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined;
}

/** Records that the called function may write to its arguments. */
export function passArguments(node: ts.CallExpression | ts.NewExpression, walk: Walk): void {
  if (ts.isCallExpression(node) && (exportingCall(node) !== undefined || assignsPackProperties(node))) return;
  const args = (node.arguments ?? []).map(unwrap).filter((what) => !namesNothing(what));
  if (args.length === 0) return;
  const callee = evaluate(node.expression, walk.context);
  const to = pathOf(node.expression)?.[0] ?? requiredBy(node.expression);
  for (const what of args) pass(what, to, callee, walk);
}

/** Kinds of most arguments without names. */
const namesNothing = (node: ts.Expression): boolean =>
  ts.isStringLiteral(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);

function pass(what: ts.Expression, to: string | undefined, callee: Expression, walk: Walk): void {
  const { context, facts } = walk;
  if (isHolder(what)) {
    // The SDK does not write to its arguments.
    if (!context.toolkitImports.has(to ?? "")) escapeAll(what, to, walk, callee);
    return;
  }
  if (ts.isCallExpression(what) && calleeName(what)?.text === "newPack") facts.escapes.push(escapeOf(to, "pack", callee));
  const steps = stepsOf(what);
  if (steps === undefined) return;
  const [name = "", ...path] = steps.names;
  // The instance escapes with `addTo(this)` and `addTo(this.pack)`.
  if (steps.root.kind === ts.SyntaxKind.ThisKeyword && pathOf(what) !== undefined) facts.escapes.push({ to, what: "this" });
  // For `pack.addNetworkDomain.bind(pack)`, the result may be called anywhere.
  if (path.length === 0) facts.escapes.push(to === name ? { to: undefined, what: name } : escapeOf(to, name, callee));
  facts.declarations.change({ kind: "escaped", name, at: context.places.point(what.end), path });
}

/** Returns the module of `require("./set-up")(pack)` or `require("./set-up").addTo(pack)`. */
function requiredBy(callee: ts.Expression): string | undefined {
  const module = readImportPath(callee)?.module;
  return module === undefined ? undefined : REQUIRED + module;
}
