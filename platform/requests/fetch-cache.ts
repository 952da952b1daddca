// The fetch cache of the platform (sdk-facts 4): answers to GET requests, for as long as the pack's cacheTtlSecs says. An author who runs
// a formula again wants to see what the API says now: where the pack names no time, an answer serves its own run only.
import { createHash } from "node:crypto";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchRequest, FetchResponse } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import type { Credential } from "../secrets/credential.ts";

export interface CachedResponse {
  readonly response: FetchResponse;
  /** The last hop of the request that was answered. */
  readonly trace: RequestTrace;
}

export interface FetchCache {
  /** `isOfRun`: the same run asked for it. */
  get(key: string, run: object): (CachedResponse & { readonly isOfRun: boolean }) | undefined;
  /** `seconds` is what the pack said, if it said something. */
  put(key: string, run: object, seconds: number | undefined, cachedResponse: CachedResponse): void;
}

const MOST_ENTRIES = 200;
const MOST_BYTES = 32 * 1024 * 1024;

interface Entry extends CachedResponse {
  /** Milliseconds since the epoch; undefined: as long as the run. */
  readonly until: number | undefined;
  readonly run: object;
  readonly bytes: number;
}

/** The last recently used are forgotten first. */
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

/** Whatever decides what is sent for a request, and whether. */
export interface CacheScope {
  /** Whose answers they are: the sign-in, which outlives its tokens; where none is stored, the credential itself. */
  readonly account: string | Credential | undefined;
  readonly endpoint: string | undefined;
  /** The configuration: an author who changes it wants to see what the API says to that. */
  readonly authentication: AuthenticationDefinition | undefined;
  readonly networkDomains: readonly string[];
  readonly sandboxOrigin: string | undefined;
}

/** What makes two requests of one execution the same. */
export function sameRequest({ cacheTtlSecs: _, forceCache: __, ...same }: FetchRequest): string {
  return JSON.stringify(same);
}

/** What makes two requests the same, the account included; undefined where the answer is not to be kept. No credential is in it. */
export function cacheKey(request: FetchRequest, scope: CacheScope): string | undefined {
  if ((request.method !== "GET" && request.forceCache !== true) || request.cacheTtlSecs === 0) return undefined;
  const { account, endpoint, authentication, networkDomains, sandboxOrigin } = scope;
  return createHash("sha256")
    .update(JSON.stringify([sameRequest(request), account, endpoint, authentication, networkDomains, sandboxOrigin]))
    .digest("base64");
}
