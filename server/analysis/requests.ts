// The requests that a pack sends: every fetch of its files, with what the callers of the function around it give, and the functions of
// the pack (formulas, tables, naming of accounts) that lead to it.

import { propertyOf } from "./config.ts";
import { type ContextCall, type FunctionFact, isFetcherName } from "./context-facts.ts";
import { find } from "./declarations.ts";
import { keptWith } from "./kept-with.ts";
import type { FileFacts, ObjectValue, PackModel, Place, Property, Span, Value } from "./model.ts";
import { type Given, knownBeginning, type Piece, piecesOf } from "./text-pieces.ts";

export interface PackRequest {
  readonly call: ContextCall;
  /** `context.fetcher.fetch`: what is called. */
  readonly place: Place;
  /** What is asked for, where that is an object that can be read. */
  readonly options?: ObjectValue;
  /** What it is fetched from, once for each URL that callers give; the place is where the URL is written. */
  readonly urls: readonly RequestUrl[];
}

/** A URL as it is written. */
export interface WrittenUrl {
  readonly place: Place;
  /** The literal that it begins with, where that stands elsewhere: behind a name. Else the same. */
  readonly beginning: Place;
  readonly pieces: readonly Piece[];
  /** Its beginning, as far as the source tells. */
  readonly known: string;
  /** Nothing comes behind what is known. */
  readonly whole: boolean;
  /** In lower case; undefined where it is computed or there is none. */
  readonly host?: string;
  /** To be joined to the account's endpoint: `/path`. */
  readonly relative: boolean;
}

export interface RequestUrl extends WrittenUrl {
  /** Asked for only where the endpoint is known to be there, by whoever asks. */
  readonly guarded: boolean;
}

export interface Requests {
  readonly all: readonly PackRequest[];
  /** Requests and uses that a function leads to, itself or by functions that it hands the context to. */
  reachedFrom(functionValue: Value & { readonly kind: "function" }): Reach;
}

export interface Reach {
  readonly requests: ReadonlySet<PackRequest>;
  /** The functions, as spans of files: the first is the one asked about. */
  readonly functions: readonly Place[];
  /** Calls in the functions, by which others are reached. */
  readonly calls: readonly { readonly call: ContextCall; readonly to: Place }[];
}

/** A helper that calls a helper that calls a helper. */
const DEEPEST = 4;
/** A helper that is called from everywhere: more callers tell nothing new. */
const MOST_URLS = 500;

/** An absolute URL whose host is all there. */
const PLACED = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i;

export const requestsOf = keptWith(collectRequests);

const keyOf = ({ file, start }: { file: string; start: number }): string => `${start}:${file}`;

function collectRequests(pack: PackModel): Requests {
  const factsOf = new Map(pack.facts.map((facts) => [facts.file, facts]));
  const callers = new Map<string, ContextCall[]>();
  const targets = new Map<ContextCall, Place>();
  const fetches: ContextCall[] = [];
  for (const facts of pack.facts)
    for (const call of facts.contextCalls) {
      if (isFetch(call, pack)) {
        fetches.push(call);
        continue;
      }
      const target = call.callee.kind === "reference" ? pack.resolve(call.callee) : call.callee;
      if (target.kind !== "function") continue;
      targets.set(call, target);
      const list = callers.get(keyOf(target));
      if (list === undefined) callers.set(keyOf(target), [call]);
      else list.push(call);
    }

  const all = fetches.map((call) => readRequest(pack, call, factsOf, callers));
  const byCall = new Map(all.map((request) => [request.call, request]));

  return {
    all,
    reachedFrom(start) {
      const seen = new Map<string, Place>();
      const requests = new Set<PackRequest>();
      const calls: { call: ContextCall; to: Place }[] = [];
      const queue: Place[] = [start];
      for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
        if (seen.has(keyOf(place))) continue;
        seen.set(keyOf(place), place);
        for (const call of callsWithin(factsOf.get(place.file)?.contextCalls ?? [], place)) {
          const request = byCall.get(call);
          if (request !== undefined) requests.add(request);
          const to = targets.get(call);
          if (to === undefined) continue;
          calls.push({ call, to });
          queue.push(to);
        }
      }
      return { requests, calls, functions: [...seen.values()] };
    },
  };
}

