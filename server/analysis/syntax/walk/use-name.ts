// How a source uses names wherever they occur: members that it defines or reads, contexts that it extends, and globals that the platform
// lacks. Rules take them as signs that a pack has something of its own. Comments and texts are no such signs.

import { defined } from "../../../../base/defined.ts";
import { ts } from "../../typescript.ts";
import { evaluate } from "../evaluate.ts";
import { isAccess, isAssignment, nameNodeOf, outermost, pathOf } from "../nodes.ts";
import type { Walk } from "./walked.ts";

/** Globals of browsers and Node that the platform lacks. */
const GLOBALS: ReadonlySet<string> = new Set(["fetch", "XMLHttpRequest", "URL", "URLSearchParams", "atob", "btoa"]);

/** The objects whose members are the globals. */
const HOLDERS: ReadonlySet<string> = new Set(["globalThis", "global", "window", "self"]);

const REQUIREMENT: ReadonlySet<string> = new Set(["connectionRequirement", "defaultConnectionRequirement"]);

const CONTEXT_NAME = /(?:context|ctx)$/i;

export function useName(node: ts.Identifier | ts.StringLiteral, walk: Walk): void {
  const { parent, text } = node;
  const { name, propertyName } = parent as Partial<ts.BindingElement>;
  const isMember = name === node || propertyName === node || isInBrackets(node);
  if (isMember) useMember(node, walk);
  else if (ts.isStringLiteral(node)) {
    if (isOfObject(parent)) walk.facts.names.defines.add(text);
  } else if (HOLDERS.has(text) || GLOBALS.has(text)) useGlobal(node, walk);
  if (CONTEXT_NAME.test(text) && isExtended(outermost(isMember ? parent : node))) walk.facts.names.extends.add("context");
}

const isInBrackets = ({ parent, end }: ts.Node): boolean => ts.isElementAccessExpression(parent) && parent.argumentExpression.end === end;

function useMember(node: ts.Identifier | ts.StringLiteral, { context, facts: { names, requirements } }: Walk): void {
  const { parent, text } = node;
  const target = outermost(parent);
  const value = ts.isPropertyAssignment(parent) ? parent.initializer : isAssigned(target) ? target.parent.right : undefined;
  if (value !== undefined && REQUIREMENT.has(text)) requirements.push(evaluate(value, context));
  if (isAssigned(target)) names.assigns.add(text);
  if (value !== undefined || ts.isObjectLiteralElement(parent) || ts.isClassElement(parent)) names.defines.add(text);
  else if (isAccess(parent) || ts.isBindingElement(parent)) {
    names.reads.add(text);
    if (isAccess(parent) && nameNodeOf(parent.expression)?.text === "fetcher") names.reads.add(`fetcher.${text}`);
  }
}

const isAssigned = (target: ts.Node): target is ts.Node & { readonly parent: ts.BinaryExpression } =>
  ts.isBinaryExpression(target.parent) && target.parent.left === target && isAssignment(target.parent.operatorToken.kind);

/** Whether the node is a call such as `Object.defineProperty(…)` or `Object.assign(…)`. */
const isOfObject = (node: ts.Node): boolean => ts.isCallExpression(node) && pathOf(node.expression)?.[0] === "Object";

/** Whether the expression is copied into another object, or given more members: `{ ...context, client }`. */
const isExtended = ({ parent }: ts.Node): boolean => ts.isSpreadAssignment(parent) || isOfObject(parent);

/** Records a use of a global, also as a member: `globalThis.fetch`. */
function useGlobal(node: ts.Identifier, { context, facts }: Walk): void {
  const isHolder = HOLDERS.has(node.text);
  const { parent } = outermost(node);
  const access = isHolder && isAccess(parent) && outermost(parent.expression) === outermost(node) ? parent : undefined;
  const name = isHolder ? (access === undefined ? "" : nameNodeOf(access)?.text) : node.text;
  if (name !== undefined && name !== "" && !GLOBALS.has(name)) return;
  const target = outermost(access ?? node);
  const standardOf = parameterWithDefault(target);
  const isPassed = standardOf !== undefined || (!isHolder && isPassedOn(target));
  const needs = name !== "" && name !== undefined && (isNeeded(target) || isPassed);
  if (needs ? isForNode(target) : !isHolder && !isAssigned(target) && !ts.isTypeOfExpression(target.parent)) return;
  const owner = standardOf && { owner: context.places.whole(standardOf.parent), index: standardOf.parent.parameters.indexOf(standardOf) };
  facts.globalUses.push({
    place: context.places.of(access ?? node),
    root: node.text,
    name: name ?? "",
    needs,
    ...defined({ standardOf: owner }),
  });
}

/** Returns the parameter of which the value is the default, also of a part, if the function calls it. */
function parameterWithDefault({ parent }: ts.Node): ts.ParameterDeclaration | undefined {
  if (!(ts.isParameter(parent) || ts.isBindingElement(parent)) || !ts.isIdentifier(parent.name)) return undefined;
  const parameter = ts.findAncestor(parent, ts.isParameter);
  return parameter?.parent.getText().includes(`${parent.name.text}(`) === true ? parameter : undefined;
}

/** Whether the value is called or constructed, or one of its methods is. */
function isNeeded(target: ts.Node): boolean {
  const { parent } = target;
  if (isAccess(parent) && parent.expression === target) return parent.questionDotToken === undefined && isNeeded(outermost(parent));
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === target && !isOptional(parent);
}

const isOptional = (node: ts.Node): boolean => ts.isCallExpression(node) && node.questionDotToken !== undefined;

/** Whether a variable or a function receives the value. */
const isPassedOn = ({ parent, end }: ts.Node): boolean =>
  ts.isVariableDeclaration(parent) || (ts.isCallExpression(parent) && parent.arguments.some((argument) => argument.end === end));

/** Whether the code runs only under a condition on the process, as scripts for Node have it. */
function isForNode(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  const { condition, left } = parent as Partial<ts.ConditionalExpression & ts.BinaryExpression>;
  const decision = ts.isIfStatement(parent) ? parent.expression : (condition ?? left);
  return (decision !== undefined && decision !== node && namesProcess(decision)) || isForNode(parent);
}

const namesProcess = (node: ts.Node): boolean =>
  ts.isIdentifier(node) ? node.text === "process" || node.text === "require" : ts.forEachChild(node, namesProcess) === true;
