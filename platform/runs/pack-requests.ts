// Connects pack code's fetcher and blob storage in one execution to the broker, the merging of identical requests, the cache and the blobs.

import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, ConnectionRequirement } from "../../protocol/definition.ts";
import type { BlobRequest, FetchFailure, FetchRequest, FetchResponse } from "../../protocol/pack-process.ts";
import type { RequestTrace, RunContext } from "../../protocol/run.ts";
import { maskedAgain } from "../bodies/masked-body.ts";
import { isPlatformFile } from "../network/url-policy.ts";
import type { Pack } from "../process/pack.ts";
import { blobResponse, createBlobStore } from "../requests/blobs.ts";
import { type Broker, type BrokerOptions, createBroker } from "../requests/broker.ts";
import { cacheKey, createFetchCache, sameRequest } from "../requests/fetch-cache.ts";
import { mixedCredentials } from "../requests/mixed-credentials.ts";
import type { OnTrace } from "../requests/request-trace.ts";
import type { Redactor } from "../secrets/redact.ts";
import { startSlices } from "../slices.ts";
import type { RunOptions } from "./run-options.ts";

const WITHOUT_CREDENTIALS =
  "Set disableAuthentication: true on requests for the platform's own files, as the SDK's samples do. Here no credentials go there; packs execute sends the account's, and fails where the account has an endpoint.";

interface InForce {
  readonly authentication: AuthenticationDefinition | undefined;
  readonly requirement: ConnectionRequirement;
  readonly context: RunContext;
  readonly redactor: Redactor;
  /** Whether a table is synced. The platform does not cache the responses of a sync unless the pack sets cacheTtlSecs. */
  readonly isSync: boolean;
  /** See SendOptions. */
  readonly endOfBody?: BrokerOptions["endOfBody"];
  readonly describeError?: BrokerOptions["explainError"];
}

interface FetchOutcome {
  readonly result: FetchResponse | FetchFailure;
  /** The trace of the request's last hop. */
  readonly last: RequestTrace | undefined;
}

