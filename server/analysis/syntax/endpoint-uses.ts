// Uses of the account's endpoint, or of local names for it, that make no sense without a value.

import { URL_HELPERS } from "../../../spec/url-helpers.ts";
import type { EndpointUse } from "../model/context-facts.ts";
import type { Expression } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { isGuarded } from "./endpoint-guards.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import { calleeName, isAccess, isDefaulting, isFunction, isShortCircuit, outermost, parameterAround, pathOf, unwrap } from "./nodes.ts";
import { nodesAt } from "./tree-search.ts";

const { SyntaxKind } = ts;

const ENDPOINT = /\bendpoint\b/g;

/** Adds a use of the endpoint or of a local name for it. `instead` is the value used if the endpoint is unset. */
type AddUse = (node: ts.Node, names: readonly string[], instead?: Expression) => void;

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

/**
 * Whether the expression is a context: a parameter with such a name and no other type, or `this.context` in a class that fetches through
 * it.
 */
function isContext(node: ts.Expression, source: ts.SourceFile): boolean {
  const [first = "", second, ...rest] = pathOf(node) ?? [];
  if (rest.length > 0 || !CONTEXT_NAME.test(second ?? first)) return false;
  if (second !== undefined) {
    const owner = first === "this" ? ts.findAncestor(node.parent, ts.isClassLike) : undefined;
    return owner?.getText(source).includes(`this.${second}.fetcher`) === true;
  }
  const parameter = parameterAround(node, first);
  const alias = parameter === undefined ? constantAround(node, first) : undefined;
  if (alias !== undefined) return isContext(unwrap(alias), source);
  if (parameter === undefined || !isFunction(parameter.parent)) return false;
  return parameter.type === undefined ? PLAIN_CONTEXT.test(first) : /ExecutionContext\b|^any$/.test(parameter.type.getText(source));
}

/** Returns the value of a constant that the enclosing function declares among its own statements. */
function constantAround(node: ts.Node, name: string): ts.Expression | undefined {
  const body = ts.findAncestor(node, isFunction)?.body;
  const lists = body !== undefined && ts.isBlock(body) ? body.statements.filter(ts.isVariableStatement) : [];
  const declared = lists.flatMap(({ declarationList }) => (declarationList.flags & ts.NodeFlags.Const ? declarationList.declarations : []));
  return declared.find((one) => ts.isIdentifier(one.name) && one.name.text === name && one.pos < node.pos)?.initializer;
}

/** Matches names of untyped parameters that are contexts. A name such as `requestContext` may be anything. */
const PLAIN_CONTEXT = /^_*(?:sync|execution|exec|pack|coda|formula)?_?(?:context|ctx)$/i;

/** Whether the binding is `const { endpoint } = context`, or a destructured parameter that also has members that only a context has. */
function isEndpointBinding(element: ts.BindingElement, name: ts.Node, source: ts.SourceFile): boolean {
  // A binding with a default has a value.
  if (element.initializer !== undefined || (element.propertyName ?? element.name) !== name) return false;
  const { elements, parent: owner } = element.parent;
  if (ts.isVariableDeclaration(owner)) return owner.initializer !== undefined && isContext(unwrap(owner.initializer), source);
  const names = elements.map((other) => (ts.isBindingElement(other) ? (other.propertyName ?? other.name).getText(source) : ""));
  return ts.isParameter(owner) && (names.includes("fetcher") || names.includes("invocationToken"));
}

/** Adds the uses of a local name for the endpoint, in the function that declares it. */
function addAlias(name: ts.BindingName, add: AddUse, instead?: Expression): void {
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

/** Returns the outermost expression whose value may be the node's, by a condition or a default. */
function chosen(node: ts.Node): ts.Node {
  const outer = outermost(node);
  return isChosenBy(outer, outer.parent) ? chosen(outer.parent) : outer;
}

function isChosenBy(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return ts.isBinaryExpression(parent) && parent.right === node && isShortCircuit(parent);
}

/** Returns the value that is used in place of the node: the left operand of a default, or unknown if a condition decides. */
function alternativeTo(node: ts.Node, context: EvaluateContext): Expression | undefined {
  const { parent } = outermost(node);
  if (!isChosenBy(outermost(node), parent)) return undefined;
  if (ts.isBinaryExpression(parent) && isDefaulting(parent)) return evaluate(parent.left, context);
  return { kind: "unknown", place: context.places.of(parent) };
}

/**
 * Whether the use reads a property of the endpoint, or builds a string or URL from it. Comparing, returning or passing it on is harmless.
 */
function needsValue(use: ts.Node): boolean {
  const node = chosen(use);
  const { parent } = node;
  if (isAccess(parent)) return parent.expression === node && parent.questionDotToken === undefined;
  if (ts.isTemplateSpan(parent)) return !isOnlyLogged(parent.parent);
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === SyntaxKind.PlusToken && !isOnlyLogged(parent);
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === "url";
  return ts.isCallExpression(parent) && parent.arguments[0] === node && Object.hasOwn(URL_HELPERS, calleeName(parent)?.text ?? "");
}

/** Whether the string is only logged, or is the message of an error. */
function isOnlyLogged(text: ts.Node): boolean {
  let node = outermost(text);
  while (ts.isBinaryExpression(node.parent)) node = outermost(node.parent);
  const { parent } = node;
  const isCall = ts.isCallExpression(parent) || ts.isNewExpression(parent);
  return isCall && /^console\b|\blog\w*$|Error$/i.test(parent.expression.getText());
}
