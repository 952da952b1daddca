// The requests that a pack sends: every fetch of its files, with the URLs that callers pass and the headers that it sets. Also the
// functions of the pack (formulas, tables, naming of accounts) that lead to each request.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import { formulaOf, propertyOf } from "../configuration/config.ts";
import type { ContextCall } from "../model/context-facts.ts";
import type { FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, FunctionValue, Instance, ObjectValue, Place, Property, Resolve, Span } from "../model/values.ts";
import { callersOf } from "../pack/parameter-binding.ts";
import { isFetcherName } from "../syntax/context-facts.ts";
import { openPath } from "../syntax/expressions.ts";
import { isWrittenByItself } from "../syntax/names/substitute-arguments.ts";
import { isOfClass, isWithin, optionsOf, parameterAt, type RequestUrl, readUrls, type Surroundings, writesUrl } from "./read-request.ts";

export interface PackRequest {
  readonly call: ContextCall;
  /** The place of the callee, such as `context.fetcher.fetch`. */
  readonly place: Place;
  /** The request's options, if they are an object that can be read. */
  readonly options: ObjectValue | undefined;
  /** The URLs of the request, one for each URL that callers pass; the place is where the URL is written. */
  readonly urls: readonly RequestUrl[];
}

interface Requests {
  readonly all: readonly PackRequest[];
  /** Returns the calls of a function that pass a context. */
  callers(owner: Place): readonly ContextCall[];
  /** Returns the requests and uses that a function leads to, itself or through functions that receive its context. */
  reachedFrom(functionValue: FunctionValue): Reach;
}

export interface Reach {
  readonly requests: ReadonlySet<PackRequest>;
  /** The reached functions, as spans of files; the first is the start. */
  readonly functions: readonly Place[];
  /** The calls in these functions that reach others. */
  readonly calls: readonly { readonly call: ContextCall; readonly to: Place }[];
}

export const requestsOf = (pack: PackModel): Requests => pack.memo(pack, collectRequests);

function collectRequests(pack: PackModel): Requests {
  const requestCache = pack.resolverMemo(pack.resolve, createRequestCache);
  const calls = pack.facts.flatMap(({ contextCalls }) => contextCalls.map(requestCache.read));
  const executes = [
    ...pack.runnables.map((runnable) => formulaOf(pack, runnable)).map((formula) => formula && propertyOf(formula, "execute")),
    ...pack.auths.flatMap(({ config }) => config.properties),
  ].map((property) => ({ target: functionBehind(pack, property) }));
  const byFile = new Map(pack.facts.map((facts) => [facts.file, facts]));
  const around: Surroundings = {
    resolve: pack.resolve,
    objectsAround: (at, field) =>
      pack.facts.some(({ text }) => writesField(field).test(text))
        ? []
        : [
            ...pack.memo(pack, constructed).filter((object) => isOfClass(object.class, at, around)),
            ...receiversIn(calls, at).filter((object) => !isWrittenByItself(object, byFile.get(object.place.file))),
          ],
    options: pack.options,
    facts: (file) => byFile.get(file),
    files: () => pack.facts,
    callers: callersIn(calls),
    otherCallers: (owner) => callersOf(owner, pack.facts, pack.resolve).map(({ site }) => ({ ...site, guarded: false })),
    bindsIn: (owner) =>
      [...executes, ...calls].flatMap(({ target }) => (target?.bind !== undefined && isWithin(target.place, owner) ? [target.bind] : [])),
  };
  const urls = requestCache.urlsWith([...executes, ...calls], pack.facts);
  const all = calls.flatMap(({ call, isRequest }) => (isRequest ? [new SentRequest(call, around, urls)] : []));
  return { all, callers: around.callers, reachedFrom: (start) => reachedFrom(start.place, calls, all, byFile) };
}

/** Returns the objects that `new` creates. Code that has such an object may call its methods. */
const constructed = ({ facts }: PackModel): readonly Instance[] =>
  facts.flatMap(({ text, callsOf }) =>
    [...new Set([...text.matchAll(/\bnew\s+(\w+)/g)].map(([, name = ""]) => name))]
      .flatMap(callsOf)
      .map(({ place, callee, arguments: args }) => ({ kind: "instance", place, class: callee, arguments: args, isShared: true })),
  );

/** Returns the objects on which code calls the method around the place. */
const receiversIn = (calls: readonly Target[], at: Place): readonly ObjectValue[] =>
  calls.flatMap(({ target }) => (target?.receiver?.kind === "object" && isWithin(at, target.place) ? [target.receiver] : []));

/** Returns an expression that matches code that may write to the field of an object, other than by `this`. */
const writesField = (name: string): RegExp =>
  new RegExp(`(?<!\\bthis)[?!]?\\.${name.replaceAll("$", "\\$")}\\s*=(?![=>])|\\bObject\\.assign\\b`);

/** Returns the function that the platform calls, if another function made it. */
function functionBehind(pack: PackModel, property: Property | undefined): FunctionValue | undefined {
  const value = property === undefined || property.value.kind === "function" ? undefined : pack.resolve(property.value);
  return value?.kind === "function" ? value : undefined;
}

/** A class, since an object literal with getters gets its own hidden class at each request, which outlives the object. */
class SentRequest implements PackRequest {
  readonly #around: Surroundings;
  readonly #urls: UrlsByCall;
  #own: readonly RequestUrl[] | undefined;
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
    const before = this.#urls.get(this.call);
    if (before !== undefined) return before;
    const urls = this.#own ?? readUrls(this.call, this.#around);
    // Any edit may create another object.
    if (urls.some(({ ofObject }) => ofObject)) this.#own = urls;
    else this.#urls.set(this.call, urls);
    return urls;
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
      const to = resolvedCalls.get(call)?.target?.place;
      if (to === undefined) continue;
      reached.push({ call, to });
      queue.push(to);
    }
  }
  return { requests, calls: reached, functions: [...visitedPlaces.values()] };
}