export function openRequests(
  pack: Pack,
  { authentication, requirement, context, redactor, isSync, endOfBody, describeError }: InForce,
  options: RunOptions,
) {
  const { account } = options;
  const sandboxOrigin = account?.sandboxOrigin ?? options.sandboxOrigin;
  const cache = options.fetchCache ?? createFetchCache();
  const run = options.run ?? {};
  const blobs = createBlobStore();

  const ids = options.traceIds ?? { next: 1, sending: 1 };

  /** Creates a broker whose traces name the pack's line and use the request numbers of the whole run. */
  const brokerFor = (stack: string | undefined, onTrace: OnTrace): Broker => {
    const location = stack === undefined ? undefined : pack.locate(stack);
    const numbers = new Map<number, number>();
    return createBroker({
      definition: pack.definition,
      connectionRequirement: requirement,
      invocationToken: context.invocationToken,
      fetch: options.fetch,
      redactor,
      ...defined({
        authentication,
        credential: account?.credential,
        endpoint: context.endpoint,
        sandboxOrigin,
        allowLoopback: options.allowLoopback,
        lookup: options.lookup,
        refresh: account?.refresh,
        behindProxy: options.behindProxy,
        endOfBody,
        explainError: describeError,
        intercept: options.intercept,
      }),
      onTrace: ({ redirectedFrom, ...trace }, hop) => {
        const id = ids.next++;
        numbers.set(trace.id, id);
        const from = redirectedFrom === undefined ? undefined : numbers.get(redirectedFrom);
        const numberedTrace = {
          ...trace,
          id,
          ...defined({ redirectedFrom: from, calledFrom: location }),
          ...(trace.echoed === undefined || stack === undefined ? {} : { echoed: { ...trace.echoed, calls: pack.calls(stack) } }),
        };
        onTrace(numberedTrace, hop);
      },
      onPlatformDifference: (message) => options.onPlatformDifference?.({ message, ...defined({ location }) }),
      onRefreshFailed: (error) => options.onRefreshFailed?.(error),
    });
  };

  const usesNoCredential = (request: FetchRequest): boolean =>
    requirement === "none" || account === undefined || request.disableAuthentication === true;
  /** GETs that are not answered yet. The platform sends identical GETs once, even if the response is not cached. */
  const pendingFetches = new Map<string, Promise<FetchOutcome>>();
  /** Never rejects. */
  async function send(request: FetchRequest, signal: AbortSignal, stack: string | undefined): Promise<FetchOutcome> {
    let last: RequestTrace | undefined;
    const id = ids.sending++;
    const { method, url } = request;
    options.onSending?.(redactor.redactValue({ id, method: String(method), url: String(url) }));
    const recorded = options.recorder?.begin(request);
    const result = await brokerFor(stack, (trace, hop) => {
      last = trace;
      recorded?.hop(trace.id, hop);
      options.onRequest?.(trace);
    }).fetch(request, signal);
    recorded?.end();
    options.onSent?.(id);
    return { result, last };
  }

  const keyOf = (request: FetchRequest): string | undefined =>
    cacheKey(request, {
      account: requirement === "none" ? undefined : (account?.signIn ?? account?.credential),
      endpoint: context.endpoint,
      authentication,
      networkDomains: pack.definition.networkDomains,
      sandboxOrigin,
    });

  async function fetch(request: FetchRequest, signal: AbortSignal, stack?: string): Promise<FetchResponse | FetchFailure> {
    const location = stack === undefined ? undefined : pack.locate(stack);
    if (!usesNoCredential(request) && isPlatformFile(request.url))
      options.onPlatformDifference?.({ message: WITHOUT_CREDENTIALS, ...defined({ location }) });
    const blob = blobs.get(request.url);
    if (blob !== undefined && request.method === "GET") return blobResponse(blob, request.isBinaryResponse === true);
    const isCacheable = !isSync || request.cacheTtlSecs !== undefined;
    const key = isCacheable ? keyOf(request) : undefined;
    const startedAt = Date.now();
    /** Adds a trace for a request that was answered without being sent. */
    const traceUnsent = ({ redirectedFrom: _, calledFrom: __, ...trace }: RequestTrace, how: Partial<RequestTrace>): void =>
      options.onRequest?.({
        ...trace,
        ...how,
        id: ids.next++,
        startedAt,
        duration: Date.now() - startedAt,
        credentials: [],
        ...defined({ calledFrom: location }),
      });
    const cachedEntry = key === undefined ? undefined : cache.get(key, run);
    if (cachedEntry !== undefined) {
      if (!cachedEntry.isOfRun) options.recorder?.missed();
      traceUnsent(redactor.redactValue(cachedEntry.trace), { cached: true });
      // The response was masked for the account that sent the request. A request without credentials may come from another account.
      return maskedAgain(cachedEntry.response, redactor);
    }
    const same = request.method === "GET" ? sameRequest(request) : undefined;
    const underWay = same === undefined ? undefined : pendingFetches.get(same);
    if (underWay !== undefined) {
      const { result, last } = await underWay;
      if (last !== undefined) traceUnsent(last, { merged: true });
      return result;
    }
    const sending = send(request, signal, stack);
    if (same !== undefined) {
      pendingFetches.set(same, sending);
      void sending.finally(() => pendingFetches.delete(same));
    }
    if (usesNoCredential(request))
      for (const message of mixedCredentials(request, pack.definition.userAuthentication))
        options.onPlatformDifference?.({ message, ...defined({ location }) });
    const { result, last } = await sending;
    const response = "message" in result ? result.response : result;
    if (response !== undefined && last !== undefined) {
      const { method, url } = last;
      options.onResponse?.({ status: response.status, method, url, ...defined({ location }) });
    }
    // The response is cached only if the key is unchanged: the user may have signed in again in the meantime. An echo is not cached,
    // because sandbox.json may have an answer for the next request.
    const isEcho = last?.echoed !== undefined;
    if (key !== undefined && key === keyOf(request) && last !== undefined && !("message" in result) && !isEcho)
      cache.put(key, run, request.cacheTtlSecs, { response: result, trace: last });
    return isEcho && !("message" in result) ? { ...result, echo: last.id } : result;
  }

  async function storeBlob(request: BlobRequest, signal: AbortSignal): Promise<string | FetchFailure> {
    const name = defined({ name: request.name });
    if (request.kind === "data") {
      // A large blob took long to arrive, and decoding it takes as long again.
      await startSlices().next();
      return blobs.store({ bytes: Buffer.from(request.base64, "base64"), contentType: request.contentType, ...name });
    }
    const { kind: _, name: __, contentType, ...fetchOptions } = request;
    const result = await fetch({ cacheTtlSecs: 0, ...fetchOptions, method: "GET", isBinaryResponse: true }, signal);
    if ("message" in result) return result;
    const type = contentType ?? result.headers["content-type"];
    const bytes = "base64" in result.body ? Buffer.from(result.body.base64, "base64") : Buffer.alloc(0);
    return blobs.store({ bytes, contentType: typeof type === "string" ? type : "application/octet-stream", ...name });
  }

  return { fetch, storeBlob };
}
