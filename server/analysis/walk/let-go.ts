// Names that go out of sight: handed to a function, given back by one, kept in something else. Who has them may write to them.
import { ts } from "ts-morph";
import { givenBy } from "../declarations.ts";
import { calleeName, type EvaluateContext, pathOf, unwrap } from "../evaluate.ts";
import { forEachHeldName, isHolder } from "../held-names.ts";
import { stepsOf } from "./steps-of.ts";
import type { Walking } from "./walked.ts";

// Taken once: the compiler's namespace is a table of getters, and the walk is hot.
const { SyntaxKind } = ts;

/** What is out of sight may be written to. */
export function letGo(name: string, path: readonly string[], offset: number, to: string | undefined, walked: Walking): void {
  if (path.length === 0 || name === "this") walked.handedOver.push({ to, what: name });
  walked.declarations.change({ kind: "escaped", name, offset, path });
}

/** What is put into something else is written to there; what is exported, by who imports it. */
export function keep(value: ts.Expression, into: ts.Expression, walked: Walking): void {
  const root = stepsOf(unwrap(into))?.names[0];
  if (root === undefined || root === "module" || root === "exports") return;
  const target = unwrap(into);
  forEachHeldName(value, ([name = "", ...path], inside) => {
    if (target.kind === SyntaxKind.Identifier) walked.declarations.alias(name, { name: root, offset: target.end, path, inside });
    else letGo(name, path, value.end, pathOf(target)?.names[0], walked);
  });
}

/** `return config`: who calls the function may write to it. */
export function handOut(returned: ts.Node, inside: ts.Node, walked: Walking): void {
  const path = returned.kind === SyntaxKind.Block ? undefined : pathOf(returned as ts.Expression)?.names;
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
  const to = pathOf(node.expression)?.names;
  for (const argument of given) {
    const what = unwrap(argument);
    if (NAMES_NOTHING.has(what.kind)) continue;
    if (what.kind === SyntaxKind.CallExpression && calleeName(what as ts.CallExpression)?.name === "newPack")
      walked.handedOver.push({ to: to?.[0], what: "pack" });
    if (isHolder(what)) {
      // The toolkit writes to nothing that it is given.
      if (context.toolkitImports.has(to?.[0] ?? "")) continue;
      forEachHeldName(what, ([name = "", ...path]) => letGo(name, path, what.end, to?.[0], walked));
      continue;
    }
    const path = stepsOf(what)?.names;
    if (path === undefined) continue;
    // `addTo(this)` and `addTo(this.pack)`.
    if (pathOf(what)?.names[0] === "this") walked.handedOver.push({ to: to?.[0], what: "this" });
    const name = path[0] ?? "";
    const steps = path.slice(1);
    // `pack.addNetworkDomain.bind(pack)`: what is made of it may be called anywhere.
    if (steps.length === 0) walked.handedOver.push({ to: to !== undefined && to[0] === name ? undefined : to?.[0], what: name });
    walked.declarations.change({ kind: "escaped", name, offset: what.end, path: steps });
  }
}