/** Returns the calls in the span. The calls are sorted by their start. */
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
  /** Returns the URLs that were read while the same helpers were called, since a request's URLs depend on its function's callers. */
  urlsWith(calls: readonly Target[], files: readonly FileFacts[]): UrlsByCall;
}

function createRequestCache(resolve: Resolve): RequestCache {
  const calls = new WeakMap<ContextCall, ResolvedCall>();
  let urls: UrlsByCall = new WeakMap();
  let helpers: readonly unknown[] = [];
  let isWritten = false;
  return {
    read: (call) => getOrInsert(calls, call, () => readCall(call, resolve)),
    urlsWith(all, files) {
      const helperCalls = all.flatMap(({ call, target }) => (target === undefined ? [] : [call ?? target]));
      const mayWrite = helperCalls.length > 0 && writesUrl(files);
      const isSame = helperCalls.length === helpers.length && helperCalls.every((call, index) => call === helpers[index]);
      if (!isSame || mayWrite !== isWritten) urls = new WeakMap();
      helpers = helperCalls;
      isWritten = mayWrite;
      return urls;
    },
  };
}

/** A call, and what it calls. */
interface ResolvedCall extends Target {
  readonly call: ContextCall;
  readonly isRequest: boolean;
}

interface Target {
  readonly call?: ContextCall;
  /** The called function, if it belongs to the pack. */
  readonly target: FunctionValue | undefined;
}

/** Reads the callee of a call, and none of its arguments. */
function readCall(call: ContextCall, resolve: Resolve): ResolvedCall {
  const { callee, fetches } = call;
  if (fetches === "yes") return { call, isRequest: true, target: undefined };
  const calleeValue = callee.kind === "reference" || callee.kind === "call" ? resolve(callee) : callee;
  const path = fetches === "maybe" ? openPath(calleeValue) : undefined;
  const isRequest = path !== undefined && path[path.length - 1] === "fetch" && isFetcherName(path[path.length - 2]);
  return { call, isRequest, target: !isRequest && calleeValue.kind === "function" ? calleeValue : undefined };
}

/** Returns a look-up from the place of a function to its calls. */
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
    getOrInsert(byTarget, keyOf(target.place), () => []).push(call);
  }
  return byTarget;
}

/** Returns a key for a function by its start. */
export const keyOf = ({ file, start }: { readonly file: string; readonly start: number }): string => `${start}:${file}`;

/** Whether the pack declares a fetch function, which may build another URL from its arguments, under any name. */
export const hasOwnFetch = (pack: PackModel): boolean => pack.memo(pack, findOwnFetch);
const findOwnFetch = ({ facts }: PackModel): boolean =>
  facts.some(
    ({ uses, declarations }) => uses("defines", "fetch") || declarations.get("fetch")?.some(({ value }) => value?.kind === "function"),
  );

interface SetHeader {
  readonly header: Property;
  /** The object that contains the header, as far as it could be read. */
  readonly headers: ObjectValue;
  /** The request in the source, which is the caller's if a helper receives all of it. */
  readonly request: PackRequest;
}

/** Returns every header that the request sets or may set. */
export function headersOf(pack: PackModel, request: PackRequest): readonly SetHeader[] {
  const byRequest = pack.memo(pack, newHeaders);
  const before = byRequest.get(request);
  if (before !== undefined) return before;
  const headers = readHeaders(pack, request);
  byRequest.set(request, headers);
  return headers;
}
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
  // A property without a place of its own is unknown.
  for (const source of headers.merged?.sources ?? [])
    for (const header of source.properties)
      if (header.span.end > header.span.start && !setHeaders.some(({ header: other }) => isSame(header, other)))
        setHeaders.push({ header, headers, request });
}

/** Returns the request itself. If a condition or a caller decides about its argument, returns one request for each argument. */
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

/** Maximum number of nested helper calls. */
const DEEPEST = 4;

/** Returns the objects that a value may be. For a parameter that is passed on unchanged, returns the callers' arguments. */
const objectsOf = (pack: PackModel, value: Expression, call: ContextCall, depth = 0): readonly ObjectValue[] =>
  pack.options(value).flatMap((option) => readArgumentObjects(pack, option, call, depth));

function readArgumentObjects(pack: PackModel, value: Expression, call: ContextCall, depth: number): readonly ObjectValue[] {
  const resolved = pack.resolve(value);
  if (resolved.kind === "object") return [resolved];
  if (resolved.kind !== "parameter" || resolved.path.length !== 1 || depth > DEEPEST) return [];
  const [name = ""] = resolved.path;
  const facts = pack.facts.find(({ file }) => file === resolved.place.file);
  const parameter = parameterAt(resolved, facts);
  if (facts === undefined || parameter === undefined) return [];
  const { index, owner } = parameter;
  const { declarations } = facts;
  // Any other function that receives the parameter may change it.
  if (declarations.isWritten(name, owner.place) || declarations.isPassed(name, owner.place, call.place)) return [];
  const standard = facts.functionAt(owner.place)?.bindings.find((binding) => binding.index === index)?.standard;
  return requestsOf(pack)
    .callers(owner.place)
    .flatMap((site) => {
      const argument = site.arguments[index] ?? standard;
      return argument === undefined ? [] : objectsOf(pack, argument, site, depth + 1);
    });
}

const isSame = (one: Property, other: Property): boolean =>
  one.nameSpan.file === other.nameSpan.file && one.nameSpan.start === other.nameSpan.start;
