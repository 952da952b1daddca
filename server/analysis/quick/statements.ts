// Statements, as far as packs write them.
import { ts } from "ts-morph";
import { classDeclaration } from "./classes.ts";
import { forStatement, ifStatement, inParentheses, switchStatement, tryStatement } from "./control-flow.ts";
import { ambient, enumDeclaration, functionDeclaration, interfaceDeclaration, typeAlias, variables } from "./declarations.ts";
import { expression } from "./expressions.ts";
import { block } from "./functions.ts";
import { exported, importDeclaration } from "./modules.ts";
import { endStatement, expect, name, skip } from "./take.ts";
import * as token from "./tokens.ts";
import { at, following, followingOnLine, startsLine, unsure } from "./tokens.ts";
import { newTree, own, type Tree, type Trees } from "./tree.ts";

const { SyntaxKind } = ts;

/** Up to a closing brace, a clause of a switch, or the end of the source. */
export function statementList(): Trees {
  if (endsList()) return [];
  // A list of one takes the room of one.
  const items: Tree[] = [statement()];
  while (!endsList()) items.push(statement());
  return items;
}

function endsList(): boolean {
  const kind = token.kind;
  return (
    kind === SyntaxKind.CloseBraceToken ||
    kind === SyntaxKind.EndOfFileToken ||
    kind === SyntaxKind.CaseKeyword ||
    kind === SyntaxKind.DefaultKeyword
  );
}

/** Words that begin declarations or members which are not read here, unless they are names. */
const OTHER_DECLARATIONS = /^(?:declare|abstract|namespace|module|global|using|accessor|async|readonly)$/;

export function statement(): Tree {
  const full = token.full;
  const start = token.start;
  const kind = token.kind;
  if (kind === SyntaxKind.OpenBraceToken) return block();
  if (kind === SyntaxKind.SemicolonToken) {
    token.next();
    return newTree(SyntaxKind.EmptyStatement, full, start, token.full);
  }
  // Names and reserved words lie close together: one jump.
  switch (kind) {
    case SyntaxKind.VarKeyword:
    case SyntaxKind.LetKeyword:
    case SyntaxKind.ConstKeyword:
      return variables(full, start, undefined);
    case SyntaxKind.FunctionKeyword:
      return functionDeclaration(full, start, []);
    case SyntaxKind.ImportKeyword:
      return importDeclaration();
    case SyntaxKind.ExportKeyword:
      return exported();
    case SyntaxKind.InterfaceKeyword:
      return interfaceDeclaration(full, start, undefined);
    case SyntaxKind.IfKeyword:
      return ifStatement();
    case SyntaxKind.ForKeyword:
      return forStatement();
    case SyntaxKind.WhileKeyword: {
      token.next();
      const condition = inParentheses();
      const body = statement();
      const node = newTree(SyntaxKind.WhileStatement, full, start, token.full);
      node.expression = own(node, condition);
      node.statement = own(node, body);
      return node;
    }
    case SyntaxKind.DoKeyword: {
      token.next();
      const body = statement();
      expect(SyntaxKind.WhileKeyword);
      const condition = inParentheses();
      skip(SyntaxKind.SemicolonToken);
      const node = newTree(SyntaxKind.DoStatement, full, start, token.full);
      node.statement = own(node, body);
      node.expression = own(node, condition);
      return node;
    }
    case SyntaxKind.ReturnKeyword:
    case SyntaxKind.ThrowKeyword: {
      token.next();
      const isBare = endsHere();
      if (isBare && kind === SyntaxKind.ThrowKeyword) unsure();
      const given = isBare ? undefined : expression();
      endStatement();
      const made = kind === SyntaxKind.ReturnKeyword ? SyntaxKind.ReturnStatement : SyntaxKind.ThrowStatement;
      const node = newTree(made, full, start, token.full);
      node.expression = own(node, given);
      return node;
    }
    case SyntaxKind.BreakKeyword:
    case SyntaxKind.ContinueKeyword: {
      token.next();
      const label = endsHere() ? undefined : name();
      endStatement();
      const made = kind === SyntaxKind.BreakKeyword ? SyntaxKind.BreakStatement : SyntaxKind.ContinueStatement;
      const node = newTree(made, full, start, token.full);
      node.label = own(node, label);
      return node;
    }
    case SyntaxKind.TryKeyword:
      return tryStatement();
    case SyntaxKind.SwitchKeyword:
      return switchStatement();
    case SyntaxKind.Identifier:
      if (token.value === "async" && followingOnLine(/function\b/y)) return functionDeclaration(full, start, []);
      if (token.value === "type" && following(/[\w$]/y)) return typeAlias(full, start, undefined);
      if (token.value === "abstract" && followingOnLine(/class\b/y)) return classDeclaration(full, start, []);
      if (token.value === "declare" && followingOnLine(/(?:enum|interface|type)\b/y)) return ambient(full, start, []);
      if (OTHER_DECLARATIONS.test(token.value) && following(/[\w$"'[{@*]/y)) unsure();
      break;
    case SyntaxKind.EnumKeyword:
      return enumDeclaration(full, start, undefined);
    case SyntaxKind.ClassKeyword:
      return classDeclaration(full, start, []);
  }
  const of = expression();
  if (token.kind === SyntaxKind.ColonToken) unsure();
  endStatement();
  const node = newTree(SyntaxKind.ExpressionStatement, full, start, token.full);
  node.expression = own(node, of);
  return node;
}

const endsHere = (): boolean =>
  at(SyntaxKind.SemicolonToken) || at(SyntaxKind.CloseBraceToken) || at(SyntaxKind.EndOfFileToken) || startsLine();
