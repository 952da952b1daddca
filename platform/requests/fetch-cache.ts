// The platform's fetch cache (sdk-facts 4): responses to GET requests, for as long as the pack's cacheTtlSecs says. Without cacheTtlSecs, a
// response is reused only in its own run, so that an author who runs again sees the API's current response.
import { createHash } from "node:crypto";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchRequest, FetchResponse } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import type { Credential } from "../secrets/credential.ts";

export interface CachedResponse {
  readonly response: FetchResponse;
  /** The trace of the last hop of the cached request. */
  readonly trace: RequestTrace;
}

export interface FetchCache {
  /** Returns the cached response; `isOfRun` is true if the same run requested it. */
  get(key: string, run: object): (CachedResponse & { readonly isOfRun: boolean }) | undefined;
  /** Stores a response; `seconds` is the pack's cacheTtlSecs, if set. */
  put(key: string, run: object, seconds: number | undefined, cachedResponse: CachedResponse): void;
}

const MOST_ENTRIES = 200;
const MOST_BYTES = 32 * 1024 * 1024;

interface Entry extends CachedResponse {
  /** Milliseconds since the epoch; undefined for the duration of the run. */
  readonly until: number | undefined;
  readonly run: object;
  readonly bytes: number;
}

/** Creates a cache that evicts the least recently used responses first. */
export function createFetchCache(now: () => number = Date.now): FetchCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  const forget = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key, run) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.until === undefined ? entry.run !== run : entry.until <= now()) {
        forget(key);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, entry);
      const { response, trace } = entry;
      return { response, trace, isOfRun: entry.run === run };
    },
    put(key, run, seconds, cachedResponse) {
      const size = cachedResponse.trace.size ?? 0;
      if (size > MOST_BYTES / 4) return;
      forget(key);
      entries.set(key, { ...cachedResponse, run, bytes: size, until: seconds === undefined ? undefined : now() + seconds * 1000 });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (entries.size <= MOST_ENTRIES && bytes <= MOST_BYTES) break;
        forget(oldest);
      }
    },
  };
}

/** Everything besides the request that decides what is sent, and whether. */
export interface CacheScope {
  /** The owner of the responses: the sign-in, which outlives its tokens, or the credential itself if none is stored. */
  readonly account: string | Credential | undefined;
  readonly endpoint: string | undefined;
  /** The configuration: an author who changes it expects a new response. */
  readonly authentication: AuthenticationDefinition | undefined;
  readonly networkDomains: readonly string[];
  readonly sandboxOrigin: string | undefined;
}

/** Returns a text that is equal for equal requests of one execution. */
export function sameRequest({ cacheTtlSecs: _, forceCache: __, ...same }: FetchRequest): string {
  return JSON.stringify(same);
}

/**
 * Returns a key that is equal for equal requests of one account, or undefined if the response must not be cached. The key contains no
 * credential.
 */
export function cacheKey(request: FetchRequest, scope: CacheScope): string | undefined {
  if ((request.method !== "GET" && request.forceCache !== true) || request.cacheTtlSecs === 0) return undefined;
  const { account, endpoint, authentication, networkDomains, sandboxOrigin } = scope;
  return createHash("sha256")
    .update(JSON.stringify([sameRequest(request), account, endpoint, authentication, networkDomains, sandboxOrigin]))
    .digest("base64");
}
