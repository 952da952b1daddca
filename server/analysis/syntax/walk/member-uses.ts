// Members that a source reads from the SDK, from packs, and from the platform's context. Rules check whether they exist.

import { ENUMS } from "../../../../spec/fields.ts";
import type { ContextMember } from "../../model/facts.ts";
import type { Placing } from "../../text/place.ts";
import { ts } from "../../typescript.ts";
import { evaluate, isFollowedByColon } from "../evaluate.ts";
import { FILE_SCOPE } from "../names/declarations.ts";
import { type Access, isAccess, nameNodeOf, outermost, parameterAround, pathOf, unwrap } from "../nodes.ts";
import { isChainedMethod } from "../pack-methods.ts";
import type { Frame, Walk } from "./walked.ts";

/** Records a use of `coda.name` or an imported name: for each name the first use in a statement, or the first that fails. */
export function useToolkit(node: ts.Expression, walk: Walk): void {
  const { context, facts } = walk;
  const access = ts.isPropertyAccessExpression(node) ? node : undefined;
  const root = unwrap(access?.expression ?? node);
  if (!ts.isIdentifier(root)) return;
  const local = root.text;
  const imported = context.toolkitImports.get(local);
  if (imported === undefined) return;
  const isWhole = imported.name === "*" || imported.name === "default";
  if (isWhole && access === undefined) return;
  if (access !== undefined && ts.isPropertyAssignment(access.parent) && isFollowedByColon(access.parent, context.source.text)) return;
  const at = isWhole && access !== undefined ? access.name : root;
  const name = isWhole ? at.text : imported.name;
  // For a named import, `Name.member` fails if there is no such export.
  const fails = isWhileLoading(node, walk.frame) && (isWhole || access === undefined ? needsValue(node) : !isOptional(access));
  const before = facts.toolkitUses.findIndex((use) => use.name === name && use.local === local);
  const use = { place: context.places.of(at), name, local, fails };
  if (before < 0) facts.toolkitUses.push(use);
  else if (fails && facts.toolkitUses[before]?.fails === false) facts.toolkitUses[before] = use;
}

/** Records a method call on a possible pack. */
export function useBuilder(node: ts.CallExpression, { context, frame, facts }: Walk): void {
  const callee = unwrap(node.expression);
  const method = nameNodeOf(callee);
  if (method === undefined || isOptional(node) || isOptional(callee)) return;
  const receiver = chainStart(unwrap((callee as Access).expression));
  if (!ts.isCallExpression(receiver) && !mayBePack(pathOf(receiver)?.at(-1))) return;
  const value = evaluate(receiver, context);
  if (value.kind !== "reference" && value.kind !== "builder" && value.kind !== "newPack") return;
  facts.builderCalls.push({
    place: context.places.of(method),
    name: method.text,
    receiver: value,
    isTyped: ts.isIdentifier(receiver) && isBuilder(node, receiver.text, context.source),
    fails: isWhileLoading(node, frame),
  });
}

/** Records an enum that is read from a possible pack: `pack.AuthenticationType.WebBasic`. */
function useEnumOfBuilder(node: ts.PropertyAccessExpression, { context, frame, facts }: Walk): void {
  const { expression, name } = node;
  if (!Object.hasOwn(ENUMS, name.text) || isOptional(node) || !needsValue(node)) return;
  const receiver = unwrap(expression);
  if (!mayBePack(pathOf(receiver)?.at(-1))) return;
  facts.builderCalls.push({
    place: context.places.of(name),
    name: name.text,
    receiver: evaluate(receiver, context),
    isTyped: ts.isIdentifier(receiver) && isBuilder(node, receiver.text, context.source),
    fails: isWhileLoading(node, frame),
  });
}

/** Returns the first receiver in a chain of calls, since every method of a builder returns the builder. */
function chainStart(receiver: ts.Expression): ts.Expression {
  if (!ts.isCallExpression(receiver)) return receiver;
  const inner = unwrap(receiver.expression);
  const method = nameNodeOf(inner);
  if (method === undefined || !isChainedMethod(method.text)) return receiver;
  return chainStart(unwrap((inner as Access).expression));
}

/** Whether the name is a usual one for a pack or an agent. */
const mayBePack = (name: string | undefined): boolean => name !== undefined && /^p$|pack$|builder$|agent$/i.test(name);

/** Whether an enclosing function has such a parameter: `(pack: coda.PackDefinitionBuilder) => …`. */
const isBuilder = (node: ts.Node, name: string, source: ts.SourceFile): boolean =>
  /\bPackDefinitionBuilder$/.test(parameterAround(node, name)?.type?.getText(source) ?? "");

