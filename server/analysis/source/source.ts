// A source that changes. TypeScript updates its one tree with each edit, and keeps the objects of unchanged top-level statements. So the
// facts of a statement are cached with its node. They never change: their places read the statement's anchor, which only this file moves.
import type { ts } from "ts-morph";
import { defined } from "../../../base/defined.ts";
import type { FileFacts, ImportFact, Unread } from "../model/facts.ts";
import { calledPaths } from "../syntax/called-paths.ts";
import { returnsOf } from "../syntax/function-facts.ts";
import { joinModuleParts, type ModuleFacts, readModulePart } from "../syntax/module-facts.ts";
import { Involved, isTooLarge } from "../text/involved.ts";
import { type Edited, firstMistake, parse, update } from "../text/parse.ts";
import { Placing } from "../text/place.ts";
import { DIRECTIVE, findSuppressions } from "../text/suppressions.ts";
import { createFileFacts, noFacts, ofToolkit, readStatement, type StatementFacts } from "./file-facts.ts";

export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Source {
  text(): string;
  /**
   * Applies an edit; offsets beyond the text are clamped to its end. The next call of `facts` moves the places of earlier facts to where
   * their statements are then.
   */
  edit(edit: OffsetEdit): void;
  /** Invariant: the facts equal those of a new source with the same text. */
  facts(toolkitModules: readonly string[]): FileFacts;
}

/** The cached facts of a top-level statement. */
interface CachedStatement {
  readonly facts: StatementFacts;
  /** The position that places in the facts read. */
  readonly anchor: { readonly file: string; start: number };
}

/** Number of characters; at least the length of the directive in suppressing comments. */
const LONGEST_WORD = 40;

const JSON_FILE = /\.json$/i;

