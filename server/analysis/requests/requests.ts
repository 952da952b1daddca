// The requests that a pack sends: every fetch of its files, with what the callers of the function around it give, the headers that it sets,
// and the functions of the pack (formulas, tables, naming of accounts) that lead to it.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import { propertyOf } from "../configuration/config.ts";
import type { ContextCall } from "../model/context-facts.ts";
import type { FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Place, Property, Resolve, Span, Value } from "../model/values.ts";
import { isFetcherName } from "../syntax/context-facts.ts";
import { isWithin, optionsOf, parameterAt, type RequestUrl, readUrls, type Surroundings, writesUrl } from "./read-request.ts";

export interface PackRequest {
  readonly call: ContextCall;
  /** `context.fetcher.fetch`: what is called. */
  readonly place: Place;
  /** What is asked for, where that is an object that can be read. */
  readonly options: ObjectValue | undefined;
  /** What it is fetched from, once for each URL that callers give; the place is where the URL is written. */
  readonly urls: readonly RequestUrl[];
}

interface Requests {
  readonly all: readonly PackRequest[];
  /** The calls of a function with a context among their arguments. */
  callers(owner: Place): readonly ContextCall[];
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

export const requestsOf = (pack: PackModel): Requests => pack.memo(pack, collectRequests);

function collectRequests(pack: PackModel): Requests {
  const requestCache = pack.resolverMemo(pack.resolve, createRequestCache);
  const calls = pack.facts.flatMap(({ contextCalls }) => contextCalls.map(requestCache.read));
  const byFile = new Map(pack.facts.map((facts) => [facts.file, facts]));
  const around: Surroundings = {
    resolve: pack.resolve,
    options: pack.options,
    facts: (file) => byFile.get(file),
    files: () => pack.facts,
    callers: callersIn(calls),
  };
  const urls = requestCache.urlsWith(calls, pack.facts);
  const all = calls.flatMap(({ call, isRequest }) => (isRequest ? [new SentRequest(call, around, urls)] : []));
  return { all, callers: around.callers, reachedFrom: (start) => reachedFrom(start.place, calls, all, byFile) };
}

/** A class: an object literal with getters has a shape of its own at each request, which outlives it. */
class SentRequest implements PackRequest {
  readonly #around: Surroundings;
  readonly #urls: UrlsByCall;
  readonly call: ContextCall;

  constructor(call: ContextCall, around: Surroundings, urls: UrlsByCall) {
    this.call = call;
    this.#around = around;
    this.#urls = urls;
  }

  get place(): Place {
    return this.call.callee.place;
  }

