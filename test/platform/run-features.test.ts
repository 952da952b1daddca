// What else of a pack can be run beside formulas and plain tables, and what a run tells beside its result.
import assert from "node:assert/strict";
import { createFetchCache } from "../../platform/fetch-cache.ts";
import type { Pack } from "../../platform/pack.ts";
import { createRedactor, MASK } from "../../platform/redact.ts";
import { type RunOptions, run } from "../../platform/run.ts";
import { nodeEnvironment } from "../../platform/spawn-runner.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { closePacks, pack } from "../support/packs.ts";
import { wireOfSuite } from "../support/wire.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
import fs from "fs";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
const { None } = coda.ConnectionRequirement;
const get = async (context: any, url: string, more = {}) => (await context.fetcher.fetch({ method: "GET", url, ...more })).body;
const formula = (name: string, execute: any, more = {}) =>
  pack.addFormula({ name, description: name, parameters: [], resultType: coda.ValueType.String, connectionRequirement: None, execute, ...more } as any);

const Item = coda.makeObjectSchema({
  properties: {
    id: { type: coda.ValueType.Number, fromKey: "item_id", required: true },
    displayName: { type: coda.ValueType.String, fromKey: "name" },
    homepage: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url },
    parts: { type: coda.ValueType.Array, items: coda.makeObjectSchema({ properties: { partNumber: { type: coda.ValueType.String, fromKey: "part_no" } } }) },
  },
  idProperty: "id", displayProperty: "displayName",
});
formula("Item", async () => ({ item_id: 7, name: "Seven", homepage: "https://x.com", extra: 1, parts: [{ part_no: "a", weight: 2 }] }), { resultType: coda.ValueType.Object, schema: Item });
formula("Misfit", async () => ({ item_id: "seven", homepage: "http://x.com" }), { resultType: coda.ValueType.Object, schema: Item });
formula("Empty", async () => ({ item_id: null, name: "", parts: [null, { part_no: "a" }] }), { resultType: coda.ValueType.Object, schema: coda.makeObjectSchema({ ...Item, idProperty: "displayName" } as any) });
formula("Listed", async () => [{ item_id: 1 }], { resultType: coda.ValueType.Object, schema: Item });
formula("Unlisted", async () => "one", { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
formula("Moment", async () => new Date(0));
formula("Moments", async () => Array.from({ length: 450 }, (_, index) => ({ name: "n", homepage: index === 449 ? new Date(0) : "https://x.com" })), { resultType: coda.ValueType.Array, items: Item });
formula("Chooses", async () => "", { parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "odd", description: "", autocomplete: (async () => ["a", 5, { display: "A", value: "a" }, { value: "a" }, null, { display: "A", value: {} }]) as any }),
  coda.makeParameter({ type: coda.ParameterType.String, name: "none", description: "", autocomplete: (async () => "a") as any })] });
formula("ReadsFile", async () => fs.readFileSync("/etc/passwd", "utf8"));
formula("Lost", async () => [Promise.resolve(1), new Map([["a", 1]]), { tags: new Set(["a"]) }, Promise.resolve(2), "kept"], { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
formula("ThrowsOwn", async () => { throw new Error("plain"); });
formula("ThrowsForUser", async () => { throw new coda.UserVisibleError("told"); });
formula("ThrowsObject", async () => { throw { code: 5 }; });
formula("ThrowsNull", async () => { throw null; });
formula("ThrowsCause", async () => { throw new TypeError("outer", { cause: new RangeError("inner") } as any); });
formula("Number", async () => 5);
formula("Nothing", async () => undefined);

pack.addSyncTable({
  name: "Items", identityName: "Item", description: "Items.", connectionRequirement: None, schema: coda.makeObjectSchema({
    ...Item,
    properties: { ...Item.properties, id: { ...Item.properties.id, mutable: false }, color: { type: coda.ValueType.String, codaType: coda.ValueHintType.SelectList, mutable: true,
      options: async (context: any) => ["red", "green"].filter((color) => color.startsWith(context.search)).map((color) => color + " of " + context.propertyValues.Kind) } },
  } as any),
  formula: {
    name: "SyncItems", description: "Items.",
    parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "kind", description: "", optional: true, autocomplete: async (_context: any, search: string, values: any) => [search + "-" + values.other] })],
    execute: async (_: any, context: any) => {
      const page = context.sync.continuation?.page ?? 1;
      return { result: [{ item_id: page, name: "n" + page }, { item_id: page === 3 ? 1 : page + 10 }], deletedRowIds: ["gone" + page], continuation: page < 3 ? { page: page + 1 } : undefined };
    },
    executeUpdate: async (_: any, updates: any[]) => ({
      result: updates.map((update) => update.newValue.item_id === 2 ? new coda.UserVisibleError("not this one") : { ...update.newValue, name: update.previousValue.name + "→" + update.newValue.name + " " + update.updatedFields.join() }),
    }),
  },
} as any);

