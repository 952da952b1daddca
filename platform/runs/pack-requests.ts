// Connects pack code's fetcher and blob storage in one execution to the broker, the merging of identical requests, the cache and the blobs.

import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, ConnectionRequirement } from "../../protocol/definition.ts";
import type { BlobRequest, FetchFailure, FetchRequest, FetchResponse } from "../../protocol/pack-process.ts";
import type { RequestTrace, SourceLocation } from "../../protocol/run.ts";
import { maskedAgain } from "../bodies/masked-body.ts";
import { isPlatformFile } from "../network/url-policy.ts";
import { blobResponse, createBlobStore } from "../requests/blobs.ts";
import { type Broker, type BrokerOptions, createBroker } from "../requests/broker.ts";
import { cacheKey, sameRequest } from "../requests/fetch-cache.ts";
import { mixedCredentials } from "../requests/mixed-credentials.ts";
import type { OnTrace } from "../requests/request-trace.ts";
import { startSlices } from "../slices.ts";
import type { RunObserver } from "./run-observer.ts";
import type { OpenWorld } from "./run-world.ts";

const WITHOUT_CREDENTIALS =
  "Set disableAuthentication: true on requests for the platform's own files, as the SDK's samples do. Here no credentials go there; packs execute sends the account's, and fails where the account has an endpoint.";

/** By which authentication the requests of one execution are sent, and how. */
interface Authority {
  readonly authentication: AuthenticationDefinition | undefined;
  readonly requirement: ConnectionRequirement;
  readonly invocationToken: string;
  /** Whether a table is synced. The platform does not cache the responses of a sync unless the pack sets cacheTtlSecs. */
  readonly isSync: boolean;
  /** What requests that are not the pack's need besides. */
  readonly broker: Pick<BrokerOptions, "endOfBody" | "explainError">;
}

interface FetchOutcome {
  readonly result: FetchResponse | FetchFailure;
  /** The trace of the request's last hop. */
  readonly last: RequestTrace | undefined;
}

/** Where the pack sent a request. */
interface Origin {
  readonly stack: string | undefined;
  readonly location: SourceLocation | undefined;
}

export class PackRequests {
  readonly #authority: Authority;
  readonly #world: OpenWorld;
  readonly #observer: RunObserver;
  readonly #blobs = createBlobStore();
  /** GETs that are not answered yet. The platform sends identical GETs once, even if the response is not cached. */
  readonly #pendingFetches = new Map<string, Promise<FetchOutcome>>();

  constructor(authority: Authority, world: OpenWorld, observer: RunObserver) {
    this.#authority = authority;
    this.#world = world;
    this.#observer = observer;
  }

  readonly fetch = async (request: FetchRequest, signal: AbortSignal, stack?: string): Promise<FetchResponse | FetchFailure> => {
    const origin: Origin = { stack, location: stack === undefined ? undefined : this.#world.pack.locate(stack) };
    const isAnonymous = this.#usesNoCredential(request);
    if (!isAnonymous && isPlatformFile(request.url)) this.#note(WITHOUT_CREDENTIALS, origin);
    const blob = this.#blobs.get(request.url);
    if (blob !== undefined && request.method === "GET") return blobResponse(blob, request.isBinaryResponse === true);
    const isCacheable = !this.#authority.isSync || request.cacheTtlSecs !== undefined;
    const key = isCacheable ? this.#keyOf(request) : undefined;
    const startedAt = Date.now();
    const cachedResponse = key === undefined ? undefined : this.#fromCache(key, startedAt, origin);
    if (cachedResponse !== undefined) return cachedResponse;
    const same = request.method === "GET" ? sameRequest(request) : undefined;
    const underWay = same === undefined ? undefined : this.#pendingFetches.get(same);
    if (underWay !== undefined) {
      const { result, last } = await underWay;
      if (last !== undefined) this.#traceUnsent(last, { merged: true }, startedAt, origin);
      return result;
    }
    const sending = this.#send(request, signal, origin);
    if (same !== undefined) {
      this.#pendingFetches.set(same, sending);
      void sending.finally(() => this.#pendingFetches.delete(same));
    }
    if (isAnonymous)
      for (const message of mixedCredentials(request, this.#world.pack.definition.userAuthentication)) this.#note(message, origin);
    return this.#respond(request, key, await sending, origin);
  };

  readonly storeBlob = async (request: BlobRequest, signal: AbortSignal): Promise<string | FetchFailure> => {
    const name = defined({ name: request.name });
    if (request.kind === "data") {
      // A large blob took long to arrive, and decoding it takes as long again.
      await startSlices().next();
      return this.#blobs.store({ bytes: Buffer.from(request.base64, "base64"), contentType: request.contentType, ...name });
    }
    const { kind: _, name: __, contentType, ...fetchOptions } = request;
    const result = await this.fetch({ cacheTtlSecs: 0, ...fetchOptions, method: "GET", isBinaryResponse: true }, signal);
    if ("message" in result) return result;
    const type = contentType ?? result.headers["content-type"];
    const bytes = "base64" in result.body ? Buffer.from(result.body.base64, "base64") : Buffer.alloc(0);
    return this.#blobs.store({ bytes, contentType: typeof type === "string" ? type : "application/octet-stream", ...name });
  };

  #note(message: string, { location }: Origin): void {
    this.#observer.onPlatformDifference({ message, ...defined({ location }) });
  }

  #usesNoCredential(request: FetchRequest): boolean {
    return this.#authority.requirement === "none" || this.#world.account === undefined || request.disableAuthentication === true;
  }

  #keyOf(request: FetchRequest): string | undefined {
    const { pack, account, sandboxOrigin } = this.#world;
    const { authentication, requirement } = this.#authority;
    return cacheKey(request, {
      account: requirement === "none" ? undefined : (account?.signIn ?? account?.credential),
      endpoint: account?.endpoint,
      authentication,
      networkDomains: pack.definition.networkDomains,
      sandboxOrigin,
    });
  }

  #fromCache(key: string, startedAt: number, origin: Origin): Promise<FetchResponse> | undefined {
    const { fetchCache, process, redactor } = this.#world;
    const cachedEntry = fetchCache.get(key, process);
    if (cachedEntry === undefined) return undefined;
    if (!cachedEntry.isOfRun) this.#observer.recorder.missed();
    this.#traceUnsent(redactor.redactValue(cachedEntry.trace), { cached: true }, startedAt, origin);
    // The response was masked for the account that sent the request. A request without credentials may come from another account.
    return maskedAgain(cachedEntry.response, redactor);
  }

