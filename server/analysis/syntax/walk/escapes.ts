// Names that escape: passed to a function, returned by one, stored in something else. Who has them may write to them.

import type { Value } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { assignedExports, exportingCall, REQUIRED, readImportPath } from "../commonjs.ts";
import { evaluate } from "../evaluate.ts";
import { forEachAliasedName } from "../names/aliases.ts";
import { returnName } from "../names/declarations.ts";
import { calleeName, isHolder, outermost, pathOf, unwrap } from "../nodes.ts";
import { assignsPackProperties, isPackProperty } from "./pack-properties.ts";
import { stepsOf } from "./steps-of.ts";
import type { Escape, Walk } from "./walked.ts";

/** Who has it now may write to it. */
function escapeName(
  name: string,
  path: readonly string[],
  offset: number,
  to: string | undefined,
  { context, facts }: Walk,
  callee?: Value,
): void {
  if (path.length === 0 || name === "this") facts.escapes.push(escapeOf(to, name, callee));
  facts.declarations.change({ kind: "escaped", name, at: context.places.point(offset), path });
}

/** The names that an expression is put together of. */
export function escapeAll(holder: ts.Expression, to: string | undefined, walk: Walk, callee?: Value): void {
  forEachAliasedName(holder, ([name = "", ...path]) => escapeName(name, path, holder.end, to, walk, callee));
}

const escapeOf = (to: string | undefined, what: string, callee: Value | undefined): Escape =>
  callee === undefined ? { to, what } : { to, what, callee };

/** What is put into something else is written to there; what is exported, by who imports it. */
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

/** What is written to `exports.config` or `module.exports.config` is written to what that is. */
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

/** `return config`: who calls the function may write to it. */
export function readReturn(returned: ts.Expression, node: ts.Node, walk: Walk): void {
  const path = pathOf(returned);
  const around = ts.findAncestor(node, isFunctionWithBody);
  if (path === undefined || around === undefined) return;
  const [root = "", ...rest] = path;
  const name = ts.isGetAccessor(around) ? undefined : nameOfFunction(around);
  // Passed to whoever calls or reads something that has no name here.
  if (name === undefined) escapeName(root, rest, returned.end, undefined, walk);
  else walk.facts.declarations.alias(root, { name: returnName(name), at: walk.context.places.point(returned.end), path: rest });
}

const isFunctionWithBody = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isAccessor(node);

/** Its own, or that of what it is assigned to: `const settings = () => config`, `settings: () => config`, `exports.settings = () => config`. */
function nameOfFunction(node: ts.FunctionLikeDeclaration): string | undefined {
  const { parent } = outermost(node);
  const exported = ts.isBinaryExpression(parent) ? assignedExports(parent)?.names[0] : undefined;
  if (exported !== undefined) return exported;
  const name = node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined);
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined;
}

/** What is passed to a function may be written to there. */
export function passArguments(node: ts.CallExpression | ts.NewExpression, walk: Walk): void {
  if (ts.isCallExpression(node) && (exportingCall(node) !== undefined || assignsPackProperties(node))) return;
  const args = (node.arguments ?? []).map(unwrap).filter((what) => !namesNothing(what));
  if (args.length === 0) return;
  const callee = evaluate(node.expression, walk.context);
  const to = pathOf(node.expression)?.[0] ?? requiredBy(node.expression);
  for (const what of args) pass(what, to, callee, walk);
}

/** What most arguments are, when they are no name. */
const namesNothing = (node: ts.Expression): boolean =>
  ts.isStringLiteral(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);

function pass(what: ts.Expression, to: string | undefined, callee: Value, walk: Walk): void {
  const { context, facts } = walk;
  if (isHolder(what)) {
    // The toolkit writes to none of its arguments.
    if (!context.toolkitImports.has(to ?? "")) escapeAll(what, to, walk, callee);
    return;
  }
  if (ts.isCallExpression(what) && calleeName(what)?.text === "newPack") facts.escapes.push(escapeOf(to, "pack", callee));
  const steps = stepsOf(what);
  if (steps === undefined) return;
  const [name = "", ...path] = steps.names;
  // `addTo(this)` and `addTo(this.pack)`.
  if (steps.root.kind === ts.SyntaxKind.ThisKeyword && pathOf(what) !== undefined) facts.escapes.push({ to, what: "this" });
  // `pack.addNetworkDomain.bind(pack)`: what is made of it may be called anywhere.
  if (path.length === 0) facts.escapes.push(to === name ? { to: undefined, what: name } : escapeOf(to, name, callee));
  facts.declarations.change({ kind: "escaped", name, at: context.places.point(what.end), path });
}

/** `require("./set-up")(pack)`, `require("./set-up").addTo(pack)`. */
function requiredBy(callee: ts.Expression): string | undefined {
  const module = readImportPath(callee)?.module;
  return module === undefined ? undefined : REQUIRED + module;
}