pack.addDynamicSyncTable({
  name: "Boards", identityName: "Board", description: "Boards.", connectionRequirement: None,
  listDynamicUrls: async (context: any, folder: string) => (folder ? [{ display: "Inner", value: "https://good.com/b/" + folder }] : [{ display: "Folder", value: "f", hasChildren: true }]),
  searchDynamicUrls: async (_: any, search: string) => [{ display: search, value: "https://good.com/b/" + search }],
  getName: async (context: any) => "Board " + context.sync.dynamicUrl.split("/").pop(),
  getDisplayUrl: async (context: any) => context.sync.dynamicUrl + "#display",
  getSchema: async (context: any) => coda.makeObjectSchema({
    properties: { card_id: { type: coda.ValueType.String }, card_title: { type: coda.ValueType.String, fromKey: "title" } }, idProperty: "card_id", displayProperty: "card_title",
  }),
  formula: { name: "SyncBoards", description: "Boards.", parameters: [], execute: async (_: any, context: any) => ({
    result: [{ card_id: "1", title: coda.getEffectivePropertyKeysFromSchema(context.sync.schema).join() + " " + context.sync.dynamicUrl }],
  }) },
} as any);

pack.addColumnFormat({ name: "Upper", formulaName: "Shout", instructions: "Text.", matchers: [/^https:\\/\\/good\\.com\\//i] });
formula("Shout", async ([text]: string[]) => text.toUpperCase(), { parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "" })] });

formula("Twice", async (_: any, context: any) => { await get(context, "https://good.com/a"); return String(await get(context, "https://good.com/a")); });
formula("Kept", async (_: any, context: any) => String(await get(context, "https://good.com/kept", { cacheTtlSecs: 60 })));
formula("Length", async (_: any, context: any) => String((await get(context, "https://good.com/kept", { cacheTtlSecs: 60 })).length));
formula("Uses", async (_: any, context: any) => {
  context.logger.info("logged", Object.keys(context).includes("logger"), "logger" in { ...context });
  const response = await context.fetcher.fetch({ method: "GET", url: "https://good.com/headers" });
  const { link, "x-total": total, "x-absent": absent } = response.headers;
  const copy = { ...(await context.fetcher.fetch({ method: "GET", url: "https://good.com/more" })).headers };
  console.log(response);
  response.headers.mine = "m";
  delete response.headers.link;
  if (response.headers.mine !== "m" || response.headers.link !== undefined) throw new Error("headers are the pack's to change");
  return [link, total, absent, copy["x-total"], response.headers["content-type"], context.invocationLocation.source].join();
});
formula("Fetches", async (_: any, context: any) => get(context, "https://undeclared.com/"));
formula("Limited", async (_: any, context: any) => get(context, "https://good.com/429"));
formula("Own", async (_: any, context: any) => { for (const more of [{}, { disableAuthentication: true }]) await get(context, "https://good.com/own?key=1", { headers: { authorization: "Bearer mine" }, ...more }); return "x"; });
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
formula("Forgets", async (_: any, context: any) => {
  void get(context, "https://good.com/never");
  return "too early";
});
formula("Blobs", async (_: any, context: any) => {
  const own = await context.temporaryBlobStorage.storeBlob(Buffer.from("hello"), "text/plain", { downloadFilename: "a b.txt" });
  const from = await context.temporaryBlobStorage.storeUrl("https://good.com/binary");
  return [own, await get(context, own), from, (await get(context, from, { isBinaryResponse: true })).toString("hex")];
}, { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
formula("Clock", async ([date]: Date[], context: any) => [new Date(2026, 6, 1, 12).toISOString(), new Date().getTimezoneOffset(), Intl.DateTimeFormat().resolvedOptions().timeZone,
  date.toISOString(), date.toLocaleDateString("en", { timeZone: context.timezone })].join(" "), { parameters: [coda.makeParameter({ type: coda.ParameterType.Date, name: "date", description: "" })] });
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
formula("Logs", async () => {
  console.log("%s is %d%% of %j", "x", 5, { a: 1 }, "rest");
  console.info(new Map([["a", 1]]), new Set([1]));
  console.error(new Error("logged"));
  return Object.keys(console).sort().join();
});
formula("Table", async () => (console as any).table([1]));
pack.addSyncTable({ name: "Polls", identityName: "Poll", description: "Polls.", connectionRequirement: None, schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncPolls", description: "Polls.", parameters: [], execute: async (_: any, context: any) => {
    const page = context.sync.continuation?.page ?? 1;
    return { result: [{ id: await get(context, "https://good.com/poll") }, { id: await get(context, "https://good.com/kept-poll", { cacheTtlSecs: 9 }) + " " + page }], continuation: page < 2 ? { page: page + 1 } : undefined };
  } } } as any);