  /** Adds a trace for a request that was answered without being sent. */
  #traceUnsent(
    { redirectedFrom: _, calledFrom: __, ...trace }: RequestTrace,
    how: Partial<RequestTrace>,
    startedAt: number,
    { location }: Origin,
  ): void {
    this.#observer.onRequest({
      ...trace,
      ...how,
      id: this.#world.numbers.trace++,
      startedAt,
      duration: Date.now() - startedAt,
      credentials: [],
      ...defined({ calledFrom: location }),
    });
  }

  /** Never rejects. */
  async #send(request: FetchRequest, signal: AbortSignal, origin: Origin): Promise<FetchOutcome> {
    const { redactor, numbers } = this.#world;
    const observer = this.#observer;
    let last: RequestTrace | undefined;
    const id = numbers.sending++;
    const { method, url } = request;
    observer.onSending(redactor.redactValue({ id, method: String(method), url: String(url) }));
    const recorded = observer.recorder.begin(request);
    const result = await this.#brokerFor(origin, (trace, hop) => {
      last = trace;
      recorded.hop(trace.id, hop);
      observer.onRequest(trace);
    }).fetch(request, signal);
    recorded.end();
    observer.onSent(id);
    return { result, last };
  }

  /** Creates a broker whose traces name the pack's line and use the request numbers of the whole run. */
  #brokerFor({ stack, location }: Origin, onTrace: OnTrace): Broker {
    const { pack, account, fetch, redactor, allowLoopback, lookup, behindProxy, sandboxOrigin, intercept, permit, numbers } = this.#world;
    const { authentication, requirement, invocationToken, broker } = this.#authority;
    const idsOfRun = new Map<number, number>();
    return createBroker({
      definition: pack.definition,
      connectionRequirement: requirement,
      invocationToken,
      fetch,
      redactor,
      allowLoopback,
      lookup,
      behindProxy,
      ...broker,
      authentication,
      credential: account?.credential,
      endpoint: account?.endpoint,
      refresh: account?.refresh,
      permit,
      ...defined({ sandboxOrigin, intercept }),
      onTrace: ({ redirectedFrom, ...trace }, hop) => {
        const id = numbers.trace++;
        idsOfRun.set(trace.id, id);
        const from = redirectedFrom === undefined ? undefined : idsOfRun.get(redirectedFrom);
        const numberedTrace = {
          ...trace,
          id,
          ...defined({ redirectedFrom: from, calledFrom: location }),
          ...(trace.echoed === undefined || stack === undefined ? {} : { echoed: { ...trace.echoed, calls: pack.calls(stack) } }),
        };
        onTrace(numberedTrace, hop);
      },
      onPlatformDifference: (message) => this.#observer.onPlatformDifference({ message, ...defined({ location }) }),
      onRefreshFailed: (error) => this.#observer.onRefreshFailed(error),
    });
  }

  #respond(
    request: FetchRequest,
    key: string | undefined,
    { result, last }: FetchOutcome,
    { location }: Origin,
  ): FetchResponse | FetchFailure {
    const response = "message" in result ? result.response : result;
    if (response !== undefined && last !== undefined) {
      const { method, url } = last;
      this.#observer.onResponse({ status: response.status, method, url, ...defined({ location }) });
    }
    if ("message" in result || last === undefined) return result;
    // An echo is not cached, because sandbox.json may have an answer for the next request.
    if (last.echoed !== undefined) return { ...result, echo: last.id };
    // The response is cached only if the key is unchanged: the user may have signed in again in the meantime.
    if (key !== undefined && key === this.#keyOf(request))
      this.#world.fetchCache.put(key, this.#world.process, request.cacheTtlSecs, { response: result, trace: last });
    return result;
  }
}
