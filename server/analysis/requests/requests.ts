// The requests that a pack sends: every fetch of its files, with what the callers of the function around it give, and the functions of
// the pack (formulas, tables, naming of accounts) that lead to it.

import type { ContextCall } from "../model/context-facts.ts";
import type { FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Place, Span, Value } from "../model/values.ts";
import { callersIn, type KnownCall, keyOf } from "./context-callers.ts";
import { createKnownRequests, type UrlsByCall } from "./known-requests.ts";
import { optionsOf, type RequestUrl, readUrls, type Surroundings } from "./read-request.ts";

export interface PackRequest {
  readonly call: ContextCall;
  /** `context.fetcher.fetch`: what is called. */
  readonly place: Place;
  /** What is asked for, where that is an object that can be read. */
  readonly options: ObjectValue | undefined;
  /** What it is fetched from, once for each URL that callers give; the place is where the URL is written. */
  readonly urls: readonly RequestUrl[];
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

export const requestsOf = (pack: PackModel): Requests => pack.memo(pack, collectRequests);

function collectRequests(pack: PackModel): Requests {
  const known = pack.resolverMemo(pack.resolve, createKnownRequests);
  const calls = pack.facts.flatMap(({ contextCalls }) => contextCalls.map(known.read));
  const byFile = new Map<string, FileFacts>();
  for (const facts of pack.facts) byFile.set(facts.file, facts);
  const around: Surroundings = {
    resolve: pack.resolve,
    options: pack.options,
    facts: (file) => byFile.get(file),
    files: () => pack.facts,
    callers: callersIn(calls),
  };
  const urls = known.urlsWith(calls, pack.facts);
  const all = calls.flatMap(({ call, isRequest }) => (isRequest ? [new SentRequest(call, around, urls)] : []));
  return { all, reachedFrom: (start) => reachedFrom(start.place, calls, all, byFile) };
}

/** One of a state of the pack. */
class SentRequest implements PackRequest {
  readonly call: ContextCall;
  readonly #around: Surroundings;
  readonly #urls: UrlsByCall;

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
    const known = this.#urls.get(this.call);
    if (known !== undefined) return known;
    const urls = readUrls(this.call, this.#around);
    this.#urls.set(this.call, urls);
    return urls;
  }
}

function reachedFrom(
  start: Place,
  calls: readonly KnownCall[],
  all: readonly PackRequest[],
  byFile: ReadonlyMap<string, FileFacts>,
): Reach {
  const known = new Map(calls.map((one) => [one.call, one]));
  const byCall = new Map(all.map((request) => [request.call, request]));
  const seen = new Map<string, Place>();
  const requests = new Set<PackRequest>();
  const reached: { call: ContextCall; to: Place }[] = [];
  const queue: Place[] = [start];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (seen.has(keyOf(place))) continue;
    seen.set(keyOf(place), place);
    for (const call of callsWithin(byFile.get(place.file)?.contextCalls ?? [], place)) {
      const request = byCall.get(call);
      if (request !== undefined) requests.add(request);
      const to = known.get(call)?.target;
      if (to === undefined) continue;
      reached.push({ call, to });
      queue.push(to);
    }
  }
  return { requests, calls: reached, functions: [...seen.values()] };
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
