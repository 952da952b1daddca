// Names that go out of sight: handed to a function, given back by one, kept in something else. Who has them may write to them.
import { ts } from "ts-morph";
import { exportingCall, takenFrom } from "../commonjs.ts";
import { givenBy } from "../declarations.ts";
import { calleeName, pathOf, unwrap } from "../evaluate/path-of.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { forEachHeldName, isHolder } from "../held-names.ts";
import type { Value } from "../model.ts";
import { REQUIRED } from "../required-name.ts";
import { isDefined, isDefiningCall } from "./defined.ts";
import { stepsOf } from "./steps-of.ts";
import { type HandedOver, NO_STEPS, type Walking } from "./walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind } = ts;

/** What is out of sight may be written to. */
export function letGo(
  name: string,
  path: readonly string[],
  offset: number,
  to: string | undefined,
  walked: Walking,
  callee?: Value,
): void {
  if (path.length === 0 || name === "this") walked.handedOver.push(handed(to, name, callee));
  walked.declarations.change({ kind: "escaped", name, offset, path });
}

const handed = (to: string | undefined, what: string, callee: Value | undefined): HandedOver =>
  callee === undefined ? { to, what } : { to, what, callee };

/** What is put into something else is written to there; what is exported, by who imports it. */
export function keep(value: ts.Expression, into: ts.Expression, walked: Walking): void {
  const names = stepsOf(unwrap(into))?.names;
  if (names === undefined) return;
  const [root = "", ...steps] = names;
  const target = unwrap(into);
  const isExported = root === "module" || root === "exports";
  forEachHeldName(value, ([name = "", ...path], inside) => {
    if (isExported) exportName(name, path, [...(root === "module" ? steps.slice(1) : steps), ...inside], target.end, walked);
    else if (target.kind === SyntaxKind.Identifier || isDefined(names))
      walked.declarations.alias(name, { name: root, offset: target.end, path, inside: [...steps, ...inside] });
    else letGo(name, path, value.end, pathOf(target)?.[0], walked);
  });
}

/** What is written to `exports.config` or `module.exports.config` is written to what that is. */
export function exportName(name: string, path: readonly string[], inside: readonly string[], offset: number, walked: Walking): void {
  walked.declarations.alias(name, { name: "exports", offset, path, inside });
  walked.declarations.alias(name, { name: "module", offset, path, inside: ["exports", ...inside] });
}

/** `return config`: who calls the function may write to it. */
export function handOut(returned: ts.Node, inside: ts.Node, walked: Walking): void {
  const path = returned.kind === SyntaxKind.Block ? undefined : pathOf(returned as ts.Expression);
  if (path === undefined) return;
  const { declarations } = walked;
  let node = inside;
  while (!FUNCTIONS.has(node.kind)) {
    if (node.parent === undefined) return;
    node = node.parent;
  }
  const name = nameOfFunction(node as ts.FunctionLikeDeclaration);
  const [root = "", ...rest] = path;
  if (name !== undefined && node.kind !== SyntaxKind.GetAccessor)
    declarations.alias(root, { name: givenBy(name), offset: returned.end, path: rest });
  // Given to whoever calls or reads something that has no name here.
  else letGo(root, rest, returned.end, undefined, walked);
}

const FUNCTIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.Constructor,
  SyntaxKind.SetAccessor,
]);

/** Its own, or that of what it is given to: `const settings = () => config`, `settings: () => config`. */
function nameOfFunction(node: ts.FunctionLikeDeclaration): string | undefined {
  const { parent } = node;
  const name = node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined);
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined;
}

/** What most arguments are, when they are no name. */
const NAMES_NOTHING: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
]);

/** What is handed to a function may be written to there. */
export function handOver(node: ts.CallExpression | ts.NewExpression, context: EvaluateContext, walked: Walking): void {
  const given = node.arguments;
  if (given === undefined || given.length === 0) return;
  if (ts.isCallExpression(node) && (exportingCall(node) !== undefined || isDefiningCall(node))) return;
  let callee: Value | undefined;
  for (let index = 0; index < given.length; index++) {
    const what = unwrap(given[index] as ts.Expression);
    if (NAMES_NOTHING.has(what.kind)) continue;
    callee ??= evaluate(node.expression, context);
    handOverOne(what, pathOf(node.expression)?.[0] ?? requiredBy(node.expression), callee, context, walked);
  }
}

function handOverOne(what: ts.Expression, to: string | undefined, callee: Value, context: EvaluateContext, walked: Walking): void {
  if (isHolder(what)) {
    // The toolkit writes to nothing that it is given.
    if (!context.toolkitImports.has(to ?? "")) letGoOfAll(what, to, walked, callee);
    return;
  }
  if (what.kind === SyntaxKind.CallExpression && calleeName(what as ts.CallExpression)?.text === "newPack")
    walked.handedOver.push(handed(to, "pack", callee));
  const steps = stepsOf(what);
  if (steps === undefined) return;
  const { names, root } = steps;
  // `addTo(this)` and `addTo(this.pack)`.
  if (root.kind === SyntaxKind.ThisKeyword && pathOf(what) !== undefined) walked.handedOver.push({ to, what: "this" });
  const name = names[0] ?? "";
  // `pack.addNetworkDomain.bind(pack)`: what is made of it may be called anywhere.
  if (names.length === 1) walked.handedOver.push(to === name ? { to: undefined, what: name } : handed(to, name, callee));
  walked.declarations.change({ kind: "escaped", name, offset: what.end, path: names.length === 1 ? NO_STEPS : names.slice(1) });
}

/** `require("./set-up")(pack)`, `require("./set-up").addTo(pack)`. */
function requiredBy(callee: ts.Expression): string | undefined {
  const module = takenFrom(callee)?.module;
  return module === undefined ? undefined : REQUIRED + module;
}

/** What is put together of names, and handed to a function. */
export function letGoOfAll(holder: ts.Expression, to: string | undefined, walked: Walking, callee?: Value): void {
  forEachHeldName(holder, ([name = "", ...path]) => letGo(name, path, holder.end, to, walked, callee));
}
