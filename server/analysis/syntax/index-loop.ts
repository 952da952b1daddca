// Loops over a list by its index: `for (let i = 0; i < list.length; i++)`, `for (const i in list)`. Also what a loop does with an item.
import type { FileFacts } from "../model/facts.ts";
import type { Expression } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { isOpaque } from "./expressions.ts";
import { find } from "./names/declarations.ts";
import { unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

interface IndexLoop {
  readonly index: string;
  /** The source text of the list. */
  readonly list: string;
}

/** Returns the index and list of a loop over a whole list, from its first item to the last. */
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

/** Whether `list[index]` is each of the list's items in turn, because the enclosing loop uses the index for nothing else. */
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

/** Whether the loop uses its item's name only once. A second use may be a test that skips some items. */
export function isPassedUnchanged(value: Expression, file: FileFacts | undefined): boolean {
  // For a loop by index, isEachItem has already checked this.
  if (isOpaque(value)) return true;
  if (value.kind !== "reference" || value.path.length !== 1 || file === undefined) return false;
  const [name = ""] = value.path;
  const declaration = find(file.declarations.get(name), value.place.start);
  const code = declaration === undefined ? "" : file.text.slice(declaration.scope.start, declaration.scope.end);
  // Another part of the item may decide.
  if (declaration?.value?.kind === "lookUp" && BRANCHES.test(code)) return false;
  const pattern = name.replaceAll("$", "\\$");
  // A property of that name, as in `{ url: url }`, is not a use.
  const use = new RegExp(`(?<![\\w$.])${pattern}(?![\\w$]|(?<=[{,]\\s*${pattern})\\s*:)`, "g");
  return [...code.matchAll(use)].length === 2;
}

/** Matches a condition in the text of a loop. */
export const BRANCHES = /\b(?:if|switch|continue|break)\b|\?(?!\.)|&&|\|\|/;
