// Enums, namespaces and classes → the object that their name stands for.
import { ts } from "ts-morph";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import type { ObjectValue, Property, Value } from "../model.ts";
import { propertyName } from "./evaluate-object.ts";
import { isAsync } from "./is-async.ts";

const { SyntaxKind } = ts;

/** An enum's members by their texts; those that are counted are not known. Another declaration of it may have more. */
export function evaluateEnum(node: ts.EnumDeclaration, context: EvaluateContext): ObjectValue {
  return members(node, node.members, context);
}

/** What a namespace exports, each by its own name, since that is where it is declared. */
export function evaluateNamespace(node: ts.ModuleDeclaration, context: EvaluateContext): ObjectValue {
  const { body } = node;
  const { file, source } = context;
  // `namespace A.B` is one in the other.
  const inside = body?.kind === SyntaxKind.ModuleBlock ? (body as ts.ModuleBlock).statements.filter(isExported) : [];
  const named = body?.kind === SyntaxKind.ModuleDeclaration ? declaredBy(body as ts.ModuleDeclaration) : inside.flatMap(declaredBy);
  const properties = named.map((name): Property => {
    const nameSpan = { start: name.getStart(source), end: name.end };
    return { name: name.text, nameSpan, span: nameSpan, value: { file, ...nameSpan, kind: "reference", path: [name.text], nameSpan } };
  });
  const at = { file, start: node.getStart(source), end: node.end };
  return {
    kind: "object",
    ...at,
    properties,
    spreads: [{ before: 0, value: { ...at, kind: "unknown" } }],
    open: true,
    trailingComma: false,
  };
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword) === true;

function declaredBy(statement: ts.Statement): readonly ts.Identifier[] {
  switch (statement.kind) {
    case SyntaxKind.VariableStatement:
      return (statement as ts.VariableStatement).declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name] : []));
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.EnumDeclaration:
    case SyntaxKind.ModuleDeclaration: {
      const { name } = statement as ts.FunctionDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration;
      return name?.kind === SyntaxKind.Identifier ? [name as ts.Identifier] : [];
    }
    default:
      return [];
  }
}

/**
 * What a class has of its own: its static properties and methods, and by `prototype` the methods of what is made of it. What is written
 * to them is a change of its name.
 */
export function evaluateStatics(node: ts.ClassDeclaration, context: EvaluateContext): ObjectValue {
  const isStatic = (member: ts.ClassElement): boolean =>
    ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword) === true;
  const known = node.members.filter((member) => ts.isPropertyDeclaration(member) || ts.isMethodDeclaration(member));
  const own = members(node, known.filter(isStatic), context);
  const ofInstances = known.filter((member) => !isStatic(member) && isMethod(member));
  if (ofInstances.length === 0) return own;
  const { start } = own;
  const nowhere = { start, end: start };
  const value = members(node, ofInstances, context);
  return { ...own, properties: [...own.properties, { name: "prototype", nameSpan: nowhere, span: nowhere, value }] };
}

/** `name() { … }`, `name = () => { … }`. */
const isMethod = (member: ts.PropertyDeclaration | ts.MethodDeclaration): boolean =>
  ts.isMethodDeclaration(member) || (member.initializer !== undefined && ts.isFunctionLike(member.initializer));

type Member = ts.EnumMember | ts.PropertyDeclaration | ts.MethodDeclaration;

function members(node: ts.Node, nodes: readonly Member[], context: EvaluateContext): ObjectValue {
  const { file, source } = context;
  const start = node.getStart(source);
  const { end } = node;
  const properties = nodes.flatMap((member): Property[] => {
    const name = propertyName(member.name);
    if (name === undefined) return [];
    const span = { start: member.getStart(source), end: member.end };
    const nameSpan = { start: member.name.getStart(source), end: member.name.end };
    return [{ name, nameSpan, span, value: memberValue(member, context) }];
  });
  const more = { before: 0, value: { kind: "unknown", file, start, end } } as const;
  return { kind: "object", file, start, end, properties, spreads: [more], open: true, trailingComma: false };
}

function memberValue(member: Member, context: EvaluateContext): Value {
  const { file, source } = context;
  const { end } = member;
  if (!ts.isMethodDeclaration(member))
    return member.initializer ? evaluate(member.initializer, context) : { kind: "unknown", file, start: member.getStart(source), end };
  return { kind: "function", file, start: member.getStart(source), end, async: isAsync(member) };
}