  get options(): ObjectValue | undefined {
    return optionsOf(this.call, this.#around.resolve);
  }

  get urls(): readonly RequestUrl[] {
    return getOrInsert(this.#urls, this.call, () => readUrls(this.call, this.#around));
  }
}

function reachedFrom(
  start: Place,
  calls: readonly ResolvedCall[],
  all: readonly PackRequest[],
  byFile: ReadonlyMap<string, FileFacts>,
): Reach {
  const resolvedCalls = new Map(calls.map((one) => [one.call, one]));
  const byCall = new Map(all.map((request) => [request.call, request]));
  const visitedPlaces = new Map<string, Place>();
  const requests = new Set<PackRequest>();
  const reached: { call: ContextCall; to: Place }[] = [];
  const queue: Place[] = [start];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (visitedPlaces.has(keyOf(place))) continue;
    visitedPlaces.set(keyOf(place), place);
    for (const call of callsWithin(byFile.get(place.file)?.contextCalls ?? [], place)) {
      const request = byCall.get(call);
      if (request !== undefined) requests.add(request);
      const to = resolvedCalls.get(call)?.target;
      if (to === undefined) continue;
      reached.push({ call, to });
      queue.push(to);
    }
  }
  return { requests, calls: reached, functions: [...visitedPlaces.values()] };
}

/** Those that stand in the span; the calls are sorted by their start. */
function callsWithin(calls: readonly ContextCall[], span: Span): readonly ContextCall[] {
  let low = 0;
  for (let high = calls.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((calls[middle]?.place.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < calls.length && (calls[end]?.place.start ?? span.end) < span.end) end++;
  return calls.slice(low, end);
}

type UrlsByCall = WeakMap<ContextCall, readonly RequestUrl[]>;

interface RequestCache {
  readonly read: (call: ContextCall) => ResolvedCall;
  /** The URLs that were read while the same helpers were called: what a request goes to hangs on what the callers of its function give. */
  urlsWith(calls: readonly ResolvedCall[], files: readonly FileFacts[]): UrlsByCall;
}

function createRequestCache(resolve: Resolve): RequestCache {
  const calls = new WeakMap<ContextCall, ResolvedCall>();
  let urls: UrlsByCall = new WeakMap();
  let helpers: readonly ResolvedCall[] = [];
  let isWritten = false;
  return {
    read: (call) => getOrInsert(calls, call, () => readCall(call, resolve)),
    urlsWith(all, files) {
      const helperCalls = all.filter(({ target }) => target !== undefined);
      const mayWrite = helperCalls.length > 0 && writesUrl(files);
      const isSame = helperCalls.length === helpers.length && helperCalls.every((call, index) => call === helpers[index]);
      if (!isSame || mayWrite !== isWritten) urls = new WeakMap();
      helpers = helperCalls;
      isWritten = mayWrite;
      return urls;
    },
  };
}

/** What a call comes to. */
interface ResolvedCall {
  readonly call: ContextCall;
  readonly isRequest: boolean;
  /** The function that is called, where it is one of the pack's. */
  readonly target: Place | undefined;
}

/** Reads what is called, and nothing of what it is given. */
function readCall(call: ContextCall, resolve: Resolve): ResolvedCall {
  const { callee, fetches } = call;
  if (fetches === "yes") return { call, isRequest: true, target: undefined };
  const calleeValue = callee.kind === "reference" ? resolve(callee) : callee;
  const path = fetches === "maybe" && calleeValue.kind === "unknown" ? calleeValue.path : undefined;
  const isRequest = path !== undefined && path[path.length - 1] === "fetch" && isFetcherName(path[path.length - 2]);
  return { call, isRequest, target: !isRequest && calleeValue.kind === "function" ? calleeValue.place : undefined };
}

/** The place of a function → the calls of it. */
function callersIn(calls: readonly ResolvedCall[]): Surroundings["callers"] {
  let byTarget: Map<string, ContextCall[]> | undefined;
  return (owner) => {
    byTarget ??= byTargetOf(calls);
    return byTarget.get(keyOf(owner)) ?? [];
  };
}

function byTargetOf(calls: readonly ResolvedCall[]): Map<string, ContextCall[]> {
  const byTarget = new Map<string, ContextCall[]>();
  for (const { call, target } of calls) {
    if (target === undefined) continue;
    getOrInsert(byTarget, keyOf(target), () => []).push(call);
  }
  return byTarget;
}

/** A function, by where it starts. */
export const keyOf = ({ file, start }: { readonly file: string; readonly start: number }): string => `${start}:${file}`;

/** `fetch: (request) => …`, `async fetch(request) { … }`. */
const OWN_FETCH = /\bfetch\s*(?::\s*(?:async\b|function\b|\(|\w+\s*=>)|(?:<[^<>]*>)?\([^()]*\)\s*(?::[^={}():]*)?\{)/;

/** A fetch of one's own may make another URL of what it is given, under whichever name it comes. */
export const hasOwnFetch = (pack: PackModel): boolean => pack.memo(pack, findOwnFetch);
const findOwnFetch = ({ facts }: PackModel): boolean => facts.some(({ text }) => OWN_FETCH.test(text));

interface SetHeader {
  readonly header: Property;
  /** The object that holds it, as far as that is read. */
  readonly headers: ObjectValue;
  /** The request as it is written: by a caller, where a helper is given all of it. */
  readonly request: PackRequest;
}

/** Each that it sets, or may set. */
export const headersOf = (pack: PackModel, request: PackRequest): readonly SetHeader[] =>
  getOrInsert(pack.memo(pack, newHeaders), request, () => readHeaders(pack, request));
const newHeaders = (): Map<PackRequest, readonly SetHeader[]> => new Map();

function readHeaders(pack: PackModel, request: PackRequest): readonly SetHeader[] {
  const setHeaders: SetHeader[] = [];
  for (const sourceRequest of asWritten(pack, request)) {
    const property = sourceRequest.options && propertyOf(sourceRequest.options, "headers");
    for (const headers of property === undefined ? [] : objectsOf(pack, property.value, request.call))
      addHeaders(setHeaders, headers, sourceRequest);
  }
  return setHeaders;
}

function addHeaders(setHeaders: SetHeader[], headers: ObjectValue, request: PackRequest): void {
  for (const header of headers.properties) setHeaders.push({ header, headers, request });
  // What may be there stands in no place of its own where nothing is known of it.
  for (const source of headers.sources ?? [])
    for (const header of source.properties)
      if (header.span.end > header.span.start && !setHeaders.some(({ header: other }) => isSame(header, other)))
        setHeaders.push({ header, headers, request });
}

/** The request itself; of one that a condition chooses, or that a helper is given, as each is written. */
function asWritten(pack: PackModel, request: PackRequest): readonly PackRequest[] {
  const [argument] = request.call.arguments;
  if (request.options !== undefined || argument === undefined) return [request];
  const { call, place, urls } = request;
  return objectsOf(pack, argument, call).map((options) => ({
    call,
    place,
    options,
    urls: urls.filter((url) => isWithin(url.place, options.place)),
  }));
}

/** A helper calls a helper. */
const DEEPEST = 4;

/** The objects that a value may be; of a parameter that is handed on as it is, those that the callers give. */
const objectsOf = (pack: PackModel, value: Value, call: ContextCall, depth = 0): readonly ObjectValue[] =>
  pack.options(value).flatMap((option) => readArgumentObjects(pack, option, call, depth));

function readArgumentObjects(pack: PackModel, value: Value, call: ContextCall, depth: number): readonly ObjectValue[] {
  const resolved = pack.resolve(value);
  if (resolved.kind === "object") return [resolved];
  if (resolved.kind !== "unknown" || resolved.path?.length !== 1 || depth > DEEPEST) return [];
  const [name = ""] = resolved.path;
  const facts = pack.facts.find(({ file }) => file === resolved.place.file);
  const parameter = parameterAt(resolved, facts);
  if (facts === undefined || parameter === undefined) return [];
  const { index, owner } = parameter;
  const { declarations } = facts;
  // Whoever else gets it may make another of it.
  if (declarations.isWritten(name, owner.place) || declarations.isPassed(name, owner.place, call.place)) return [];
  return requestsOf(pack)
    .callers(owner.place)
    .flatMap((site) => {
      const argument = site.arguments[index];
      return argument === undefined ? [] : objectsOf(pack, argument, site, depth + 1);
    });
}

const isSame = (one: Property, other: Property): boolean =>
  one.nameSpan.file === other.nameSpan.file && one.nameSpan.start === other.nameSpan.start;
