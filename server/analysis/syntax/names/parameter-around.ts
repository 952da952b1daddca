// The parameter that a name means at a node: of the innermost function around it that has one by that name.
import { ts } from "../../typescript.ts";

export function parameterAround(node: ts.Node, name: string): ts.ParameterDeclaration | undefined {
  const isMeant = (parameter: ts.ParameterDeclaration): boolean => ts.isIdentifier(parameter.name) && parameter.name.text === name;
  const owns = (around: ts.Node): around is ts.SignatureDeclaration => ts.isFunctionLike(around) && around.parameters.some(isMeant);
  return ts.findAncestor(node.parent, owns)?.parameters.find(isMeant);
}