formula("Latin", async (_: any, context: any) => get(context, "https://good.com/latin", { encoding: "latin1" }));
formula("Globals", async (_: any, context: any) => ["Buffer", "crypto", "Intl", "console", "WebAssembly", "Atomics", "URL", "URLSearchParams", "eval", "TextEncoder", "TextDecoder", "atob", "btoa", "fetch", "require", "setTimeout",
  "setInterval", "structuredClone", "queueMicrotask", "AbortController"].filter((name) => typeof (globalThis as any)[name] !== "undefined"), { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
`;

/** The line of the source, from zero, on which a text stands. */
const lineOf = (text: string): number => SOURCE.slice(0, SOURCE.indexOf(text)).split("\n").length - 1;

describe("what else a pack can do", function () {
  this.timeout(30_000);
  const wire = wireOfSuite();
  let opened: Pack;
  before(async () => {
    opened = await pack(packFiles({ "pack.ts": SOURCE }));
  });
  after(() => {
    closePacks();
    removePackFiles();
  });
  let served = 0;
  beforeEach(() => {
    served = 0;
    wire.answer = ({ path }, response) => {
      if (path === "/never") return;
      if (path === "/401" || path === "/429") response.statusCode = Number(path.slice(1));
      if (path === "/headers" || path === "/more") response.setHeader("link", "<next>").setHeader("x-total", "9");
      if (path === "/empty") response.setHeader("content-type", "application/json").end();
      else if (path === "/binary") response.setHeader("content-type", "image/png").end(Buffer.from([1, 2, 255]));
      else if (path === "/latin") response.setHeader("content-type", "text/plain").end(Buffer.from([0xe9]));
      else response.setHeader("content-type", "text/plain").end(`${path} ${++served}`);
    };
  });
  const go = (target: RunTarget, parameters: readonly unknown[] = [], options: Partial<RunOptions> = {}): Promise<RunReport> =>
    run(opened, target, parameters, { fetch: wire.fetch, lookup: wire.lookup, ...options });
  const formula = (name: string): RunTarget => ({ kind: "formula", name });
  const value = (report: RunReport): unknown => {
    assert.ok(report.outcome.status === "succeeded", JSON.stringify(report.outcome));
    return report.outcome.value;
  };

  describe("results", () => {
    it("have the schema's names, and nothing that the schema does not know", async () => {
      const report = await go(formula("Item"));
      assert.deepEqual(value(report), { Id: 7, DisplayName: "Seven", Homepage: "https://x.com", Parts: [{ PartNumber: "a" }] });
      assert.equal(report.warnings, undefined);
      assert.deepEqual(Object.keys((report.schema as { properties: object }).properties), ["Id", "DisplayName", "Homepage", "Parts"]);
    });
    it("that differ from the schema or the result type say where", async () => {
      const warnings = async (name: string) => (await go(formula(name))).warnings?.map(({ path, message }) => `${path}: ${message}`);
      assert.deepEqual(await warnings("Misfit"), [
        'Id: The schema says number, and the value is "seven".',
        'Homepage: url wants an https or data URL, and the value is "http://x.com".',
      ]);
      assert.deepEqual(await warnings("Number"), [": The formula's result type is string, and it returned 5."]);
      assert.deepEqual(await warnings("Nothing"), [
        ": The formula returned no value (undefined, null, NaN, Infinity, a function or a symbol), and its result type is string.",
      ]);
      assert.deepEqual(await warnings("Empty"), [
        "DisplayName: DisplayName identifies the object, and it is empty.",
        "Id: Id is required by the schema, and has no value.",
      ]);
      assert.deepEqual(await warnings("Listed"), [": The formula's result type is object, and it returned a list of 1."]);
      assert.deepEqual(await warnings("Unlisted"), [': The formula\'s result type is array, and it returned "one".']);
    });
    it("have an empty object where null stands for one, as the platform makes it", async () => {
      assert.deepEqual(value(await go(formula("Empty"))), { Id: null, DisplayName: "", Parts: [{}, { PartNumber: "a" }] });
    });
    it("that hold a Date say where: the platform's types are texts and numbers", async () => {
      const moment = await go(formula("Moment"));
      assert.equal(value(moment), "1970-01-01T00:00:00.000Z");
      assert.match(
        moment.warnings?.[0]?.message ?? "",
        /^A Date object stands here, and the result type knows no such type: .*toISOString/,
      );
      const { warnings = [] } = await go(formula("Moments"));
      assert.deepEqual(
        warnings.filter(({ message }) => message.startsWith("A Date")).map(({ path }) => path),
        ["[449].homepage"],
      );
    });
    it("that hold what JSON makes nothing of say where: promises that nobody awaited, Map and Set", async () => {
      const report = await go(formula("Lost"));
      assert.deepEqual((value(report) as unknown[]).slice(-1), ["kept"]);
      const told = (report.warnings ?? []).filter(({ message }) => message.includes("nothing of it is left"));
      assert.deepEqual(
        told.map(({ path, message }) => [path, message.split(" stands")[0], /\((\d) times\)/.exec(message)?.[1]]),
        [
          ["[0]", "A promise", "2"],
          ["[1]", "A Map or a Set", undefined],
          ["[2].tags", "A Map or a Set", undefined],
        ],
      );
      assert.deepEqual(
        (await go(formula("Nothing"))).warnings?.map(({ path }) => path),
        [""],
      );
    });
    it("that are thrown are told as what they are, with their cause", async () => {
      const error = async (name: string) => {
        const { outcome } = await go(formula(name));
        assert.ok(outcome.status === "failed");
        return `${outcome.error.code}: ${outcome.error.message}`;
      };
      assert.equal(await error("ThrowsObject"), "Error: The pack threw { code: 5 }, which is no Error.");
      assert.equal(await error("ThrowsNull"), "Error: The pack threw null, which is no Error.");
      assert.equal(await error("ThrowsCause"), "TypeError: outer (caused by RangeError: inner)");
    });
  });

  it("has the clocks of UTC, and dates of the document's zone", async () => {
    const report = await go(formula("Clock"), [{ $date: "2026-12-01" }], { timezone: "Asia/Tokyo" });
    assert.equal(value(report), "2026-07-01T12:00:00.000Z 0 UTC 2026-11-30T15:00:00.000Z 12/1/2026");
    // Whatever this machine's clocks show.
    assert.equal(nodeEnvironment().TZ, "UTC");
    const lost = await go(formula("Clock"), [{ $date: "2026-12-01" }], { timezone: "Nowhere/Lost" });
    assert.ok(lost.outcome.status === "failed");
    assert.match(lost.outcome.error.message, /There is no time zone Nowhere\/Lost/);
  });

  describe("a table", () => {
    it("gives rows by the schema's names, deletions, and warnings about ids and missing columns", async () => {
      const report = await go({ kind: "syncTable", name: "Items" });
      assert.deepEqual((value(report) as unknown[])[0], { Id: 1, DisplayName: "n1" });
      assert.deepEqual(report.sync, { pages: 3, deleted: ["gone1", "gone2", "gone3"], limitReached: false });
      const messages = report.warnings?.map(({ message }) => message).join("\n") ?? "";
      assert.match(messages, /Id identifies a row, and 1 stands in several/);
      assert.match(messages, /The schema has Homepage, and none of the 6 rows has it/);
      const limited = await go({ kind: "syncTable", name: "Items" }, [], { rowLimit: 3 });
      assert.deepEqual(limited.sync, { pages: 2, deleted: ["gone1", "gone2"], limitReached: true });
    });
    it("takes edited rows back, each with its own outcome", async () => {
      const update = (id: number) => ({
        previousValue: { Id: id, DisplayName: "old" },
        newValue: { Id: id, DisplayName: "new" },
        updatedFields: ["DisplayName"],
      });
      assert.deepEqual(value(await go({ kind: "update", name: "Items", updates: [update(1), update(2)] })), [
        { outcome: "success", finalValue: { Id: 1, DisplayName: "old→new name" } },
        { outcome: "error", error: { name: "Error", message: "not this one" } },
      ]);
    });
    it("offers options for a property and for a parameter, with what else is filled in", async () => {
      const options: RunTarget = { kind: "propertyOptions", table: "Items", property: "Color", search: "g", values: { Kind: "K" } };
      assert.deepEqual(value(await go(options)), ["green of K"]);
      const asked: RunTarget = {
        kind: "autocomplete",
        formula: "Items",
        ofSyncTable: true,
        parameter: "kind",
        search: "x",
        values: { other: 5 },
      };
      assert.deepEqual(value(await go(asked)), ["x-5"]);
      const { functions, isTwoWay, propertyOptions } = opened.definition.syncTables[0] ?? {};
      assert.deepEqual([functions, isTwoWay, propertyOptions], [[], true, ["color"]]);
    });
  });

  it("says which choices nobody could be shown", async () => {
    const warnings = async (parameter: string) =>
      (await go({ kind: "autocomplete", formula: "Chooses", parameter, search: "" })).warnings?.map(
        ({ path, message }) => `${path} ${message.split(" ", 2).join(" ")}`,
      );
    assert.deepEqual(await warnings("odd"), ["[3] A choice", "[4] A choice", "[5] A choice"]);
    assert.deepEqual(await warnings("none"), [" A list"]);
  });
  it("says of Node's modules that are empty on the platform that they are", async () => {
    const { outcome } = await go(formula("ReadsFile"));
    assert.match(outcome.status === "failed" ? outcome.error.message : "", /Node's fs is empty in the platform's runtime/);
  });

  describe("a dynamic table", () => {
    const ask = async (name: "listDynamicUrls" | "searchDynamicUrls" | "getName" | "getDisplayUrl", search?: string): Promise<unknown> =>
      value(
        await go({
          kind: "table",
          name: "Boards",
          function: name,
          dynamicUrl: "https://good.com/b/1",
          ...(search === undefined ? {} : { search }),
        }),
      );
    it("lists and searches what it can be made for, and says its name", async () => {
      assert.deepEqual(opened.definition.syncTables[1]?.functions, [
        "listDynamicUrls",
        "searchDynamicUrls",
        "getName",
        "getDisplayUrl",
        "getSchema",
      ]);
      assert.deepEqual(await ask("listDynamicUrls"), [{ display: "Folder", value: "f", hasChildren: true }]);
      assert.deepEqual(await ask("listDynamicUrls", "f"), [{ display: "Inner", value: "https://good.com/b/f" }]);
      assert.deepEqual(await ask("searchDynamicUrls", "q"), [{ display: "q", value: "https://good.com/b/q" }]);
      assert.deepEqual([await ask("getName"), await ask("getDisplayUrl")], ["Board 1", "https://good.com/b/1#display"]);
    });
    it("has the schema that it makes, in its context and in its rows", async () => {
      const report = await go({ kind: "syncTable", name: "Boards", dynamicUrl: "https://good.com/b/1" });
      assert.deepEqual(value(report), [{ CardId: "1", CardTitle: "card_id,title https://good.com/b/1" }]);
      assert.deepEqual(Object.keys((report.schema as { items: { properties: object } }).items.properties), ["CardId", "CardTitle"]);
    });
    it("without its URL names the field", async () => {
      const report = await go({ kind: "syncTable", name: "Boards" });
      assert.deepEqual(
        [report.outcome.status === "failed" && report.outcome.error.code, report.field],
        ["invalid-parameter", "dynamicUrl"],
      );
    });
  });

  it("a column format names its formula and what it matches", async () => {
    assert.deepEqual(opened.definition.formats, [
      { name: "Upper", formulaName: "Shout", instructions: "Text.", matchers: ["/^https:\\/\\/good\\.com\\//i"] },
    ]);
    assert.equal(value(await go(formula("Shout"), ["a"])), "A");
    assert.equal((await go(formula("Shout"), [5])).field, "text");
  });

  describe("the console", () => {
    it("has the platform's functions and formats as it does; a logged error names the pack's own lines", async () => {
      const report = await go(formula("Logs"));
      assert.equal(value(report), "debug,error,info,log,trace,warn");
      assert.deepEqual(
        report.console.slice(0, 2).map(({ message }) => message),
        ['x is 5% of {"a":1} rest', 'Map(1) [["a", 1]] Set(1) [1]'],
      );
      const [first, ...frames] = report.console[2]?.message.split("\n") ?? [];
      assert.equal(first, "Error: logged");
      assert.ok(frames.length > 0 && frames.every((frame) => /^ {4}at .*pack\.ts:\d+:\d+\)?$/.test(frame)), frames.join("\n"));
      assert.match(frames[0] ?? "", new RegExp(`pack\\.ts:${lineOf('new Error("logged")') + 1}:`));
    });
    it("says of any other function that the platform has none", async () => {
      const { outcome } = await go(formula("Table"));
      assert.ok(outcome.status === "failed");
      assert.match(outcome.error.message, /console\.table is not a function: the platform's console has log, info/);
    });
  });

  describe("the fetcher", () => {
    it("gives an empty body as an empty text, or as no bytes", async () => {
      assert.equal(value(await go(formula("Bodies"))), '"" true 0');
    });
    it("says that the URL is missing", async () => {
      const { outcome } = await go(formula("NoUrl"));
      assert.ok(outcome.status === "failed");
      assert.equal(outcome.error.message, "The request needs a url, and it is undefined.");
    });
    it("keeps answers to other methods where the pack forces it, and nothing for a table's pages unless it says for how long", async () => {
      assert.equal(value(await go(formula("Forced"))), "/p 1,/p 1");
      served = 0;
      assert.deepEqual(value(await go({ kind: "syncTable", name: "Polls" })), [
        { Id: "/poll 1" },
        { Id: "/kept-poll 2 1" },
        { Id: "/poll 3" },
        { Id: "/kept-poll 2 2" },
      ]);
    });
    it("stores what a URL gives as the pack asks for it, and answers with it by its type", async () => {
      assert.equal(value(await go(formula("StoresMore"))), "1 image/x 401");
      assert.equal(wire.requests.find(({ path }) => path === "/binary")?.headers["x-own"], "1");
    });
    it("asks once in a run for what is the same, and again in the next", async () => {
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
    it("sends what is asked for several times at once one time, also where nothing is cached", async () => {
      // All of them are under way together: the first ones are answered when the last one has come.
      const { answer } = wire;
      const held: (() => void)[] = [];
      let posts = 0;
      wire.answer = (request, response, raw) => {
        if (request.method === "POST") posts++;
        if (posts < 2) held.push(() => answer(request, response, raw));
        else {
          for (const release of held.splice(0)) release();
          answer(request, response, raw);
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
    it("is masked for whoever reads it: the pack, and the trace", async () => {
      const fetchCache = createFetchCache();
      const text = String(value(await go(formula("Kept"), [], { fetchCache })));
      const report = await go(formula("Length"), [], { fetchCache, redactor: createRedactor([text]) });
      assert.deepEqual([value(report), report.requests[0]?.cached, report.requests[0]?.responseBody], [String(MASK.length), true, MASK]);
    });
    it("keeps what cacheTtlSecs says for so long, from run to run", async () => {
      let now = 0;
      const fetchCache = createFetchCache(() => now);
      assert.equal(value(await go(formula("Kept"), [], { fetchCache })), "/kept 1");
      now = 59_000;
      assert.equal(value(await go(formula("Kept"), [], { fetchCache })), "/kept 1");
      now = 61_000;
      assert.equal(value(await go(formula("Kept"), [], { fetchCache })), "/kept 2");
    });
    it("reads the encoding that is asked for", async () => {
      assert.equal(value(await go(formula("Latin"))), "é");
    });
    it("tells the line of each request", async () => {
      const [request] = (await go(formula("Swallows"))).requests;
      assert.equal(request?.calledFrom?.line, lineOf("const get ="));
    });
  });

  it("stores blobs that can be fetched again", async () => {
    const [own, text, from, bytes] = value(await go(formula("Blobs"))) as string[];
    assert.match(own ?? "", /^https:\/\/codahosted\.io\/.*\/a%20b\.txt$/);
    assert.match(from ?? "", /^https:\/\/codahosted\.io\//);
    assert.deepEqual([text, bytes], ["hello", "0102ff"]);
  });

  it("has the globals of the platform and no others", async () => {
    assert.deepEqual(value(await go(formula("Globals"))), ["Buffer", "crypto", "Intl", "console", "WebAssembly", "Atomics"]);
  });

  it("tells of a pack that is exported without the name that the platform looks for", async () => {
    const nameless = await pack(packFiles({ "pack.ts": `${SOURCE.replace("export const pack", "const pack")}export default pack;\n` }));
    const { parity } = await run(nameless, formula("Number"), [], { fetch: wire.fetch, lookup: wire.lookup });
    assert.match(parity[0]?.message ?? "", /looks for an export named pack/);
    assert.equal(parity[0]?.location?.path, nameless.entry);
    assert.deepEqual((await go(formula("Number"))).parity, []);
  });

  describe("parity notes", () => {
    /** Notes with the line that they name. */
    const notes = ({ parity }: RunReport): readonly string[] =>
      parity.map(({ message, location }) => `${location?.line ?? "–"} ${message}`);
    it("tell of an error that the pack's user does not get to read, with its line", async () => {
      const report = await go(formula("ThrowsOwn"));
      assert.match(
        notes(report).join(),
        new RegExp(`^${lineOf('formula("ThrowsOwn"')} The pack's user does not read what this error says`),
      );
      const forUser = await go(formula("ThrowsForUser"));
      assert.deepEqual([forUser.outcome.status === "failed" && forUser.outcome.error.code, notes(forUser)], ["UserVisibleError", []]);
      // What the platform itself refuses is no word of the pack.
      const refused = await go(formula("Fetches"));
      assert.deepEqual(notes(refused).length, 1);
      assert.match(notes(refused).join(), /Not sent: undeclared.com/);
    });
    it("tell of a header that the platform may hide, and of what the toolkit has no more, with their lines", async () => {
      const report = await go(formula("Uses"));
      assert.equal(value(report), "<next>,9,,9,text/plain,Doc");
      assert.match(report.console[0]?.message ?? "", /^logged false false$/);
      assert.match(report.console[1]?.message ?? "", /"x-total"|x-total: "9"/);
      assert.deepEqual(
        notes(report).map((note) => note.split(/[.:] |, /)[0]),
        [
          `${lineOf("context.logger.info")} context.logger was taken out of the toolkit with version 0.5.0`,
          `${lineOf("const { link, ")} The pack reads the response header x-total`,
        ],
      );
    });
    it("tell of a 429, which the platform would ask again, also where the run fails by it", async () => {
      const report = await go(formula("Limited"));
      assert.equal(report.outcome.status, "failed");
      assert.match(notes(report).join("\n"), new RegExp(`^${lineOf("const get = async")} GET https://good.com/429 was answered with 429`));
    });
    it("tell of a credential of the pack's own where its users' go, also in a request without credentials", async () => {
      const own = await pack(
        packFiles({
          "pack.ts": SOURCE.replace(
            "const { None }",
            'pack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "Authorization", description: "" }] });\nconst { None }',
          ),
        }),
      );
      const report = await run(own, formula("Own"), [], { fetch: wire.fetch, lookup: wire.lookup });
      assert.match(notes(report).join("\n"), /^\d+ The pack sets the header Authorization itself, where the credentials of its users go/);
      assert.deepEqual(notes(await go(formula("Own"))), []);
    });
    it("tell of a 401 that was swallowed, with its line", async () => {
      const [note] = (await go(formula("Swallows"))).parity;
      assert.match(note?.message ?? "", /GET https:\/\/good\.com\/401 was answered with 401, and the formula went on/);
      assert.equal(note?.location?.line, lineOf("const get ="));
    });
    it("tell of a request that was not awaited", async () => {
      const [note] = (await go(formula("Forgets"))).parity;
      assert.match(note?.message ?? "", /returned before this request was answered.*Await it/);
      assert.equal(note?.location?.line, lineOf("const get ="));
    });
  });
});