/** The platform's fetch, or a name that stands for it. */
function isFetch({ callee, fetches }: ContextCall, pack: PackModel): boolean {
  if (fetches !== "maybe" || callee.kind !== "reference") return fetches === "yes";
  const meant = pack.resolve(callee);
  return meant.kind === "unknown" && meant.path?.at(-1) === "fetch" && isFetcherName(meant.path.at(-2));
}

/** Those that stand in the span; the calls are sorted by their start. */
function callsWithin(calls: readonly ContextCall[], span: Span): readonly ContextCall[] {
  let low = 0;
  for (let high = calls.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((calls[middle]?.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < calls.length && (calls[end]?.start ?? span.end) < span.end) end++;
  return calls.slice(low, end);
}

function readRequest(
  pack: PackModel,
  call: ContextCall,
  factsOf: ReadonlyMap<string, FileFacts>,
  callers: ReadonlyMap<string, readonly ContextCall[]>,
): PackRequest {
  const [argument] = call.arguments;
  const resolved = argument === undefined ? undefined : pack.resolve(argument);
  const options = resolved?.kind === "object" ? resolved : undefined;
  const property = options && propertyOf(options, "url");
  const urls: RequestUrl[] = [];

  /** The parameter that an unknown value is: of which function, the how manieth, and what of it. */
  const parameterOf = (
    unknown: Value & { kind: "unknown" },
  ): { owner: FunctionFact; index: number; rest: readonly string[] } | undefined => {
    const [head, ...rest] = unknown.path ?? [];
    if (head === undefined || head === "") return undefined;
    let found: { owner: FunctionFact; index: number; rest: readonly string[] } | undefined;
    for (const owner of factsOf.get(unknown.file)?.functions ?? []) {
      const index = owner.start <= unknown.start && unknown.start < owner.end ? owner.parameters.indexOf(head) : -1;
      if (index >= 0 && (found === undefined || owner.start > found.owner.start)) found = { owner, index, rest };
    }
    // A local name that hides the parameter.
    const declaration = found && find(factsOf.get(unknown.file)?.declarations.get(head), unknown.start);
    return declaration !== undefined && found !== undefined && declaration.start > found.owner.start ? undefined : found;
  };

  const add = (value: Value, given: Given, depth: number, asking: Asking): void => {
    if (urls.length >= MOST_URLS) return;
    if (value.kind === "choice") {
      for (const option of value.options) add(option, given, depth, { ...asking, chosen: true });
      return;
    }
    const pieces = piecesOf(value, pack.resolve, given);
    const open = pieces.find((piece): piece is Piece & { kind: "unknown" } => piece.kind === "unknown");
    // What is known already says where it goes.
    const mayBeGiven = open?.path !== undefined && !asking.chosen && depth < DEEPEST && !PLACED.test(knownBeginning(pieces).text);
    const asked = mayBeGiven ? parameterOf(open) : undefined;
    const owner = asked && { file: open?.file ?? "", start: asked.owner.start, end: asked.owner.end };
    const sites = owner === undefined ? [] : (callers.get(keyOf(owner)) ?? []);
    if (asked === undefined || owner === undefined || sites.length === 0 || isWorkedOn(open?.path ?? [], owner, factsOf)) {
      urls.push({ ...urlOf(value, pieces), guarded: asking.guarded });
      return;
    }
    for (const site of sites) {
      const environment: Given = (unknown) => {
        const parameter = parameterOf(unknown);
        if (parameter?.owner.start !== asked.owner.start) return given(unknown);
        const own = site.arguments[parameter.index];
        return own === undefined ? undefined : withinObject(own, parameter.rest, pack);
      };
      // The URL is written where the caller gives all of it.
      const whole = pieces.length === 1 && open !== undefined ? environment({ ...open, kind: "unknown" }) : undefined;
      add(whole ?? value, environment, depth + 1, { ...asking, guarded: asking.guarded || site.guarded });
    }
  };

  const asking = { chosen: false, guarded: call.guarded };
  if (property?.value.kind === "string")
    urls.push({ ...urlOf(property.value, piecesOf(property.value, pack.resolve)), guarded: call.guarded });
  else if (property !== undefined) add(property.value, () => undefined, 0, asking);
  else if (resolved?.kind === "unknown" && resolved.path !== undefined && argument !== undefined)
    add({ ...resolved, path: [...resolved.path, "url"] }, () => undefined, 0, asking);
  const { callee, file } = call;
  return {
    call,
    place: { file, start: callee.start, end: callee.end },
    ...(options === undefined ? {} : { options }),
    urls,
  };
}

/** How a URL is come by. */
interface Asking {
  /** One of several, by a condition that is not looked into: what callers give may go another way. */
  readonly chosen: boolean;
  readonly guarded: boolean;
}

/**
 * Whether the function does more with a parameter than to hand it on: it assigns to it, or looks at what it is like, as helpers do that
 * take paths as well as whole URLs. What callers give is then not what is asked for.
 */
function isWorkedOn(path: readonly string[], owner: Place, factsOf: ReadonlyMap<string, FileFacts>): boolean {
  const facts = factsOf.get(owner.file);
  const [head = ""] = path;
  if (facts === undefined || facts.declarations.isWritten(head, owner)) return true;
  // Some function of the pack puts URLs into what it is given.
  if (path.length > 1 && facts.declarations.isHandedOn(head, owner) && [...factsOf.values()].some((file) => WRITES_URL.test(file.text)))
    return true;
  return looksAt(path).test(facts.text.slice(owner.start, owner.end));
}

/** By the names of the path, which in most packs are the same few: compiled anew for each request, they take longer than all the rest. */
const looks = new Map<string, RegExp>();
const MOST_LOOKS = 100;

/** What matches a look at the value of the path. */
function looksAt(path: readonly string[]): RegExp {
  const key = JSON.stringify(path);
  const known = looks.get(key);
  if (known !== undefined) return known;
  const escaped = path.map((step) => step.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const name = `(?<![\\w$])(?:${escaped.join("\\??\\.")}|${escaped.at(-1)})`;
  const made = new RegExp(
    `${name}(?:\\s*\\??\\.(?:startsWith|endsWith|includes|match|search|indexOf|charAt|at|slice|substr|substring|split)\\b|\\[|\\s*[!=]==?)|(?:\\.(?:test|exec|parse|canParse)|\\b(?:is|has)\\w*)\\(\\s*${name}(?![\\w$])`,
  );
  if (looks.size >= MOST_LOOKS) looks.clear();
  looks.set(key, made);
  return made;
}

const WRITES_URL = /\.url\s*(?:\+|\?\?|\|\|)?=(?![=>])|\bObject\.assign\b/;

/** The property of what a caller gives, or all of it. */
function withinObject(value: Value, path: readonly string[], pack: PackModel): Value | undefined {
  let found: Value | undefined = value;
  for (const name of path) {
    const object: Value = pack.resolve(found);
    if (object.kind === "unknown" && object.path !== undefined) return { ...object, path: [...object.path, ...path] };
    found = object.kind === "object" ? object.properties.findLast((property: Property) => property.name === name)?.value : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** What a value says of itself as the URL of a request. */
export function urlOf(value: Value, pieces: readonly Piece[]): WrittenUrl {
  const { text, whole } = knownBeginning(pieces);
  const host = hostOf(text, whole);
  const { file, start, end } = value;
  const [first] = pieces;
  const isElsewhere = first?.kind === "text" && (first.file !== file || first.start < start || end < first.end);
  return {
    place: { file, start, end },
    beginning: isElsewhere ? { file: first.file, start: first.start, end: first.end } : { file, start, end },
    pieces,
    known: text,
    whole,
    ...(host === undefined ? {} : { host }),
    relative: text.startsWith("/") && !text.startsWith("//"),
  };
}

/** The host of an absolute URL whose end is seen. */
export function hostOf(text: string, whole: boolean): string | undefined {
  const match = /^https?:\/\/(?:[^/?#@]*@)?([a-z0-9.-]+)(?::\d+)?([/?#]|$)/i.exec(text);
  return match?.[1] === undefined || (match[2] === "" && !whole) ? undefined : match[1].toLowerCase().replace(/\.$/, "");
}
