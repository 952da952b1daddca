// The requests that a pack sends: every fetch of its files, with what the callers of the function around it give, and the functions of
// the pack (formulas, tables, naming of accounts) that lead to it.
import { callersIn, type KnownCall, keyOf, readCall } from "./context-callers.ts";
import type { ContextCall } from "./context-facts.ts";
import { keptWith } from "./kept-with.ts";
import type { FileFacts, ObjectValue, PackModel, Place, Span, Value } from "./model.ts";
import { optionsOf, type RequestUrl, readUrls, type Surroundings } from "./read-request.ts";
import { requestSigns } from "./request-signs.ts";

export interface PackRequest {
  readonly call: ContextCall;
  /** `context.fetcher.fetch`: what is called. */
  readonly place: Place;
  /** Its signs: see request-signs.ts. */
  readonly shows: number;
  /** What is asked for, where that is an object that can be read. */
  readonly options: ObjectValue | undefined;
  /** What it is fetched from, once for each URL that callers give; the place is where the URL is written. */
  readonly urls: readonly RequestUrl[];
}

export interface Requests {
  readonly all: readonly PackRequest[];
  /** The signs of all of them, and the hosts that they go to: enough for most questions. */
  readonly shows: number;
  readonly hosts: readonly string[];
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

export const requestsOf = keptWith(collectRequests);

function collectRequests(pack: PackModel): Requests {
  const calls = readCalls(pack);
  const byFile = new Map<string, FileFacts>();
  for (const facts of pack.facts) byFile.set(facts.file, facts);
  const around: Surroundings = {
    resolve: pack.resolve,
    options: pack.options,
    facts: (file) => byFile.get(file),
    files: () => pack.facts,
    callers: callersIn(calls),
  };
  return new PackRequests(calls, around, byFile);
}

function readCalls({ facts, resolve }: PackModel): readonly KnownCall[] {
  const calls: KnownCall[] = [];
  for (const { contextCalls } of facts)
    for (let index = 0; index < contextCalls.length; index++) calls.push(readCall(contextCalls[index] as ContextCall, resolve));
  return calls;
}

/** Nearly every rule asks for something of all requests, and few for each. */
class PackRequests implements Requests {
  readonly #calls: readonly KnownCall[];
  readonly #around: Surroundings;
  readonly #files: ReadonlyMap<string, FileFacts>;
  #all: readonly PackRequest[] | undefined;
  readonly shows: number;
  readonly hosts: readonly string[];

  constructor(calls: readonly KnownCall[], around: Surroundings, files: ReadonlyMap<string, FileFacts>) {
    this.#calls = calls;
    this.#around = around;
    this.#files = files;
    const hosts: string[] = [];
    let shows = 0;
    let last: string | undefined;
    for (const one of this.all) {
      shows |= one.shows;
      for (const { host } of one.urls) {
        if (host === last || host === undefined) continue;
        last = host;
        if (!hosts.includes(host)) hosts.push(host);
      }
    }
    this.shows = shows;
    this.hosts = hosts;
  }

  get all(): readonly PackRequest[] {
    if (this.#all !== undefined) return this.#all;
    const all: PackRequest[] = [];
    for (const { call, isRequest } of this.#calls) if (isRequest) all.push(new SentRequest(call, this.#around));
    this.#all = all;
    return all;
  }

  readonly reachedFrom: Requests["reachedFrom"] = (start) => reachedFrom(start, this.#calls, this.all, this.#files);
}

/** One of a state of the pack. */
class SentRequest implements PackRequest {
  readonly call: ContextCall;
  readonly #around: Surroundings;
  #urls: readonly RequestUrl[] | undefined;

  constructor(call: ContextCall, around: Surroundings) {
    this.call = call;
    this.#around = around;
  }

  get place(): Place {
    const { callee, file } = this.call;
    return { file, start: callee.start, end: callee.end };
  }

  get shows(): number {
    return requestSigns(this.call, this.urls);
  }

  get options(): ObjectValue | undefined {
    return optionsOf(this.call, this.#around.resolve);
  }

  get urls(): readonly RequestUrl[] {
    this.#urls ??= readUrls(this.call, this.#around);
    return this.#urls;
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
    if ((calls[middle]?.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < calls.length && (calls[end]?.start ?? span.end) < span.end) end++;
  return calls.slice(low, end);
}
