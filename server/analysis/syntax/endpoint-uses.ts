// Uses of the account's endpoint that make no sense without a value, under its own name and under local names for it.

import { URL_HELPERS } from "../../../spec/url-helpers.ts";
import type { EndpointUse } from "../model/context-facts.ts";
import type { Value } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { isGuarded } from "./endpoint-guards.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { calleeName, isAccess, isDefaulting, isFunction, isShortCircuit, outermost, parameterAround, pathOf, unwrap } from "./nodes.ts";
import { nodesAt } from "./tree-search.ts";

const { SyntaxKind } = ts;

const ENDPOINT = /\bendpoint\b/g;

/** A use of a local name for the endpoint, or of the endpoint itself; with what may be there instead of it. */
type AddUse = (node: ts.Node, names: readonly string[], instead?: Value) => void;

export function collectEndpointUses(statement: ts.Statement, context: EvaluateContext): readonly EndpointUse[] {
  const { source, places } = context;
  const uses: EndpointUse[] = [];
  const add: AddUse = (node, names, before) => {
    if (!needsValue(node)) return;
    const instead = before ?? alternativeTo(node, context);
    uses.push({ place: places.of(node), guarded: isGuarded(node, names, source), ...(instead && { instead }) });
  };
  for (const name of nodesAt(statement, source, ENDPOINT)) {
    const { parent } = name;
    if (ts.isPropertyAccessExpression(parent) && parent.name === name) {
      if (!isContext(parent.expression, source)) continue;
      add(parent, ["endpoint"]);
      const variable = chosen(parent).parent;
      if (ts.isVariableDeclaration(variable) && !isGuarded(parent, ["endpoint"], source))
        addAlias(variable.name, add, alternativeTo(parent, context));
    } else if (ts.isBindingElement(parent) && isEndpointBinding(parent, name, source)) addAlias(parent.name, add);
  }
  return uses;
}

const CONTEXT_NAME = /(?:context|ctx)$/i;

/** `context`, `syncContext`: a parameter by that name, of no type that is another; `this.context` in a class that fetches by it. */
function isContext(node: ts.Expression, source: ts.SourceFile): boolean {
  const [first = "", second, ...rest] = pathOf(node) ?? [];
  if (rest.length > 0 || !CONTEXT_NAME.test(second ?? first)) return false;
  if (second !== undefined) {
    const owner = first === "this" ? ts.findAncestor(node.parent, ts.isClassLike) : undefined;
    return owner?.getText(source).includes(`this.${second}.fetcher`) === true;
  }
  const parameter = parameterAround(node, first);
  if (parameter === undefined || !isFunction(parameter.parent)) return false;
  return parameter.type === undefined ? PLAIN_CONTEXT.test(first) : /ExecutionContext\b|^any$/.test(parameter.type.getText(source));
}

/** Of a parameter without a type: `requestContext` may be anything of one's own. */
const PLAIN_CONTEXT = /^_*(?:sync|execution|exec|pack|coda|formula)?_?(?:context|ctx)$/i;

/** `const { endpoint } = context`, or the same in a parameter that also has what only a context has. */
function isEndpointBinding(element: ts.BindingElement, name: ts.Node, source: ts.SourceFile): boolean {
  // One with a default has a value.
  if (element.initializer !== undefined || (element.propertyName ?? element.name) !== name) return false;
  const { elements, parent: owner } = element.parent;
  if (ts.isVariableDeclaration(owner)) return owner.initializer !== undefined && isContext(unwrap(owner.initializer), source);
  const names = elements.map((other) => (ts.isBindingElement(other) ? (other.propertyName ?? other.name).getText(source) : ""));
  return ts.isParameter(owner) && (names.includes("fetcher") || names.includes("invocationToken"));
}

/** The uses of a local name for the endpoint, in the function that it is local to. */
function addAlias(name: ts.BindingName, add: AddUse, instead?: Value): void {
  const scope = ts.findAncestor(name, isFunction);
  if (!ts.isIdentifier(name) || scope === undefined) return;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name.text && node !== name) {
      const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
      if (!isMember) add(node, ["endpoint", name.text], instead);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(scope, visit);
}

/** The expression whose value may be the node's: what chooses it, or takes it where there is nothing else. */
function chosen(node: ts.Node): ts.Node {
  const outer = outermost(node);
  return isChosenBy(outer, outer.parent) ? chosen(outer.parent) : outer;
}

function isChosenBy(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return ts.isBinaryExpression(parent) && parent.right === node && isShortCircuit(parent);
}

/** What is there instead of the node where it is something: what stands left of it; not known where a condition decides. */
function alternativeTo(node: ts.Node, context: EvaluateContext): Value | undefined {
  const { parent } = outermost(node);
  if (!isChosenBy(outermost(node), parent)) return undefined;
  if (ts.isBinaryExpression(parent) && isDefaulting(parent)) return evaluate(parent.left, context);
  return { kind: "unknown", place: context.places.of(parent) };
}

/** Something is read from it, or a text or an URL is made of it. That it is compared, returned or passed on says nothing. */
function needsValue(use: ts.Node): boolean {
  const node = chosen(use);
  const { parent } = node;
  if (isAccess(parent)) return parent.expression === node && parent.questionDotToken === undefined;
  if (ts.isTemplateSpan(parent)) return !isOnlyLogged(parent.parent);
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === SyntaxKind.PlusToken && !isOnlyLogged(parent);
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === "url";
  return ts.isCallExpression(parent) && parent.arguments[0] === node && Object.hasOwn(URL_HELPERS, calleeName(parent)?.text ?? "");
}

/** A text that goes into the log, or into an error's message. */
function isOnlyLogged(text: ts.Node): boolean {
  let node = outermost(text);
  while (ts.isBinaryExpression(node.parent)) node = outermost(node.parent);
  const { parent } = node;
  const isCall = ts.isCallExpression(parent) || ts.isNewExpression(parent);
  return isCall && /^console\b|\blog\w*$|Error$/i.test(parent.expression.getText());
}
