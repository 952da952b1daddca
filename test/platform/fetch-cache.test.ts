// Which requests share an answer of the fetch cache, and what a pack may leave in the host's memory for a while.
import assert from "node:assert/strict";
import { createBlobStore } from "../../platform/blobs.ts";
import { type CacheScope, cacheKey } from "../../platform/fetch-cache.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import { auth } from "../support/broker.ts";

describe("fetch cache", () => {
  const request: FetchRequest = { method: "GET", url: "https://good.com/" };
  const scope: CacheScope = {
    credential: { kind: "token", token: "canary-token-8d1f" },
    endpoint: undefined,
    authentication: auth("HeaderBearerToken"),
    networkDomains: ["good.com"],
    sandboxOrigin: undefined,
  };
  const others: Readonly<Record<string, Partial<CacheScope>>> = {
    "another account": { credential: { kind: "token", token: "canary-token-0000" } },
    "no account": { credential: undefined },
    "another endpoint": { endpoint: "https://a.good.com" },
    "another way to send the credential": { authentication: auth("CustomHeaderToken", { headerName: "X-Key" }) },
    "other declared domains": { networkDomains: ["other.com"] },
    "the sandbox": { sandboxOrigin: "http://localhost:1234" },
  };
  for (const [what, other] of Object.entries(others)) {
    it(`is not shared with ${what}`, () => {
      assert.notEqual(cacheKey(request, scope), cacheKey(request, { ...scope, ...other }));
    });
  }
  it("is not shared with a request that switches the credentials off, or takes the redirect itself", () => {
    const keys = [{}, { disableAuthentication: true }, { ignoreRedirects: true }, { headers: { a: "b" } }].map((more) =>
      cacheKey({ ...request, ...more }, scope),
    );
    assert.equal(new Set(keys).size, keys.length);
  });
  it("serves the same request of the same account, however long it is to be kept", () => {
    assert.equal(cacheKey({ ...request, cacheTtlSecs: 5 }, scope), cacheKey({ ...request, cacheTtlSecs: 9 }, { ...scope }));
  });
});

describe("temporary blob storage", () => {
  it("is full some time, also of blobs that hold nothing", () => {
    const blobs = createBlobStore();
    assert.throws(() => {
      for (let count = 0; count < 100_000; count++) blobs.store({ bytes: new Uint8Array(), contentType: "text/plain" });
    }, /it is full/);
  });
  it("takes no content type that is larger than what it belongs to, and cuts a long name", () => {
    const blobs = createBlobStore();
    const bytes = Buffer.from("x");
    assert.throws(() => blobs.store({ bytes, contentType: "x".repeat(1_000_000) }), /at most 255 characters/);
    assert.ok(blobs.store({ bytes, contentType: "text/plain", name: "n".repeat(1_000_000) }).length < 1_000);
  });
  it("goes on where one blob was too large", () => {
    const blobs = createBlobStore();
    assert.throws(() => blobs.store({ bytes: new Uint8Array(101 * 1024 * 1024), contentType: "a/b" }), /it is full/);
    const url = blobs.store({ bytes: Buffer.from("x"), contentType: "a/b", name: "half a pair \ud800" });
    assert.equal(blobs.get(url)?.contentType, "a/b");
  });
});
