// Loops that go through a list by its index: `for (let i = 0; i < list.length; i++)`, `for (const i in list)`.
import { ts } from "../typescript.ts";
import { unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

interface IndexLoop {
  readonly index: string;
  /** The list, as it is written. */
  readonly list: string;
}

/** Of a loop that goes through all of a list, from its first item to the last. */
export function indexLoopOf(loop: ts.Node, source: ts.SourceFile): IndexLoop | undefined {
  if (ts.isForInStatement(loop)) {
    const index = declaredIn(loop.initializer)?.name;
    return index && ts.isIdentifier(index) ? { index: index.text, list: loop.expression.getText(source) } : undefined;
  }
  if (!ts.isForStatement(loop) || loop.initializer === undefined || loop.condition === undefined) return undefined;
  const first = declaredIn(loop.initializer);
  const { condition, incrementor } = loop;
  if (first === undefined || !ts.isIdentifier(first.name) || first.initializer?.getText(source) !== "0") return undefined;
  const index = first.name.text;
  if (!ts.isBinaryExpression(condition) || condition.operatorToken.kind !== SyntaxKind.LessThanToken) return undefined;
  const end = unwrap(condition.right);
  if (condition.left.getText(source) !== index || !ts.isPropertyAccessExpression(end) || end.name.text !== "length") return undefined;
  const step = incrementor?.getText(source).replaceAll(" ", "");
  return [`${index}++`, `++${index}`, `${index}+=1`].includes(step ?? "") ? { index, list: end.expression.getText(source) } : undefined;
}

function declaredIn(initializer: ts.ForInitializer): ts.VariableDeclaration | undefined {
  return ts.isVariableDeclarationList(initializer) && initializer.declarations.length === 1 ? initializer.declarations[0] : undefined;
}

/** Whether `list[index]` stands for each of the list's items: the loop around it does nothing else with the index. */
export function isEachItem(access: ts.ElementAccessExpression, source: ts.SourceFile): boolean {
  const key = access.argumentExpression;
  if (!ts.isIdentifier(key)) return false;
  for (let { parent } = access as ts.Node; parent !== undefined && !ts.isFunctionLike(parent); parent = parent.parent) {
    const loop = indexLoopOf(parent, source);
    if (loop?.index !== key.text) continue;
    const uses = parent.getText(source).match(new RegExp(`(?<![\\w$.])${key.text.replaceAll("$", "\\$")}(?![\\w$])`, "g")) ?? [];
    return loop.list === access.expression.getText(source) && uses.length === (ts.isForInStatement(parent) ? 2 : 4);
  }
  return false;
}
