// A source that changes: its facts are kept statement by statement, and an edit renews those of the statements that it touches. Only
// their region is parsed again, up to where the old statements go on; the facts behind it move. No tree is kept.
import type { ts } from "ts-morph";
import { ofToolkit, parse, parsePiece, readStatement, type StatementFacts } from "./facts.ts";
import { headEnd } from "./head-end.ts";
import { Involved } from "./involved.ts";
import { createJoiner, noFacts, type Renewal } from "./join-statements.ts";
import type { FileFacts, ImportFact, Unread } from "./model.ts";
import { joinModuleParts, type ModuleFacts, type ModulePart, readModulePart } from "./module-facts.ts";
import { openEnds } from "./open-ends.ts";
import { move, type Positioned, positionedIn } from "./positions.ts";
import { putInPlace } from "./put-in-place.ts";
import { isTooLarge } from "./source-size.ts";
import { mentionsSuppression } from "./suppressions.ts";

export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Source {
  text(): string;
  /** Offsets beyond the text are taken to its end. Values from earlier facts move with the text: ask for the facts anew. */
  edit(edit: OffsetEdit): void;
  /** Invariant: they equal those of a new source with the same text. */
  facts(toolkitModules: readonly string[]): FileFacts;
}

/** A statement of the top level. */
interface Statement {
  /** With the blanks and comments before it, as the parser has it. */
  start: number;
  /** Behind the blanks and comments. */
  first: number;
  end: number;
  readonly facts: StatementFacts;
  /** Whether an edit anywhere behind it may change where it ends. */
  readonly isOpen: boolean;
  positioned: Positioned | undefined;
  /** By how much its facts are still to be moved. */
  pending: number;
}

/** Statements that come for the touched ones, and for so many of those behind them. */
interface Region {
  readonly nodes: readonly ts.Statement[];
  readonly source: ts.SourceFile;
  readonly open: ReadonlySet<ts.Statement>;
  readonly again: number;
}

/** How much of the text behind a region the parser gets to see, so that it ends statements where it would in the whole. */
const LOOK_AHEAD = 80;

