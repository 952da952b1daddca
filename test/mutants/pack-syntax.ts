// Where things stand in a pack's source, by the syntax tree alone: the mutants shall not lean on the analysis that they judge.
import { ts } from "ts-morph";

export interface Setter {
  readonly call: ts.CallExpression;
  /** `setUserAuthentication`. */
  readonly name: ts.Identifier;
  readonly object: ts.ObjectLiteralExpression;
  readonly type: string;
  field(name: string): ts.ObjectLiteralElementLike | undefined;
}

export interface PackSyntax {
  readonly source: ts.SourceFile;
  /** Calls that set authentication to a literal with a type. */
  readonly setters: readonly Setter[];
  /** `addNetworkDomain("literal")`. */
  readonly domains: readonly { readonly statement: ts.Statement; readonly literal: ts.StringLiteral }[];
  /** `….fetch({ … })`. */
  readonly fetches: readonly {
    readonly call: ts.CallExpression;
    readonly request: ts.ObjectLiteralExpression;
    readonly url: ts.StringLiteral | undefined;
  }[];
  /** Bodies of formulas' `execute`, with the context's name. */
  readonly executes: readonly { readonly body: ts.Block; readonly context: string }[];
}

export function readPackSyntax(file: string, text: string): PackSyntax {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const setters: Setter[] = [];
  const domains: PackSyntax["domains"][number][] = [];
  const fetches: PackSyntax["fetches"][number][] = [];
  const executes: PackSyntax["executes"][number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [argument] = node.arguments;
      const name = node.expression.name.text;
      if (/^set(?:User|System)Authentication$/.test(name) && argument && ts.isObjectLiteralExpression(argument)) {
        const type = fieldOf(argument, "type");
        const typeName = type && ts.isPropertyAssignment(type) ? type.initializer.getText().split(".").at(-1) : undefined;
        if (typeName !== undefined && ts.isIdentifier(node.expression.name))
          setters.push({
            call: node,
            name: node.expression.name,
            object: argument,
            type: typeName,
            field: (field) => fieldOf(argument, field),
          });
      }
      if (name === "addNetworkDomain" && argument && ts.isStringLiteral(argument) && ts.isExpressionStatement(node.parent))
        domains.push({ statement: node.parent, literal: argument });
      if (name === "fetch" && argument && ts.isObjectLiteralExpression(argument))
        fetches.push({ call: node, request: argument, url: urlOf(argument) });
    }
    if ((ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) && node.name.getText() === "execute") {
      const executeNode = ts.isMethodDeclaration(node) ? node : node.initializer;
      const context = (executeNode as ts.FunctionExpression).parameters?.[1]?.name;
      const { body } = executeNode as ts.FunctionExpression;
      if (body && ts.isBlock(body) && context && ts.isIdentifier(context)) executes.push({ body, context: context.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { source, setters, domains, fetches, executes };
}

export const fieldOf = (object: ts.ObjectLiteralExpression, name: string): ts.ObjectLiteralElementLike | undefined =>
  object.properties.find((property) => property.name !== undefined && property.name.getText().replaceAll(/["']/g, "") === name);

export const initializerOf = (property: ts.ObjectLiteralElementLike | undefined): ts.Expression | undefined =>
  property && ts.isPropertyAssignment(property) ? property.initializer : undefined;

/** The literal that is fetched: in the request, or in a constant beside it that nothing changes. */
function urlOf(request: ts.ObjectLiteralExpression): ts.StringLiteral | undefined {
  const property = fieldOf(request, "url");
  const value = property && ts.isShorthandPropertyAssignment(property) ? property.name : initializerOf(property);
  if (value === undefined) return undefined;
  if (ts.isStringLiteral(value)) return value;
  if (!ts.isIdentifier(value)) return undefined;
  for (let scope: ts.Node = request; scope.parent !== undefined; scope = scope.parent) {
    if (!ts.isBlock(scope)) continue;
    const text = scope.getText();
    if (new RegExp(`\\b${value.text}\\s*\\+?=[^=]`, "g").exec(text.replace(new RegExp(`(?:let|const)\\s+${value.text}\\s*=`), "")) !== null)
      return undefined;
    for (const statement of scope.statements)
      if (ts.isVariableStatement(statement))
        for (const { name, initializer } of statement.declarationList.declarations)
          if (ts.isIdentifier(name) && name.text === value.text && initializer)
            return ts.isStringLiteral(initializer) ? initializer : undefined;
  }
  return undefined;
}
