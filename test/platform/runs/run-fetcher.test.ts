// Requests of a pack: what is asked once and kept, what a body becomes, blobs that are stored.
import assert from "node:assert/strict";
import { createFetchCache } from "../../../platform/requests/fetch-cache.ts";
import { createRedactor, MASK } from "../../../platform/secrets/redact.ts";
import { countResponses, formula, RUN_PACK, runsOfSuite, value } from "../../support/run-pack.ts";

const SOURCE = `${RUN_PACK}
formula("Twice", async (_: any, context: any) => { await get(context, "https://good.com/a"); return String(await get(context, "https://good.com/a")); });
formula("Kept", async (_: any, context: any) => String(await get(context, "https://good.com/kept", { cacheTtlSecs: 60 })));
formula("Length", async (_: any, context: any) => String((await get(context, "https://good.com/kept", { cacheTtlSecs: 60 })).length));
formula("AtOnce", async (_: any, context: any) => {
  const all = ["/once", "/once", "/once?other", "/401"].concat("/401").map((path) => get(context, "https://good.com" + path, { cacheTtlSecs: 0 }).catch((error: any) => error.statusCode + (coda.StatusCodeError.isStatusCodeError(error) ? "!" : "")));
  const posts = ["/post", "/post"].map((path) => get(context, "https://good.com" + path, { method: "POST" }));
  const answers = await Promise.all([...all, ...posts]);
  return [...answers.map((each) => String(each).split(" ")[0]), answers[0] === answers[1], answers[0] !== (await get(context, "https://good.com/once", { cacheTtlSecs: 0 }))].join();
});
formula("Fresh", async (_: any, context: any) => { await get(context, "https://good.com/f", { cacheTtlSecs: 0 }); return String(await get(context, "https://good.com/f", { cacheTtlSecs: 0 })); });
formula("Swallows", async (_: any, context: any) => {
  try { await get(context, "https://good.com/401"); } catch {}
  return "fine";
});
formula("Blobs", async (_: any, context: any) => {
  const own = await context.temporaryBlobStorage.storeBlob(Buffer.from("hello"), "text/plain", { downloadFilename: "a b.txt" });
  const from = await context.temporaryBlobStorage.storeUrl("https://good.com/binary");
  return [own, await get(context, own), from, (await get(context, from, { isBinaryResponse: true })).toString("hex")];
}, { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
formula("Bodies", async (_: any, context: any) => {
  const empty = await context.fetcher.fetch({ method: "GET", url: "https://good.com/empty" });
  const bytes = await context.fetcher.fetch({ method: "GET", url: "https://good.com/empty", isBinaryResponse: true });
  return [JSON.stringify(empty.body), Buffer.isBuffer(bytes.body), bytes.body.length].join(" ");
});
formula("StoresMore", async (_: any, context: any) => {
  const { temporaryBlobStorage: storage } = context;
  const json = await get(context, await storage.storeBlob(Buffer.from('{"a":1}'), "application/json"));
  const typed = await context.fetcher.fetch({ method: "GET", url: await storage.storeUrl("https://good.com/binary", { contentType: "image/x" }, { headers: { "X-Own": "1" } }), isBinaryResponse: true });
  const failure = await storage.storeUrl("https://good.com/401").catch((error: any) => coda.StatusCodeError.isStatusCodeError(error) && error.statusCode);
  return [json.a, typed.headers["content-type"], failure].join(" ");
});
formula("Forced", async (_: any, context: any) => [await get(context, "https://good.com/p", { method: "POST", forceCache: true, cacheTtlSecs: 9 }), await get(context, "https://good.com/p", { method: "POST", forceCache: true, cacheTtlSecs: 9 })].join());
formula("NoUrl", async (_: any, context: any) => context.fetcher.fetch({ method: "GET" }));
pack.addSyncTable({ name: "Polls", identityName: "Poll", description: "Polls.", connectionRequirement: None, schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncPolls", description: "Polls.", parameters: [], execute: async (_: any, context: any) => {
    const page = context.sync.continuation?.page ?? 1;
    return { result: [{ id: await get(context, "https://good.com/poll") }, { id: await get(context, "https://good.com/kept-poll", { cacheTtlSecs: 9 }) + " " + page }], continuation: page < 2 ? { page: page + 1 } : undefined };
  } } } as any);
formula("Latin", async (_: any, context: any) => get(context, "https://good.com/latin", { encoding: "latin1" }));
`;

