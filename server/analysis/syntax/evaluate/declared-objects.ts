// Evaluates enums, namespaces and classes to the object that their name refers to.

import type { Expression, ObjectValue, Property } from "../../model/values.ts";
import { startOf } from "../../text/place.ts";
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

/**
 * Returns the static properties and methods of a class. Its property `prototype` has the members of instances: methods, and fields that are
 * never reassigned. A write to a static member is a mutation of the class's name.
 */
export function evaluateStatics(node: ts.ClassDeclaration, context: EvaluateContext): ObjectValue {
  const isStatic = (member: ts.ClassElement): boolean =>
    ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword) === true;
  const fieldsAndMethods = node.members.filter(
    (member) => ts.isPropertyDeclaration(member) || ts.isMethodDeclaration(member) || ts.isGetAccessor(member),
  );
  const own = members(node, fieldsAndMethods.filter(isStatic), context);
  const ofInstances = fieldsAndMethods.filter((member) => !isStatic(member) && (isMethod(member) || isFixed(member, node)));
  const base = node.heritageClauses?.find(({ token }) => token === SyntaxKind.ExtendsKeyword)?.types[0];
  if (ofInstances.length === 0 && base === undefined) return own;
  const nowhere = startOf(own.place);
  const instance = members(node, ofInstances, context);
  const inherited = base && evaluate(base.expression, context);
  // A write to an inherited field is not followed.
  const isInherited = inherited?.kind === "reference" && !WRITES_FIELD.test(node.getText());
  const from = isInherited ? [{ before: 0, value: { ...inherited, path: [...inherited.path, "prototype"] } }] : [];
  const value = { ...instance, spreads: [...instance.spreads, ...from] };
  return { ...own, properties: [...own.properties, { name: "prototype", nameSpan: nowhere, span: nowhere, value }] };
}

type ClassMember = ts.PropertyDeclaration | ts.MethodDeclaration | ts.GetAccessorDeclaration;

/** Whether the member is `name() { … }`, `get name() { … }` or `name = () => { … }`. */
const isMethod = (member: ClassMember): boolean =>
  !ts.isPropertyDeclaration(member) || (member.initializer !== undefined && ts.isFunctionLike(member.initializer));

const WRITES_FIELD = /\bthis\b[\w.]{0,99}\s{0,9}(?:[^\w\s]{0,3}=(?!=)|\[)/;

/**
 * Whether the member is `name = value`, in a class that does not write to it, and whose constructor does not mention it. If another class
 * may write to it, the member has to be readonly.
 */
function isFixed({ modifiers, name }: ClassMember, { members, heritageClauses }: ts.ClassDeclaration): boolean {
  const isReadonly = modifiers?.some(({ kind }) => kind === SyntaxKind.ReadonlyKeyword) === true;
  if (!ts.isIdentifier(name) || (heritageClauses !== undefined && !isReadonly)) return false;
  if (members.some((member) => new RegExp(`\\.${name.text}\\s{0,9}(?:[^\\w\\s]{0,3}=(?!=)|[.[])`).test(member.getText()))) return false;
  const constructorDeclaration = members.find(ts.isConstructorDeclaration);
  return constructorDeclaration === undefined || !constructorDeclaration.getText().includes(name.text);
}

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

function memberValue(member: Member, context: EvaluateContext): Expression {
  const place = context.places.of(member);
  if (ts.isGetAccessor(member)) return getterValue(place);
  if (!ts.isMethodDeclaration(member)) return member.initializer ? evaluate(member.initializer, context) : { kind: "unknown", place };
  return { kind: "function", place, async: isAsync(member) };
}
