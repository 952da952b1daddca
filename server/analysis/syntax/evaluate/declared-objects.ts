// Evaluates enums, namespaces and classes to the object that their name refers to.

import type { Expression, ObjectValue, Property } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate, getterValue, propertyName } from "../evaluate.ts";
import { isAsync } from "../nodes.ts";

const { SyntaxKind } = ts;

/** Returns the members of an enum. Members without an initializer are unknown, and another declaration may add more. */
export function evaluateEnum(node: ts.EnumDeclaration, context: EvaluateContext): ObjectValue {
  return members(node, node.members, context);
}

/** Returns the exports of a namespace, as references to their names, since the names are declared inside it. */
export function evaluateNamespace(node: ts.ModuleDeclaration, context: EvaluateContext): ObjectValue {
  const { body } = node;
  const { places } = context;
  // `namespace A.B` declares B inside A.
  const inside = body && ts.isModuleBlock(body) ? body.statements.filter(isExported) : [];
  const named = body && ts.isModuleDeclaration(body) ? declaredBy(body) : inside.flatMap(declaredBy);
  const properties = named.map((name): Property => {
    const nameSpan = places.of(name);
    return { name: name.text, nameSpan, span: nameSpan, value: { kind: "reference", place: nameSpan, path: [name.text], nameSpan } };
  });
  const place = places.of(node);
  return {
    kind: "object",
    place,
    properties,
    spreads: [{ before: 0, value: { kind: "unknown", place } }],
    open: true,
    trailingComma: false,
  };
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword) === true;

function declaredBy(statement: ts.Statement): readonly ts.Identifier[] {
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name)
    : isNamed(statement) && statement.name !== undefined
      ? [statement.name]
      : [];
  return names.filter(ts.isIdentifier);
}

export const isNamed = (
  statement: ts.Statement,
): statement is ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration =>
  ts.isFunctionDeclaration(statement) ||
  ts.isClassDeclaration(statement) ||
  ts.isEnumDeclaration(statement) ||
  ts.isModuleDeclaration(statement);

/** Returns the static properties and methods of a class. A write to one is a mutation of the class's name. */
export function evaluateStatics(node: ts.ClassLikeDeclaration, context: EvaluateContext): ObjectValue {
  const isMember = (member: ts.ClassElement): member is ClassMember =>
    isStatic(member) && (ts.isPropertyDeclaration(member) || ts.isMethodDeclaration(member) || ts.isGetAccessor(member));
  return members(node, node.members.filter(isMember), context);
}

export const isStatic = (member: ts.ClassElement): boolean =>
  ts.isClassStaticBlockDeclaration(member) ||
  (ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword) === true);

/** Returns the names of the properties that a pattern destructures, without its rest. */
export const namesBeforeRest = ({ elements }: ts.ObjectBindingPattern, context: EvaluateContext): readonly Expression[] =>
  elements.slice(0, -1).map(({ propertyName: property, name }) => {
    const key = property ?? name;
    if (ts.isComputedPropertyName(key)) return evaluate(key.expression, context);
    return { kind: "string", place: context.places.of(key), value: key.getText(context.source) };
  });

type ClassMember = ts.PropertyDeclaration | ts.MethodDeclaration | ts.GetAccessorDeclaration;

type Member = ts.EnumMember | ClassMember;

function members(node: ts.Node, nodes: readonly Member[], context: EvaluateContext): ObjectValue {
  const { places } = context;
  const place = places.of(node);
  const properties = nodes.flatMap((member): Property[] => {
    const name = propertyName(member.name);
    if (name === undefined) return [];
    const span = places.of(member);
    const nameSpan = places.of(member.name);
    return [{ name, nameSpan, span, value: memberValue(member, context) }];
  });
  const more = { before: 0, value: { kind: "unknown", place } } as const;
  return { kind: "object", place, properties, spreads: [more], open: true, trailingComma: false };
}

/** Returns the value of an initializer, a method, or the result of a getter. */
export function memberValue(member: Member, context: EvaluateContext): Expression {
  const place = context.places.of(member);
  if (ts.isGetAccessor(member)) return getterValue(place);
  if (!ts.isMethodDeclaration(member)) return member.initializer ? evaluate(member.initializer, context) : { kind: "unknown", place };
  return { kind: "function", place, async: isAsync(member) };
}
