// Which functions of a pack are reachable from the code that runs while it loads, and from functions that the platform calls. Functions are
// matched by name, and count as reachable in doubt. Few packs need this, so the sources are parsed on demand.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { isExportPath } from "../syntax/commonjs.ts";
import { propertyName } from "../syntax/evaluate.ts";
import { calleeName, nameNodeOf, outermost, pathOf, unwrap } from "../syntax/nodes.ts";
import { parse } from "../text/parse.ts";
import { tokenAt } from "../text/token-at.ts";
import { ts } from "../typescript.ts";
import { functionsOf } from "./functions-of.ts";

const { SyntaxKind } = ts;

/** A part of a source that runs only if some code names it: a function, an object of functions, a class and its methods. */
interface Unit {
  readonly file: FileFacts;
  readonly node: ts.Node;
  readonly name: string | undefined;
  /** Whether it is a class member, which code may name on any object. */
  readonly isMember: boolean;
}

export const reachableCode = (pack: PackModel): ReachableCode => pack.memo(pack, readReachable);

/**
 * Returns the code that runs while the pack loads, without functions that the platform calls and without callbacks of timers or promises.
 */
export const loadingCode = (pack: PackModel): ReachableCode => pack.memo(pack, readLoading);

const readReachable = (pack: PackModel): ReachableCode => new ReachableCode(pack, false);
const readLoading = (pack: PackModel): ReachableCode => new ReachableCode(pack, true);

class ReachableCode {
  readonly #pack: PackModel;
  readonly #trees = new Map<string, ts.SourceFile>();
  readonly #units = new Map<ts.Node, Unit>();
  readonly #byName = new Map<string, Unit[]>();
  /** Functions by the start of their values. */
  readonly #functions = new Map<string, Pick<Unit, "file" | "node">>();
  readonly #reached = new Set<ts.Node>();
  readonly #queue: Pick<Unit, "file" | "node">[] = [];
  readonly #members = new Set<string>();
  readonly #isLoading: boolean;
  /** Functions of the platform's entry points, which do not run while the pack loads. */
  readonly #later = new Set<ts.Node>();

  constructor(pack: PackModel, isLoading: boolean) {
    this.#pack = pack;
    this.#isLoading = isLoading;
    for (const file of pack.facts) {
      if (file.unread !== undefined) continue;
      const tree = parse(file.file, file.text);
      this.#trees.set(file.file, tree);
      this.#collect(tree, file);
    }
    const entryDefinitions = [...pack.runnables.map(({ definition }) => definition), ...pack.auths.map(({ config }) => config)];
    for (const definition of entryDefinitions)
      for (const { place } of functionsOf(pack, definition).functions) {
        const entry = this.#functions.get(`${place.start}:${place.file}`);
        if (entry === undefined) continue;
        if (isLoading) this.#later.add(entry.node);
        else this.#enter(entry);
      }
    for (const file of pack.facts) {
      const tree = this.#trees.get(file.file);
      if (tree !== undefined) this.#enter({ file, node: tree });
    }
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      const { file, node } = next;
      ts.forEachChild(node, (child) => this.#visit(child, file));
    }
  }