/** What the parser takes for a comment where a text or a line begins, and for code elsewhere: `#!`, and what a merge leaves behind. */
const COMMENT_AT_START = /^(?:#!|<{7}|={7}|>{7}|\|{7})/;
const LONGEST_SIGN = 7;

/** At least as long as the word by which comments silence rules. */
const LONGEST_WORD = 40;

const JSON_FILE = /\.json$/i;

export function createSource(file: string, initial: string): Source {
  let text = initial;
  let statements: Statement[] = [];
  /** How many statements from the start, and from the end, no edit has touched since they were read. */
  let before = 0;
  let after = 0;
  let modules: readonly string[] = [];
  let toolkitImports: ReadonlyMap<string, ImportFact> = new Map();
  /** What the statements that were just read say of modules, with the others. */
  let joined: ModuleFacts | undefined;
  let known: FileFacts | undefined;
  /** Whether comments in the text may silence rules; undefined until the whole of it has been looked through. */
  let suppresses: boolean | undefined;
  const joiner = createJoiner(file);
  const isJson = JSON_FILE.test(file);

  function firstOpen(): number {
    const index = statements.findIndex(({ isOpen }) => isOpen);
    return index < 0 ? statements.length : index;
  }

  /** Whether one of the touched statements says something of modules. */
  function touchesModules(): boolean {
    for (let index = before; index < statements.length - after; index++) if (statements[index]?.facts.module !== undefined) return true;
    return false;
  }

  /** What the statements say of modules: the touched ones as they now are, between the others. */
  function amongKept(touched: readonly (ModulePart | undefined)[]): readonly (ModulePart | undefined)[] {
    const kept = (from: number, to: number) => statements.slice(from, to).map((statement) => statement.facts.module);
    return [...kept(0, before), ...touched, ...kept(statements.length - after, statements.length)];
  }

  /** Parsed statements of the text → statements with facts. */
  function read(nodes: readonly ts.Statement[], source: ts.SourceFile, open: ReadonlySet<ts.Statement>): Statement[] | undefined {
    const parts = nodes.map(readModulePart);
    const isAll = before + after === 0;
    if (isAll || parts.some(isThere) || touchesModules()) {
      const all = joinModuleParts(isAll ? parts : amongKept(parts), modules);
      const imports = ofToolkit(all.imports, modules);
      // What a name of the toolkit means is written into the facts of all statements.
      if (!isAll && !sameImports(imports, toolkitImports)) return undefined;
      toolkitImports = imports;
      joined = all;
    }
    const context = { file, source, toolkitImports };
    return nodes.map((node, index) => {
      const first = node.getStart(source);
      return {
        start: node.pos,
        first,
        end: node.end,
        facts: readStatement(node, parts[index], context),
        isOpen: open.has(node),
        positioned: undefined,
        pending: 0,
      };
    });
  }

  function readAll(): void {
    statements = [];
    before = 0;
    after = 0;
    const source = parse(file, text);
    statements = read(source.statements, source, openEnds(source)) ?? [];
  }

  /** Undefined where it takes the whole file. Whether that one is too deep is its own matter: it is not parsed as a region of it is. */
  function readTouched(): Renewal | undefined {
    try {
      return readRegion();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return undefined;
    }
  }

  /** Reads what lies between the untouched statements anew. Undefined where that takes the whole file. */
  function readRegion(): Renewal | undefined {
    if (before + after === 0 || isJson) return undefined;
    const start = statements[before - 1]?.end ?? 0;
    if (start > 0 && COMMENT_AT_START.test(text.slice(start, start + LONGEST_SIGN))) return undefined;
    const { nodes, source, open, again } = parsePieces(start);
    after -= again;
    const renewed = read(nodes, source, open);
    if (renewed === undefined) return undefined;
    const gone = statements.splice(before, statements.length - before - after, ...renewed);
    return { gone: gone.map(factsOf), come: renewed.map(factsOf) };
  }

  /** As much of the text as it takes, until a statement begins where one did before. */
  function parsePieces(start: number): Region {
    const rest = statements.slice(statements.length - after);
    for (let more = 0; ; more = more * 2 + 1) {
      const next = rest[more];
      const end = next === undefined ? text.length : lineEnd(text, Math.min(next.end, headEnd(text, next.first) + LOOK_AHEAD));
      const source = parsePiece(file, text.slice(start, end));
      // From where a statement starts as one did before, everything is as it was: the text is, and the parser looks back at nothing.
      const starts = new Map(rest.slice(0, more + 1).map((statement, index) => [statement.start - start, index]));
      const last = next === undefined ? source.statements.length : source.statements.findIndex((node) => starts.has(node.pos));
      if (last < 0) continue;
      const again = next === undefined ? rest.length : (starts.get(source.statements[last]?.pos ?? -1) ?? 0);
      const nodes = source.statements.slice(0, last);
      const open = openEnds(source);
      // Of these the parser has to see all that follows.
      if (end < text.length && nodes.some((node) => open.has(node))) {
        more = rest.length;
        continue;
      }
      putInPlace(source, nodes, text, start);
      return { nodes, source, open, again };
    }
  }

  function refresh(): FileFacts {
    if (isTooLarge(text)) return unread("large");
    try {
      joined = undefined;
      const renewal = readTouched();
      if (renewal === undefined) readAll();
      // What was just read stands where it says.
      if (renewal !== undefined) for (const statement of statements) settle(statement);
      before = statements.length;
      after = 0;
      suppresses ??= mentionsSuppression(text);
      // JSON has no comments.
      return joiner.join(text, statements.map(factsOf), joined, modules, renewal, suppresses && !isJson);
    } catch (error) {
      // Too deep to be looked at, for now.
      if (!(error instanceof RangeError)) throw error;
      return unread(error instanceof Involved ? "involved" : "deep");
    }
  }

  function unread(why: Unread): FileFacts {
    statements = [];
    before = 0;
    after = 0;
    return noFacts(file, text, why);
  }

  return {
    // No getter: V8 keeps a shape for each, and with the shape all that the getter can see, until the whole heap is looked through.
    text: () => text,
    edit(edit) {
      const start = Math.max(0, Math.min(edit.start, text.length));
      const end = Math.max(start, Math.min(edit.end, text.length));
      known = undefined;
      if (before === statements.length) after = before;
      const untouched = countBefore(statements, Math.min(before, firstOpen()), start, text);
      // Where nothing did, only what now stands around the edit can.
      suppresses = suppresses === false ? mentionsSuppression(around(text, start, end, edit.text)) : undefined;
      text = text.slice(0, start) + edit.text + text.slice(end);
      after = countAfter(statements, Math.min(after, statements.length - untouched), end);
      before = Math.min(untouched, statements.length - after);
      const by = edit.text.length - (end - start);
      if (by !== 0) for (let index = statements.length - after; index < statements.length; index++) shift(statements[index], by);
    },
    facts(toolkitModules) {
      if (modules !== toolkitModules) {
        modules = toolkitModules;
        known = undefined;
        before = 0;
        after = 0;
      }
      known ??= refresh();
      return known;
    },
  };
}

/** How many of the first `most` statements end before the offset and do not end where they do because of what stands there. */
function countBefore(statements: readonly Statement[], most: number, offset: number, text: string): number {
  let count = most;
  while (count > 0 && (statements[count - 1]?.end ?? 0) >= offset) count--;
  // A statement ends where it does because of the first words behind it, which may be several statements.
  const looksAsFarAs = (index: number): number => (index < most ? headEnd(text, statements[index]?.first ?? 0) : offset);
  while (count > 0 && looksAsFarAs(count) >= offset) count--;
  return count;
}

/** How many of the last `most` statements start behind the offset. */
function countAfter(statements: readonly Statement[], most: number, offset: number): number {
  let count = most;
  while (count > 0 && (statements[statements.length - count]?.start ?? 0) <= offset) count--;
  return count;
}

/** What an edit puts in, with as much before and behind it as a word in which it can be a part. */
const around = (text: string, start: number, end: number, put: string): string =>
  text.slice(Math.max(0, start - LONGEST_WORD), start) + put + text.slice(end, end + LONGEST_WORD);

const isThere = (part: ModulePart | undefined): boolean => part !== undefined;

const factsOf = (statement: Statement): StatementFacts => statement.facts;

function shift(statement: Statement | undefined, by: number): void {
  if (statement === undefined) return;
  statement.start += by;
  statement.first += by;
  statement.end += by;
  statement.pending += by;
}

function settle(statement: Statement): void {
  if (statement.pending === 0) return;
  statement.positioned ??= positionedIn(statement.facts);
  move(statement.positioned, statement.pending);
  statement.pending = 0;
}

/** Texts and regular expressions end with their line at the latest, so none is cut. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end;
}

const sameImports = (a: ReadonlyMap<string, ImportFact>, b: ReadonlyMap<string, ImportFact>): boolean =>
  a.size === b.size && [...a].every(([local, { module, name }]) => b.get(local)?.module === module && b.get(local)?.name === name);