export function createSource(file: string, initial: string): Source {
  let text = initial;
  let tree: ts.SourceFile | undefined;
  let edited: Edited | undefined;
  let cachedStatements = new WeakMap<ts.Statement, CachedStatement>();
  /** The statements of the tree when its facts were last read. */
  let statements: readonly CachedStatement[] = [];
  let modules: readonly string[] = [];
  let toolkitImports: ReadonlyMap<string, ImportFact> = new Map();
  let latest: FileFacts | undefined;
  /** Whether the text may contain suppressing comments; undefined until the whole text was searched. */
  let suppresses: boolean | undefined;
  const joinFacts = createFileFacts(file);
  const isJson = JSON_FILE.test(file);

  function forget(): void {
    cachedStatements = new WeakMap();
    statements = [];
  }

  function readTree(): ts.SourceFile {
    const before = tree;
    const change = edited;
    // During an update the previous tree is invalid.
    tree = undefined;
    edited = undefined;
    tree = (before && (change === undefined ? before : updated(before, text, change))) ?? parse(file, text);
    return tree;
  }

  function read(): FileFacts {
    const source = readTree();
    const nodes = source.statements;
    const removedStatements = new Set(statements);
    // A statement that was inside another one in between has an outdated cache entry.
    let comesBack = false;
    for (const node of nodes) {
      const statement = cachedStatements.get(node);
      if (statement !== undefined && !removedStatements.delete(statement)) comesBack = true;
    }
    if (comesBack) forget();
    const parts = nodes.map((node) => (cachedStatements.has(node) ? cachedStatements.get(node)?.facts.module : readModulePart(node)));
    let joined: ModuleFacts | undefined;
    if (
      statements.length === 0 ||
      nodes.some((node, index) => !cachedStatements.has(node) && parts[index] !== undefined) ||
      [...removedStatements].some(saysOfModules)
    ) {
      joined = joinModuleParts(parts, modules);
      const imports = ofToolkit(joined.imports, modules);
      // The facts of all statements depend on what the SDK's names refer to.
      if (!sameImports(imports, toolkitImports)) forget();
      toolkitImports = imports;
    }
    const isNew = statements.length === 0;
    const come: StatementFacts[] = [];
    statements = nodes.map((node, index) => {
      const before = cachedStatements.get(node);
      if (before !== undefined) {
        before.anchor.start = node.pos;
        return before;
      }
      const anchor = { file, start: node.pos };
      const facts = readStatement(node, parts[index], { file, source, toolkitImports, places: new Placing(anchor, node.pos, source) });
      come.push(facts);
      const fresh: CachedStatement = { facts, anchor };
      cachedStatements.set(node, fresh);
      return fresh;
    });
    suppresses ??= text.includes(DIRECTIVE);
    const renewal = isNew ? undefined : { removedStatements: [...removedStatements].map(factsOf), come };
    // JSON has no comments.
    const suppressions = suppresses && !isJson ? findSuppressions(source) : [];
    return joinFacts({
      text,
      statements: statements.map(factsOf),
      joined,
      toolkitModules: modules,
      renewal,
      suppressions,
      functionAt: (place) => (tree === source ? returnsOf(place, source) : undefined),
      calledPaths: () => (tree === source ? calledPaths(source, file) : []),
      ...defined({ mistake: firstMistake(source) }),
    });
  }

  function refresh(): FileFacts {
    if (isTooLarge(text)) return unread("large");
    const isUpdated = tree !== undefined && edited !== undefined;
    try {
      return read();
    } catch (error) {
      // The source is nested too deeply or is too involved, until the next edit.
      if (error instanceof RangeError) return unread(error instanceof Involved ? "involved" : "deep");
      if (!isUpdated) throw error;
      // TypeScript reused a node where its kind is not allowed, such as a type's parameter without a name in a function. The source is
      // parsed from scratch.
      forget();
      tree = undefined;
      return refresh();
    }
  }

  function unread(why: Unread): FileFacts {
    tree = undefined;
    edited = undefined;
    forget();
    return noFacts(file, text, why);
  }

  return {
    text: () => text,
    edit(edit) {
      const start = Math.max(0, Math.min(edit.start, text.length));
      const end = Math.max(start, Math.min(edit.end, text.length));
      latest = undefined;
      // If there was no directive, only the text around the edit can contain one.
      suppresses = suppresses === false ? around(text, start, end, edit.text).includes(DIRECTIVE) : undefined;
      text = text.slice(0, start) + edit.text + text.slice(end);
      edited = together(edited, start, end, edit.text.length);
    },
    facts(toolkitModules) {
      if (modules !== toolkitModules) {
        modules = toolkitModules;
        latest = undefined;
        forget();
      }
      latest ??= refresh();
      return latest;
    },
  };
}

/** Returns undefined if the update recurses too deeply. A newly parsed tree may still be usable. */
function updated(tree: ts.SourceFile, text: string, change: Edited): ts.SourceFile | undefined {
  try {
    return update(tree, text, change);
  } catch (error) {
    if (!(error instanceof RangeError) || error instanceof Involved) throw error;
    return undefined;
  }
}

/** Returns one edit with the effect of an earlier edit and a later one. */
function together(before: Edited | undefined, start: number, end: number, length: number): Edited {
  if (before === undefined) return { start, end, length };
  const behind = before.start + before.length;
  const first = Math.min(before.start, start);
  return {
    start: first,
    end: before.end + Math.max(0, end - behind),
    length: Math.max(behind, end) - first - (end - start) + length,
  };
}

/** Returns the inserted text, with enough text on either side to contain any word that it completes. */
const around = (text: string, start: number, end: number, put: string): string =>
  text.slice(Math.max(0, start - LONGEST_WORD), start) + put + text.slice(end, end + LONGEST_WORD);

const saysOfModules = ({ facts }: CachedStatement): boolean => facts.module !== undefined;

const factsOf = ({ facts }: CachedStatement): StatementFacts => facts;

const sameImports = (a: ReadonlyMap<string, ImportFact>, b: ReadonlyMap<string, ImportFact>): boolean =>
  a.size === b.size && [...a].every(([local, { module, name }]) => b.get(local)?.module === module && b.get(local)?.name === name);