  /** Whether the code at the place can run. */
  has({ file, start, end }: Place): boolean {
    const tree = this.#trees.get(file);
    if (tree === undefined) return true;
    const isOfItsOwn = (node: ts.Node): boolean => end <= node.end && (this.#units.has(node) || ts.isFunctionLike(node));
    const innermost = ts.findAncestor(tokenAt(tree, start), isOfItsOwn) ?? tree;
    return this.#reached.has(innermost);
  }

  /** Whether the code at the place is exported, or is inside something exported, so that code outside the pack may call it. */
  isExported({ file, start }: Place): boolean {
    const tree = this.#trees.get(file);
    const isOut = (node: ts.Node): boolean => {
      const unit = this.#units.get(node);
      return isExport(node) || unit?.name === WHOLE || (unit?.name !== undefined && unit.file.exports.has(unit.name));
    };
    return tree === undefined || ts.findAncestor(tokenAt(tree, start), isOut) !== undefined;
  }

  #collect(tree: ts.SourceFile, file: FileFacts): void {
    const look = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) this.#functions.set(`${outermost(node).getStart(tree)}:${file.file}`, { file, node });
      const unit = unitOf(node, file);
      if (unit !== undefined) {
        this.#units.set(node, unit);
        getOrInsert(this.#byName, unit.name ?? "", () => []).push(unit);
      }
      ts.forEachChild(node, look);
    };
    look(tree);
  }

  #enter({ file, node }: Pick<Unit, "file" | "node">): void {
    if (this.#reached.has(node) || this.#later.has(node)) return;
    this.#reached.add(node);
    this.#queue.push({ file, node });
  }

  #visit(node: ts.Node, file: FileFacts): void {
    if (this.#later.has(node) || (this.#isLoading && isLate(node))) return;
    const unit = this.#units.get(node);
    if (unit !== undefined) {
      // A function argument runs with the call, whether or not the call's result is named.
      const isRun = this.#isLoading && ts.isCallExpression(node);
      if (isRun || (unit.isMember && this.#mayBeCalled(unit))) this.#enter(unit);
      return;
    }
    if (ts.isFunctionLike(node)) this.#reached.add(node);
    if (saysNothing(node)) return;
    if (isExport(node)) {
      this.#visit(node.right, file);
      return;
    }
    const path = pathOf(node as ts.Expression);
    if (path !== undefined) {
      this.#name(node, path, file);
      return;
    }
    const member = nameNodeOf(node as ts.Expression);
    if (member !== undefined) this.#nameMember(member.text);
    else if (ts.isBindingElement(node)) this.#nameMember((node.propertyName ?? node.name).getText());
    ts.forEachChild(node, (child) => this.#visit(child, file));
  }

  /** Enters what the path names. Code that names a value may call it and everything in it. */
  #name(node: ts.Node, path: readonly string[], file: FileFacts): void {
    const [head = "", ...members] = path;
    for (const member of members) this.#nameMember(member);
    const around = head === "this" ? ts.findAncestor(node, ts.isObjectLiteralExpression) : undefined;
    if (around !== undefined) this.#enter({ file, node: around });
    const imported = file.imports.get(head);
    if (imported !== undefined && this.#pack.isToolkit(imported.module, file.file)) return;
    const isExports = head === "exports" || head === "module";
    const own = (this.#byName.get(isExports ? (path.at(-1) ?? "") : head) ?? []).filter((one) => !one.isMember && one.file === file);
    if (own.length === 0 && imported === undefined) return;
    const place = { file: file.file, start: node.getStart(), end: node.end };
    const value = this.#pack.resolve({ kind: "reference", place, path, nameSpan: place });
    const target = value.kind === "function" ? this.#functions.get(`${value.place.start}:${value.place.file}`) : undefined;
    if (target !== undefined) {
      this.#enter(target);
      return;
    }
    for (const one of own.length > 0 ? own : this.#exported(imported?.name ?? "", members[0], file)) this.#enter(one);
  }

  /** Returns what another file may export by that name. For a module as a whole, returns everything in other files. */
  #exported(name: string, member: string | undefined, own: FileFacts): readonly Unit[] {
    const isWhole = name === "*" || name === "default";
    if (isWhole && member === undefined) return [...this.#units.values()].filter(({ file, isMember }) => file !== own && !isMember);
    const names = isWhole ? [WHOLE, member ?? WHOLE] : [name];
    return names.flatMap((exportName) => this.#byName.get(exportName) ?? []).filter(({ isMember }) => !isMember);
  }

  #nameMember(name: string): void {
    if (this.#members.has(name)) return;
    this.#members.add(name);
    for (const unit of this.#byName.get(name) ?? []) if (unit.isMember && this.#reached.has(unit.node.parent)) this.#enter(unit);
  }

  /** Whether code may call the class member. A base class may call any method. */
  #mayBeCalled({ node, name }: Unit): boolean {
    const { heritageClauses } = node.parent as ts.ClassLikeDeclaration;
    const inherits = heritageClauses?.some(({ token }) => token === SyntaxKind.ExtendsKeyword) === true;
    return inherits || name === undefined || this.#members.has(name);
  }
}

const TIMERS: ReadonlySet<string> = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick"]);
const OF_PROMISES: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

/** Whether the node is an argument of a timer or promise, which calls it after all files have loaded. */
function isLate(node: ts.Node): boolean {
  const child = outermost(node);
  const call = child.parent;
  if (call === undefined || !ts.isCallExpression(call) || call.expression === child) return false;
  const callee = calleeName(call)?.text ?? "";
  return TIMERS.has(callee) || (OF_PROMISES.has(callee) && !ts.isIdentifier(unwrap(call.expression)));
}

/** The name of a module's default export, or of the module as a whole. */
const WHOLE = "default";

function unitOf(node: ts.Node, file: FileFacts): Unit | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return { file, node, name: node.name?.text ?? WHOLE, isMember: false };
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node))
    return ts.isClassLike(node.parent) ? { file, node, name: propertyName(node.name), isMember: true } : undefined;
  const name = containsFunctions(node) ? nameOfHolder(outermost(node).parent) : undefined;
  return name === undefined ? undefined : { file, node, name, isMember: false };
}

/** Whether the node is a function, an object, or a call with a function argument. */
function containsFunctions(node: ts.Node): boolean {
  switch (node.kind) {
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.ClassExpression:
    case SyntaxKind.ObjectLiteralExpression:
      return true;
    case SyntaxKind.CallExpression:
      return (node as ts.CallExpression).arguments.some((argument) => ts.isFunctionLike(unwrap(argument)));
    default:
      return false;
  }
}

/** Returns the name that a value is assigned to, or undefined if the target is not a single name. */
function nameOfHolder(holder: ts.Node): string | undefined {
  if (ts.isVariableDeclaration(holder)) return ts.isIdentifier(holder.name) ? holder.name.text : undefined;
  return isExport(holder)
    ? (nameNodeOf(holder.left)?.text.replace(/^exports$/, WHOLE) ?? WHOLE)
    : ts.isExportAssignment(holder)
      ? WHOLE
      : undefined;
}

/** `exports.name = …`, `module.exports = …`. */
const isExport = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken && isExportPath(pathOf(node.left) ?? []);

/** Whether the node is a type, the name of a declaration, or only passes a name on to other files. */
function saysNothing(node: ts.Node): boolean {
  const { kind, parent } = node;
  if (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode) return true;
  switch (kind) {
    case SyntaxKind.ImportDeclaration:
    case SyntaxKind.ExportDeclaration:
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.TypeAliasDeclaration:
      return true;
    case SyntaxKind.ExportAssignment:
      return ts.isIdentifier(unwrap((node as ts.ExportAssignment).expression));
    case SyntaxKind.BinaryExpression:
      return isExport(node) && ts.isIdentifier(unwrap(node.right));
    case SyntaxKind.Identifier: {
      const { name, propertyName: from } = parent as Partial<ts.BindingElement>;
      return (name === node && parent.kind !== SyntaxKind.ShorthandPropertyAssignment) || from === node;
    }
    default:
      return false;
  }
}
