// The calls of a pack that send requests or hand the context on, and what each comes to, kept over edits: few have to do with what is
// typed. What is kept has no places in it, but for functions, which move with their facts. An answer holds as long as its call's own
// statement is the same, and no edit touched a name that was looked up for it; what hangs on more than names is told by its lookups.
import { type ContextCall, isFetcherName } from "./context-facts.ts";
import { Lookups } from "./lookups.ts";
import type { FileFacts, Place, Value } from "./model.ts";
import { type RequestText, readUrls, type Surroundings } from "./read-request.ts";
import { requestSigns } from "./request-signs.ts";
import { createResolver, type PackSources } from "./resolve.ts";
import type { TouchedNames } from "./touched-names.ts";
import { createForeignChanges } from "./written-imports.ts";

/** What a call comes to. */
export interface KnownCall {
  readonly call: ContextCall;
  readonly isRequest: boolean;
  /** The function that is called, where it is one of the pack's. */
  readonly target: Place | undefined;
  /** What a request goes to; undefined where that is not read yet. */
  readonly goesTo: readonly RequestText[] | undefined;
  /** With {@link goesTo}: its signs. */
  readonly shows: number;
}

interface KeptCall extends KnownCall {
  goesTo: readonly RequestText[] | undefined;
  shows: number;
  /** What it hangs on; of one that is not noted, what it hung on when it was the last time. */
  readonly lookups: Lookups | undefined;
  /** Else it is read again at the next look. */
  readonly isNoted: boolean;
}

/** Reads what is called, and nothing of what it is given. */
export function readCall(call: ContextCall, resolve: (value: Value) => Value): KnownCall {
  const { callee, fetches } = call;
  if (fetches === "yes") return { call, isRequest: true, target: undefined, goesTo: undefined, shows: 0 };
  const meant = callee.kind === "reference" ? resolve(callee) : callee;
  const path = fetches === "maybe" && meant.kind === "unknown" ? meant.path : undefined;
  const isRequest = path !== undefined && path[path.length - 1] === "fetch" && isFetcherName(path[path.length - 2]);
  return { call, isRequest, target: !isRequest && meant.kind === "function" ? meant : undefined, goesTo: undefined, shows: 0 };
}

/** The place of a function → the calls of it. */
export function callersIn(calls: readonly KnownCall[]): Surroundings["callers"] {
  let byTarget: Map<string, ContextCall[]> | undefined;
  return (owner) => {
    byTarget ??= byTargetOf(calls);
    return byTarget.get(keyOf(owner)) ?? [];
  };
}

function byTargetOf(calls: readonly KnownCall[]): Map<string, ContextCall[]> {
  const byTarget = new Map<string, ContextCall[]>();
  for (const { call, target } of calls) {
    if (target === undefined) continue;
    const list = byTarget.get(keyOf(target));
    if (list === undefined) byTarget.set(keyOf(target), [call]);
    else list.push(call);
  }
  return byTarget;
}

/** A function, by where it starts. */
export const keyOf = ({ file, start }: { readonly file: string; readonly start: number }): string => `${start}:${file}`;

/** Names that edits touched since the last look, by file; undefined where anything may have changed. */
type Touched = ReadonlyMap<string, ReadonlySet<string>> | undefined;

const NOTHING = new Map<string, ReadonlySet<string>>();

/** Of one pack, as long as its files are the same ones and lead where they did. */
export class KeptCalls {
  readonly #sources: PackSources;
  readonly #files: readonly string[];
  #calls: readonly KeptCall[] = [];
  #moments: readonly { readonly touched: TouchedNames; readonly at: number }[] = [];

  constructor(sources: PackSources, files: readonly string[]) {
    this.#sources = sources;
    this.#files = files;
  }

