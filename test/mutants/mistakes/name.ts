// The account's name.
import { ts } from "ts-morph";
import { initializerOf } from "../pack-syntax.ts";
import { type Mistakes, over, spanOf } from "./mistake.ts";

export const nameMistakes: Mistakes = function* ({ setters }, source) {
  for (const setter of setters) {
    const property = setter.field("getConnectionName");
    const value = property && ts.isMethodDeclaration(property) ? property : initializerOf(property);
    if (
      property?.name === undefined ||
      value === undefined ||
      !(ts.isFunctionExpression(value) || ts.isArrowFunction(value) || ts.isMethodDeclaration(value))
    )
      continue;
    const { body } = value;
    if (body === undefined || !ts.isBlock(body)) continue;
    const returns: ts.ReturnStatement[] = [];
    const awaits: ts.AwaitExpression[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node)) returns.push(node);
      if (ts.isAwaitExpression(node)) awaits.push(node);
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    ts.forEachChild(body, visit);
    const [only] = returns;
    const name = spanOf(property.name);
    if (only && returns.length === 1)
      yield { mistake: "name not returned", rules: ["connection-name-value"], edit: { ...spanOf(only), text: "" }, where: name };
    if (only?.expression && returns.length === 1)
      yield { mistake: "the same name always", rules: ["connection-name-value"], edit: over(only.expression, '"Account"'), where: name };
    for (const awaited of awaits) {
      const variable = awaited.parent;
      const isRead =
        ts.isVariableDeclaration(variable) &&
        ts.isIdentifier(variable.name) &&
        new RegExp(`\\b${variable.name.text}\\.`).test(body.getText());
      if (isRead) yield { mistake: "await forgotten", rules: ["connection-name-value"], edit: over(awaited, awaited.expression.getText()) };
    }
    const async = value.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    if (async) {
      const plain = `${source.slice(async.end, body.getStart()).trimStart()}{ return "x" + ${value.parameters[0]?.name.getText() ?? '"y"'}.endpoint; }`;
      const edit = { start: async.getStart(), end: value.end, text: plain };
      yield {
        mistake: "name without a promise",
        rules: ["connection-name-not-async"],
        edit,
        where: { start: property.getStart(), end: property.getStart() + plain.length },
      };
    }
  }
};