const isWhileLoading = (node: ts.Node, { body, conditional }: Frame): boolean => body === FILE_SCOPE && !conditional && !isTried(node);

function isTried(node: ts.Node): boolean {
  for (let around = node; around.parent !== undefined; around = around.parent)
    if (ts.isTryStatement(around.parent) && around.parent.tryBlock === around) return around.parent.catchClause !== undefined;
  return false;
}

/** Whether the value is called, constructed, or accessed. */
function needsValue(node: ts.Expression): boolean {
  const child = outermost(node);
  const { parent } = child;
  const isOfValue = ts.isCallExpression(parent) || ts.isNewExpression(parent) || isAccess(parent);
  return isOfValue && parent.expression === child && !isOptional(parent);
}

const isOptional = (node: ts.Node): boolean => (node as ts.PropertyAccessExpression).questionDotToken !== undefined;

const CONTEXT_NAME = /context$|^ctx$/i;

export function useAccess(node: ts.PropertyAccessExpression, walk: Walk): void {
  useToolkit(node, walk);
  useEnumOfBuilder(node, walk);
  useMember(unwrap(node.expression), node.name, walk);
}

export function readContextPattern({ name, initializer }: ts.VariableDeclaration, walk: Walk): void {
  if (initializer === undefined) return;
  for (const member of membersOf(name)) useMember(unwrap(initializer), member, walk);
}

/**
 * Number of leading parameters that may be the context of a function that the platform calls. Other callbacks do not have these members
 * there.
 */
const FIRST_PARAMETERS = 2;
const ONLY_OF_CONTEXTS: ReadonlySet<string> = new Set(["fetcher", "invocationToken"]);

/** Records the members of a context pattern in a parameter: `async function ([], { fetcher, name })`. */
export function readParameterPattern(parameter: ts.ParameterDeclaration, walk: Walk): void {
  const { name, type, parent } = parameter;
  const members = membersOf(name);
  if (members.length === 0) return;
  const isTyped = isContextType(type);
  const isAtPlace = parent.parameters.indexOf(parameter) < FIRST_PARAMETERS;
  if (!isTyped && (!isUntyped(type) || !isAtPlace || !members.some(({ text }) => ONLY_OF_CONTEXTS.has(text)))) return;
  for (const member of members) addMember(member, { owner: walk.context.places.of(parent), isTyped }, walk);
}

/** Returns the properties that a pattern reads by name: `fetcher` of `{ fetcher: send, ...more }`. */
const membersOf = (pattern: ts.BindingName): readonly ts.Identifier[] =>
  ts.isObjectBindingPattern(pattern)
    ? pattern.elements.flatMap(({ propertyName, name, dotDotDotToken }) => {
        const member = propertyName ?? name;
        return ts.isIdentifier(member) && dotDotDotToken === undefined ? [member] : [];
      })
    : [];

function useMember(object: ts.Expression, member: ts.MemberName, walk: Walk): void {
  if (!ts.isIdentifier(object) || !CONTEXT_NAME.test(object.text)) return;
  const parameter = parameterOf(object, walk.context.places);
  if (parameter !== undefined) addMember(member, parameter, walk);
}

function addMember(member: ts.MemberName, parameter: Pick<ContextMember, "owner" | "isTyped">, { context, facts }: Walk): void {
  if (member.text === "") return;
  const isRecorded = facts.contextMembers.some((other) => other.name === member.text && other.owner.start === parameter.owner.start);
  if (!isRecorded) facts.contextMembers.push({ place: context.places.of(member), name: member.text, ...parameter });
}

/** Returns the innermost enclosing function with a parameter of that name, if the parameter is typed as a context or untyped. */
function parameterOf(node: ts.Identifier, places: Placing): Pick<ContextMember, "owner" | "isTyped"> | undefined {
  const parameter = parameterAround(node, node.text);
  if (parameter === undefined) return undefined;
  const isTyped = isContextType(parameter.type);
  return isUntyped(parameter.type) || isTyped ? { owner: places.of(parameter.parent), isTyped } : undefined;
}

const isUntyped = (type: ts.TypeNode | undefined): boolean => type === undefined || type.kind === ts.SyntaxKind.AnyKeyword;

const isContextType = (type: ts.TypeNode | undefined): boolean => type !== undefined && /(?:^|\.)\w*ExecutionContext$/.test(type.getText());