  /**
   * In the order of the pack's facts, read as far as they are not known; undefined where these are of an earlier state. What is typed in
   * is read anew at each key, as is what hangs on it: what is looked up is noted once that is over, since to note it takes time too.
   */
  of(facts: readonly FileFacts[], resolve: (value: Value) => Value): readonly KnownCall[] | undefined {
    for (const one of facts) if (this.#sources.facts(one.file) !== one) return undefined;
    const touched = this.#touched(facts);
    const before = this.#calls;
    const [only] = facts;
    const now = facts.length === 1 && only !== undefined ? only.contextCalls : facts.flatMap(({ contextCalls }) => contextCalls);
    const others = createForeignChanges(this.#files, this.#sources);
    const resolverFor = (lookups: Lookups | undefined) =>
      lookups === undefined ? resolve : createResolver(this.#sources, others, lookups);

    const first = sameAtStart(before, now);
    const last = sameAtEnd(before, now, first);
    const calls: KeptCall[] = [];
    let kept = 0;
    for (const [index, call] of now.entries()) {
      const known = index < first ? before[index] : index >= now.length - last ? before[index + before.length - now.length] : undefined;
      const isHit = known === undefined || this.#isHit(known, touched);
      if (known?.isNoted && !isHit) {
        calls.push(known);
        kept++;
        continue;
      }
      const lookups = isHit ? undefined : new Lookups();
      calls.push({ ...readCall(call, resolverFor(lookups)), lookups: lookups ?? known?.lookups, isNoted: !isHit });
    }
    if (kept === before.length && kept === now.length) return before;

    const hasSameCallers = isCalledAlike(before, calls);
    const callers = callersIn(calls);
    for (const [index, known] of calls.entries()) {
      const isRead = known.goesTo !== undefined;
      if (!known.isRequest || (isRead && (hasSameCallers || known.lookups?.callers === false))) continue;
      // Whoever types in a caller goes on doing so.
      const isNoted = known.isNoted && hasSameCallers;
      const lookups = isNoted ? known.lookups : undefined;
      const around: Surroundings = {
        resolve: resolverFor(lookups),
        facts: (file) => facts.find((one) => one.file === file),
        files: () => facts,
        callers,
        lookups,
      };
      const goesTo = readUrls(known.call, around).map(withoutPlaces);
      calls[index] = { ...known, isNoted, goesTo, shows: requestSigns(known.call, goesTo) };
    }
    this.#calls = calls;
    return calls;
  }

  #touched(facts: readonly FileFacts[]): Touched {
    const before = this.#moments;
    const isKnown = before.length === facts.length && facts.every(({ touched }, index) => before[index]?.touched === touched);
    this.#moments = facts.map(({ touched }) => ({ touched, at: touched.now }));
    if (!isKnown) return undefined;
    let all: Map<string, ReadonlySet<string>> = NOTHING;
    for (const [index, { file, touched }] of facts.entries()) {
      const names = touched.since(before[index]?.at ?? 0);
      if (names === undefined) return undefined;
      if (names.size === 0) continue;
      if (all === NOTHING) all = new Map();
      all.set(file, names);
    }
    return all;
  }

  /** Whether edits touched what it hangs on, or nobody can tell. */
  #isHit({ target, lookups }: KeptCall, touched: Touched): boolean {
    if (touched === undefined) return true;
    if (lookups === undefined) return false;
    if (lookups.texts || (target !== undefined && lookups.fromFunctions)) return true;
    if (touched === NOTHING) return false;
    if (lookups.shared && this.#files.length > 1) return true;
    for (const [file, names] of touched) {
      const own = lookups.names.get(file);
      if (own === undefined) continue;
      for (const name of names) if (own.has(name)) return true;
    }
    return false;
  }
}

/** How many calls at the start are the same. */
function sameAtStart(before: readonly KnownCall[], now: readonly ContextCall[]): number {
  let count = 0;
  while (count < now.length && before[count]?.call === now[count]) count++;
  return count;
}

/** How many at the end are, beside those at the start. */
function sameAtEnd(before: readonly KnownCall[], now: readonly ContextCall[], first: number): number {
  let count = 0;
  while (count < now.length - first && before[before.length - 1 - count]?.call === now[now.length - 1 - count]) count++;
  return count;
}

/** Whether the functions of the pack have the same callers. */
function isCalledAlike(before: readonly KnownCall[], now: readonly KnownCall[]): boolean {
  const [old, all] = [before.filter(handsOn), now.filter(handsOn)];
  return old.length === all.length && old.every(({ call, target }, index) => call === all[index]?.call && target === all[index]?.target);
}

const handsOn = ({ target }: KnownCall): boolean => target !== undefined;

const withoutPlaces = ({ known, whole, host, relative, text, guarded }: RequestText): RequestText => ({
  known,
  whole,
  ...(host === undefined ? {} : { host }),
  relative,
  text,
  guarded,
});
