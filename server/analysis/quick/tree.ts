// The nodes that the quick parser makes: the same fields as TypeScript's own, so that everything that reads a tree reads these too.
import type { ts } from "ts-morph";

/** Thrown where the source is none that the quick parser is sure about; TypeScript's parser then reads it. */
export class Unsure extends Error {}

/** The one that is thrown: to make one takes longer than to read a statement, and nobody asks where it was made. */
export const UNSURE = new Unsure();

/** A list of nodes. Which text it takes is not kept: nobody asks for it, and fields of an array are dear. */
export interface Trees extends Array<Tree> {
  hasTrailingComma?: boolean;
}

// All fields are declared alone, and set where a node is made, if at all: a class field costs a definition, and a call, for each node, and
// V8 gives all nodes room for nine.
export class Tree {
  declare readonly kind: ts.SyntaxKind;
  declare readonly pos: number;
  declare readonly start: number;
  declare readonly end: number;
  declare parent: Tree | undefined;
  declare flags: number;
  declare text: string | undefined;
  declare name: Tree | undefined;
  declare propertyName: Tree | undefined;
  declare modifiers: Trees | undefined;
  declare expression: Tree | undefined;
  declare left: Tree;
  declare right: Tree;
  declare operator: ts.SyntaxKind;
  declare operand: Tree;
  declare operatorToken: Tree;
  declare questionToken: Tree | undefined;
  declare colonToken: Tree;
  declare exclamationToken: Tree | undefined;
  declare questionDotToken: Tree | undefined;
  declare dotDotDotToken: Tree | undefined;
  declare equalsGreaterThanToken: Tree;
  declare asteriskToken: Tree | undefined;
  declare argumentExpression: Tree;
  declare arguments: Trees | undefined;
  declare typeArguments: Trees | undefined;
  declare typeParameters: Trees | undefined;
  declare parameters: Trees;
  declare type: Tree | undefined;
  declare body: Tree | undefined;
  declare initializer: Tree | undefined;
  declare elements: Trees;
  declare properties: Trees;
  declare members: Trees;
  declare heritageClauses: Trees | undefined;
  declare token: ts.SyntaxKind;
  declare types: Trees;
  declare condition: Tree | undefined;
  declare whenTrue: Tree;
  declare whenFalse: Tree;
  declare head: Tree;
  declare literal: Tree;
  declare templateSpans: Trees;
  declare statements: Trees;
  declare declarations: Trees;
  declare declarationList: Tree;
  declare thenStatement: Tree;
  declare elseStatement: Tree | undefined;
  declare statement: Tree;
  declare incrementor: Tree | undefined;
  declare awaitModifier: Tree | undefined;
  declare label: Tree | undefined;
  declare tryBlock: Tree;
  declare catchClause: Tree | undefined;
  declare finallyBlock: Tree | undefined;
  declare variableDeclaration: Tree | undefined;
  declare block: Tree;
  declare caseBlock: Tree;
  declare clauses: Trees;
  declare importClause: Tree | undefined;
  declare namedBindings: Tree | undefined;
  declare moduleSpecifier: Tree | undefined;
  declare exportClause: Tree | undefined;
  declare isTypeOnly: boolean;
  declare isExportEquals: boolean | undefined;
  declare parameterName: Tree;
  declare typeParameter: Tree;
  declare typeName: Tree;
  declare exprName: Tree;
  declare elementType: Tree;
  declare objectType: Tree;
  declare indexType: Tree;
  declare constraint: Tree | undefined;
  declare default: Tree | undefined;
  declare endOfFileToken: Tree;
  /** Of a source: where its long texts begin and end, in pairs. */
  declare longTexts: readonly number[] | undefined;

  /** `start` is where its first token begins, behind the blanks and comments that `pos` counts in. */
  constructor(kind: ts.SyntaxKind, pos: number, start: number, end: number) {
    this.kind = kind;
    this.pos = pos;
    this.start = start;
    this.end = end;
    this.parent = undefined;
    this.flags = 0;
  }

  getStart(): number {
    return this.start;
  }

  getEnd(): number {
    return this.end;
  }

  getText(source?: { readonly text: string }): string {
    if (source !== undefined) return source.text.slice(this.start, this.end);
    let root: Tree = this;
    while (root.parent !== undefined) root = root.parent;
    return (root.text ?? "").slice(this.start, this.end);
  }
}

/** Makes one: a call of `new` from code that is not optimised takes thrice as long as this one, which is. */
export const newTree = (kind: ts.SyntaxKind, pos: number, start: number, end: number): Tree => new Tree(kind, pos, start, end);

/** The node, as a part of the other; what is made most often sets both itself, without the call. */
export function own<T extends Tree | undefined>(parent: Tree, child: T): T {
  if (child !== undefined) child.parent = parent;
  return child;
}

/** The nodes, as parts of the other. */
export function ownAll<T extends Trees | undefined>(parent: Tree, children: T): T {
  // Without an iterator: those cost more than what is done here.
  if (children !== undefined) for (let index = 0; index < children.length; index++) (children[index] as Tree).parent = parent;
  return children;
}