describe("Requests of a pack", function () {
  this.timeout(30_000);
  const { go, wire, lineOf } = runsOfSuite(SOURCE);
  const { startAnew } = countResponses(wire);

  describe("The fetcher", () => {
    it("an empty body is an empty text or no bytes", async () => {
      assert.equal(value(await go(formula("Bodies"))), '"" true 0');
    });
    it("a missing URL is reported", async () => {
      const { outcome } = await go(formula("NoUrl"));
      assert.ok(outcome.status === "failed");
      assert.equal(outcome.error.message, "The request needs a url, and it is undefined.");
    });
    it("responses to other methods and of table pages are cached only on request", async () => {
      assert.equal(value(await go(formula("Forced"))), "/p 1,/p 1");
      startAnew();
      assert.deepEqual(value(await go({ kind: "syncTable", name: "Polls" })), [
        { Id: "/poll 1" },
        { Id: "/kept-poll 2 1" },
        { Id: "/poll 3" },
        { Id: "/kept-poll 2 2" },
      ]);
    });
    it("storeUrl keeps the type of the URL's content", async () => {
      assert.equal(value(await go(formula("StoresMore"))), "1 image/x 401");
      assert.equal(wire.requests.find(({ path }) => path === "/binary")?.headers["x-own"], "1");
    });
    it("equal requests in a run are sent once, and again in the next run", async () => {
      const report = await go(formula("Twice"));
      assert.equal(value(report), "/a 1");
      assert.deepEqual(
        report.requests.map(({ id, cached }) => [id, cached]),
        [
          [1, undefined],
          [2, true],
        ],
      );
      assert.equal(value(await go(formula("Twice"))), "/a 2");
      assert.equal(value(await go(formula("Fresh"))), "/f 4");
    });
    it("concurrent equal requests are sent once, also without a cache", async () => {
      // All of them are under way together: the first ones are answered when the last one has come.
      const { respond } = wire;
      const pendingResponses: (() => void)[] = [];
      let posts = 0;
      wire.respond = (request, response, raw) => {
        if (request.method === "POST") posts++;
        if (posts < 2) pendingResponses.push(() => respond(request, response, raw));
        else {
          for (const release of pendingResponses.splice(0)) release();
          respond(request, response, raw);
        }
      };
      const report = await go(formula("AtOnce"));
      assert.equal(value(report), "/once,/once,/once?other,401!,401!,/post,/post,true,true");
      const count = (path: string) => wire.requests.filter((request) => request.path === path).length;
      assert.deepEqual(["/once", "/once?other", "/401", "/post"].map(count), [2, 1, 1, 2]);
      const merged = report.requests.filter((request) => request.merged === true);
      assert.deepEqual(merged.map(({ url, status, cached }) => [url, status, cached]).sort(), [
        ["https://good.com/401", 401, undefined],
        ["https://good.com/once", 200, undefined],
      ]);
      assert.equal(new Set(report.requests.map(({ id }) => id)).size, 8);
    });
    it("cached responses are masked for the pack and the trace", async () => {
      const fetchCache = createFetchCache();
      const text = String(value(await go(formula("Kept"), [], { fetchCache })));
      const report = await go(formula("Length"), [], { fetchCache, redactor: createRedactor([text]) });
      assert.deepEqual([value(report), report.requests[0]?.cached, report.requests[0]?.responseBody], [String(MASK.length), true, MASK]);
    });
    it("cacheTtlSecs keeps a response across runs", async () => {
      let now = 0;
      const fetchCache = createFetchCache(() => now);
      assert.equal(value(await go(formula("Kept"), [], { fetchCache })), "/kept 1");
      now = 59_000;
      assert.equal(value(await go(formula("Kept"), [], { fetchCache })), "/kept 1");
      now = 61_000;
      assert.equal(value(await go(formula("Kept"), [], { fetchCache })), "/kept 2");
    });
    it("the requested encoding is used", async () => {
      assert.equal(value(await go(formula("Latin"))), "é");
    });
    it("each request has its source line", async () => {
      const [request] = (await go(formula("Swallows"))).requests;
      assert.equal(request?.calledFrom?.line, lineOf("const get ="));
    });
  });

  it("stored blobs can be fetched", async () => {
    const [own, text, from, bytes] = value(await go(formula("Blobs"))) as string[];
    assert.match(own ?? "", /^https:\/\/codahosted\.io\/.*\/a%20b\.txt$/);
    assert.match(from ?? "", /^https:\/\/codahosted\.io\//);
    assert.deepEqual([text, bytes], ["hello", "0102ff"]);
  });
});
