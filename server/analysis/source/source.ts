// A source that changes. TypeScript updates its one tree with each edit, and keeps the objects of unchanged top-level statements. So the
// facts of a statement are cached with its node. They never change: their places read the statement's anchor, which only this file moves.
import type { ts } from "ts-morph";
import { defined } from "../../../base/defined.ts";
import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { CallSite, FileFacts, ImportFact, Unread } from "../model/facts.ts";
import { callSites } from "../syntax/call-sites.ts";
import { calledPaths } from "../syntax/called-paths.ts";
import { classFactsOf } from "../syntax/class-facts.ts";
import { returnsOf } from "../syntax/function-facts.ts";
import { joinModuleParts, type ModuleFacts, type ModulePart, readModulePart } from "../syntax/module-facts.ts";
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

export const createSource = (file: string, text: string): Source => new EditedSource(file, text);

class EditedSource implements Source {
  readonly #file: string;
  readonly #isJson: boolean;
  readonly #joinFacts: ReturnType<typeof createFileFacts>;
  #text: string;
  #tree: ts.SourceFile | undefined;
  #edited: Edited | undefined;
  #cachedStatements = new WeakMap<ts.Statement, CachedStatement>();
  /** The statements of the tree when its facts were last read. */
  #statements: readonly CachedStatement[] = [];
  #modules: readonly string[] = [];
  #toolkitImports: ReadonlyMap<string, ImportFact> = new Map();
  #latest: FileFacts | undefined;
  /** Whether the text may contain suppressing comments; undefined until the whole text was searched. */
  #suppresses: boolean | undefined;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#isJson = JSON_FILE.test(file);
    this.#joinFacts = createFileFacts(file);
  }

  text(): string {
    return this.#text;
  }

  edit(edit: OffsetEdit): void {
    const text = this.#text;
    const start = Math.max(0, Math.min(edit.start, text.length));
    const end = Math.max(start, Math.min(edit.end, text.length));
    this.#latest = undefined;
    // If there was no directive, only the text around the edit can contain one.
    this.#suppresses = this.#suppresses === false ? around(text, start, end, edit.text).includes(DIRECTIVE) : undefined;
    this.#text = text.slice(0, start) + edit.text + text.slice(end);
    this.#edited = together(this.#edited, start, end, edit.text.length);
  }

  facts(toolkitModules: readonly string[]): FileFacts {
    if (this.#modules !== toolkitModules) {
      this.#modules = toolkitModules;
      this.#latest = undefined;
      this.#forget();
    }
    this.#latest ??= this.#refresh();
    return this.#latest;
  }

  #forget(): void {
    this.#cachedStatements = new WeakMap();
    this.#statements = [];
  }

  #refresh(): FileFacts {
    if (isTooLarge(this.#text)) return this.#unread("large");
    const isUpdated = this.#tree !== undefined && this.#edited !== undefined;
    try {
      return this.#read();
    } catch (error) {
      // The source is nested too deeply or is too involved, until the next edit.
      if (error instanceof RangeError) return this.#unread(error instanceof Involved ? "involved" : "deep");
      if (!isUpdated) throw error;
      // TypeScript reused a node where its kind is not allowed, such as a type's parameter without a name in a function. The source is
      // parsed from scratch.
      this.#forget();
      this.#tree = undefined;
      return this.#refresh();
    }
  }

  #unread(why: Unread): FileFacts {
    this.#tree = undefined;
    this.#edited = undefined;
    this.#forget();
    return noFacts(this.#file, this.#text, why);
  }

  #readTree(): ts.SourceFile {
    const before = this.#tree;
    const change = this.#edited;
    // During an update the previous tree is invalid.
    this.#tree = undefined;
    this.#edited = undefined;
    const tree = (before && (change === undefined ? before : updated(before, this.#text, change))) ?? parse(this.#file, this.#text);
    this.#tree = tree;
    return tree;
  }

  #read(): FileFacts {
    const source = this.#readTree();
    const nodes = source.statements;
    const removedStatements = new Set(this.#statements);
    // A statement that was inside another one in between has an outdated cache entry.
    let comesBack = false;
    for (const node of nodes) {
      const statement = this.#cachedStatements.get(node);
      if (statement !== undefined && !removedStatements.delete(statement)) comesBack = true;
    }
    if (comesBack) this.#forget();
    const parts = nodes.map((node) => {
      const before = this.#cachedStatements.get(node);
      return before === undefined ? readModulePart(node) : before.facts.module;
    });
    const joined = this.#joinModules(nodes, parts, removedStatements);
    const isNew = this.#statements.length === 0;
    const come = this.#readStatements(source, parts);
    const sites = new Map<string, readonly CallSite[]>();
    this.#suppresses ??= this.#text.includes(DIRECTIVE);
    return this.#joinFacts({
      text: this.#text,
      statements: this.#statements.map(factsOf),
      joined,
      toolkitModules: this.#modules,
      renewal: isNew ? undefined : { removedStatements: [...removedStatements].map(factsOf), come },
      // JSON has no comments.
      suppressions: this.#suppresses && !this.#isJson ? findSuppressions(source) : [],
      functionAt: (place) => (this.#tree === source ? returnsOf(place, source) : undefined),
      classAt: (place) => (this.#tree === source ? classFactsOf(place, source) : undefined),
      callsOf: (name) => (this.#tree === source ? getOrInsert(sites, name, () => callSites(name, this.#file, source)) : []),
      calledPaths: () => (this.#tree === source ? calledPaths(source, this.#file) : []),
      ...defined({ mistake: firstMistake(source) }),
    });
  }

  /** Returns the module facts of all statements, or undefined if they are the same as before. */
  #joinModules(
    nodes: readonly ts.Statement[],
    parts: readonly (ModulePart | undefined)[],
    removedStatements: ReadonlySet<CachedStatement>,
  ): ModuleFacts | undefined {
    const isChanged =
      this.#statements.length === 0 ||
      nodes.some((node, index) => parts[index] !== undefined && !this.#cachedStatements.has(node)) ||
      [...removedStatements].some(saysOfModules);
    if (!isChanged) return undefined;
    const joined = joinModuleParts(parts, this.#modules);
    const imports = ofToolkit(joined.imports, this.#modules);
    // The facts of all statements depend on what the SDK's names refer to.
    if (!sameImports(imports, this.#toolkitImports)) this.#forget();
    this.#toolkitImports = imports;
    return joined;
  }

  /** Moves the statements that are cached to their places, reads the others, and returns the facts of those. */
  #readStatements(source: ts.SourceFile, parts: readonly (ModulePart | undefined)[]): readonly StatementFacts[] {
    const file = this.#file;
    const come: StatementFacts[] = [];
    this.#statements = source.statements.map((node, index) => {
      const before = this.#cachedStatements.get(node);
      if (before !== undefined) {
        before.anchor.start = node.pos;
        return before;
      }
      const anchor = { file, start: node.pos };
      const places = new Placing(anchor, node.pos, source);
      const facts = readStatement(node, parts[index], { file, source, toolkitImports: this.#toolkitImports, places });
      come.push(facts);
      const fresh: CachedStatement = { facts, anchor };
      this.#cachedStatements.set(node, fresh);
      return fresh;
    });
    return come;
  }
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
  return { start: first, end: before.end + Math.max(0, end - behind), length: Math.max(behind, end) - first - (end - start) + length };
}

/** Returns the inserted text, with enough text on either side to contain any word that it completes. */
const around = (text: string, start: number, end: number, put: string): string =>
  text.slice(Math.max(0, start - LONGEST_WORD), start) + put + text.slice(end, end + LONGEST_WORD);

const saysOfModules = ({ facts }: CachedStatement): boolean => facts.module !== undefined;

const factsOf = ({ facts }: CachedStatement): StatementFacts => facts;

const sameImports = (a: ReadonlyMap<string, ImportFact>, b: ReadonlyMap<string, ImportFact>): boolean =>
  a.size === b.size && [...a].every(([local, { module, name }]) => b.get(local)?.module === module && b.get(local)?.name === name);
