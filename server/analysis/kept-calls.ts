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
  readonly lookups: Lookups;
}

/** Reads what is called, and nothing of what it is given. */
export function readCall(call: ContextCall, resolve: (value: Value) => Value): KnownCall {
  const { callee, fetches } = call;
  if (fetches === "yes") return { call, isRequest: true, target: undefined, goesTo: undefined, shows: 0 };
  const meant = callee.kind === "reference" ? resolve(callee) : callee;
  const isRequest = fetches === "maybe" && meant.kind === "unknown" && meant.path?.at(-1) === "fetch" && isFetcherName(meant.path.at(-2));
  return { call, isRequest, target: !isRequest && meant.kind === "function" ? meant : undefined, goesTo: undefined, shows: 0 };
}

/** The place of a function → the calls of it. */
export function callersIn(calls: readonly KnownCall[]): Surroundings["callers"] {
  let byTarget: Map<string, ContextCall[]> | undefined;
  return (owner) => {
    byTarget ??= new Map();
    if (byTarget.size === 0)
      for (const { call, target } of calls) {
        if (target === undefined) continue;
        const list = byTarget.get(keyOf(target));
        if (list === undefined) byTarget.set(keyOf(target), [call]);
        else list.push(call);
      }
    return byTarget.get(keyOf(owner)) ?? [];
  };
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

  /** In the order of the pack's facts, read as far as they are not known; undefined where these are of an earlier state. */
  of(facts: readonly FileFacts[]): readonly KnownCall[] | undefined {
    for (const one of facts) if (this.#sources.facts(one.file) !== one) return undefined;
    const touched = this.#touched(facts);
    const before = this.#calls;
    const now = facts.length === 1 && facts[0] !== undefined ? facts[0].contextCalls : facts.flatMap(({ contextCalls }) => contextCalls);
    let first = 0;
    while (first < now.length && before[first]?.call === now[first]) first++;
    let last = 0;
    while (last < now.length - first && before[before.length - 1 - last]?.call === now[now.length - 1 - last]) last++;
    const moved = before.length - now.length;
    const old = (index: number): KeptCall | undefined =>
      index < first ? before[index] : index >= now.length - last ? before[index + moved] : undefined;

    const afterOthers = createForeignChanges(this.#files, this.#sources);
    const resolver = (lookups: Lookups) => createResolver(this.#sources, afterOthers, lookups);
    const start = (call: ContextCall): KeptCall => {
      const lookups = new Lookups();
      return { ...readCall(call, resolver(lookups)), lookups };
    };
    let isSame = before.length === now.length;
    const calls = now.map((call, index) => {
      const known = old(index);
      if (known !== undefined && this.#holds(known, touched)) return known;
      isSame = false;
      return start(call);
    });
    const hasSameCallers = isSame || isSameList(before.filter(handsOn), calls.filter(handsOn));
    const callers = callersIn(calls);
    const byFile = new Map(facts.map((one) => [one.file, one]));
    for (let index = 0; index < calls.length; index++) {
      const known = calls[index];
      if (known === undefined || !known.isRequest) continue;
      const { lookups } = known;
      if (known.goesTo !== undefined && (hasSameCallers || !lookups.callers)) continue;
      const call = known.goesTo === undefined ? known : start(known.call);
      const around: Surroundings = {
        resolve: resolver(call.lookups),
        facts: (file) => byFile.get(file),
        files: () => facts,
        callers,
        lookups: call.lookups,
      };
      call.goesTo = readUrls(call.call, around).map(withoutPlaces);
      call.shows = requestSigns(call.call, call.goesTo);
      calls[index] = call;
      isSame = false;
    }
    if (!isSame) this.#calls = calls;
    return this.#calls;
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

  #holds({ target, lookups }: KeptCall, touched: Touched): boolean {
    if (touched === undefined || lookups.texts || (target !== undefined && lookups.fromFunctions)) return false;
    if (touched === NOTHING) return true;
    if (lookups.shared && this.#files.length > 1) return false;
    for (const [file, names] of touched) {
      const own = lookups.names.get(file);
      if (own === undefined) continue;
      for (const name of names) if (own.has(name)) return false;
    }
    return true;
  }
}

const handsOn = ({ target }: KnownCall): boolean => target !== undefined;

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

const withoutPlaces = ({ known, whole, host, relative, text, guarded }: RequestText): RequestText => ({
  known,
  whole,
  ...(host === undefined ? {} : { host }),
  relative,
  text,
  guarded,
});
