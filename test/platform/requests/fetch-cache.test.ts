// Which requests share an answer of the fetch cache, and what a pack may leave in the host's memory for a while.
import assert from "node:assert/strict";
import { createBlobStore } from "../../../platform/requests/blobs.ts";
import { type CachedResponse, type CacheScope, cacheKey, createFetchCache } from "../../../platform/requests/fetch-cache.ts";
import type { FetchRequest } from "../../../protocol/pack-process.ts";
import { auth } from "../../support/broker.ts";

describe("Fetch cache keys", () => {
  const request: FetchRequest = { method: "GET", url: "https://good.com/" };
  const scope: CacheScope = {
    account: "the-sign-in",
    endpoint: undefined,
    authentication: auth("HeaderBearerToken"),
    networkDomains: ["good.com"],
    sandboxOrigin: undefined,
  };
  const otherScopes: Readonly<Record<string, Partial<CacheScope>>> = {
    "another account, or another sign-in of it": { account: "the-next-sign-in" },
    "an account that is not stored": { account: { kind: "token", token: "the-sign-in" } },
    "no account": { account: undefined },
    "another endpoint": { endpoint: "https://a.good.com" },
    "another way to send the credential": { authentication: auth("CustomHeaderToken", { headerName: "X-Key" }) },
    "other declared domains": { networkDomains: ["other.com"] },
    "the sandbox": { sandboxOrigin: "http://localhost:1234" },
  };
  for (const [what, other] of Object.entries(otherScopes)) {
    it(`a cached response is not shared with ${what}`, () => {
      assert.notEqual(cacheKey(request, scope), cacheKey(request, { ...scope, ...other }));
    });
  }
  it("a cached response is not shared with other authentication, redirect or header options", () => {
    const keys = [{}, { disableAuthentication: true }, { ignoreRedirects: true }, { headers: { a: "b" } }].map((more) =>
      cacheKey({ ...request, ...more }, scope),
    );
    assert.equal(new Set(keys).size, keys.length);
  });
  it("a request of the same account shares its response for any cacheTtlSecs", () => {
    assert.equal(cacheKey({ ...request, cacheTtlSecs: 5 }, scope), cacheKey({ ...request, cacheTtlSecs: 9 }, { ...scope }));
  });
});

describe("Fetch cache contents", () => {
  const cachedResponse = (size: number): CachedResponse => ({ response: {}, trace: { size } }) as unknown as CachedResponse;
  const [first, second] = [{}, {}];
  it("a response expires with its time, or with its run without one", () => {
    let time = 1_000;
    const cache = createFetchCache(() => time);
    cache.put("timed", first, 5, cachedResponse(1));
    cache.put("of the run", first, undefined, cachedResponse(1));
    time += 4_999;
    assert.ok(cache.get("timed", second));
    assert.ok(cache.get("of the run", first));
    time += 1;
    assert.equal(cache.get("timed", first), undefined);
    assert.equal(cache.get("of the run", second), undefined);
    assert.equal(cache.get("of the run", first), undefined);
  });
  it("the least recently used response is evicted, and an oversized one not stored", () => {
    const cache = createFetchCache();
    const MB = 1024 * 1024;
    for (const key of ["a", "b", "c", "d"]) cache.put(key, first, 60, cachedResponse(8 * MB));
    assert.ok(cache.get("a", first));
    cache.put("e", first, 60, cachedResponse(8 * MB));
    assert.deepEqual(
      ["a", "b", "c", "d", "e"].filter((key) => cache.get(key, first)),
      ["a", "c", "d", "e"],
    );
    cache.put("large", first, 60, cachedResponse(9 * MB));
    assert.equal(cache.get("large", first), undefined);
    for (let count = 0; count < 300; count++) cache.put(`many ${count}`, first, 60, cachedResponse(0));
    assert.deepEqual([cache.get("many 99", first), cache.get("a", first)], [undefined, undefined]);
    assert.ok(cache.get("many 100", first));
  });
});

describe("Temporary blob storage", () => {
  it("the number of blobs is limited, also of empty ones", () => {
    const blobs = createBlobStore();
    assert.throws(() => {
      for (let count = 0; count < 100_000; count++) blobs.store({ bytes: new Uint8Array(), contentType: "text/plain" });
    }, /storage of the run is full/);
  });
  it("an oversized content type is refused, and a long name truncated", () => {
    const blobs = createBlobStore();
    const bytes = Buffer.from("x");
    assert.throws(() => blobs.store({ bytes, contentType: "x".repeat(1_000_000) }), /at most 255 characters/);
    assert.ok(blobs.store({ bytes, contentType: "text/plain", name: "n".repeat(1_000_000) }).length < 1_000);
  });
  it("an oversized blob does not block the next one", () => {
    const blobs = createBlobStore();
    assert.throws(() => blobs.store({ bytes: new Uint8Array(101 * 1024 * 1024), contentType: "a/b" }), /storage of the run is full/);
    const url = blobs.store({ bytes: Buffer.from("x"), contentType: "a/b", name: "half a pair \ud800" });
    assert.equal(blobs.get(url)?.contentType, "a/b");
  });
});
