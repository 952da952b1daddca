// Enums, namespaces and classes → the object that their name stands for.
import { ts } from "ts-morph";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import type { ObjectValue, Property } from "../model.ts";
import { propertyName } from "./evaluate-object.ts";

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

/** What stands in a class for good: its `static readonly` properties. */
export function evaluateStatics(node: ts.ClassDeclaration, context: EvaluateContext): ObjectValue {
  const has = (property: ts.PropertyDeclaration, kind: ts.SyntaxKind): boolean =>
    property.modifiers?.some((modifier) => modifier.kind === kind) === true;
  const statics = node.members
    .filter(ts.isPropertyDeclaration)
    .filter((property) => has(property, SyntaxKind.StaticKeyword) && has(property, SyntaxKind.ReadonlyKeyword));
  return members(node, statics, context);
}

function members(node: ts.Node, nodes: readonly (ts.EnumMember | ts.PropertyDeclaration)[], context: EvaluateContext): ObjectValue {
  const { file, source } = context;
  const start = node.getStart(source);
  const { end } = node;
  const properties = nodes.flatMap((member): Property[] => {
    const name = propertyName(member.name);
    if (name === undefined) return [];
    const span = { start: member.getStart(source), end: member.end };
    const nameSpan = { start: member.name.getStart(source), end: member.name.end };
    return [
      { name, nameSpan, span, value: member.initializer ? evaluate(member.initializer, context) : { file, ...span, kind: "unknown" } },
    ];
  });
  const more = { before: 0, value: { kind: "unknown", file, start, end } } as const;
  return { kind: "object", file, start, end, properties, spreads: [more], open: true, trailingComma: false };
}
