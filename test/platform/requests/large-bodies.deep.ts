// Large responses and large results: they arrive whole and masked, and the host's own loop is never held up by them.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openPack, type Pack } from "../../../platform/process/pack.ts";
import { createRedactor, MASK } from "../../../platform/secrets/redact.ts";
import { isLarge, redactLarge } from "../../../platform/secrets/redact-large.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { whileWatched } from "../../support/event-loop-lag.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";

const TOKEN = "canary-token-8d1f";

/** An API of its own process, so that nothing but the host's own work is measured. */
const SERVER = `
const items = Array.from({ length: 70_000 }, (_, id) => '{"id":' + id + ',"name":"Name \\\\"' + id + '\\\\"","tags":["a","b"],"nested":{"x":1.5,"y":null}}').join();
const bodies = {
  json: ["application/json", '{"items":[' + items + ']}'],
  echo: ["application/json", '{"items":[' + items + '],"token":"${TOKEN}","escaped":"canary\\\\u002dtoken-8d1f","${TOKEN}":1}'],
  deep: ["application/json", "[".repeat(1e6) + "]".repeat(1e6)],
  string: ["application/json", '{"long":"' + "x".repeat(6e6) + '"}'],
  numbers: ["application/json", JSON.stringify(Array.from({ length: 5e5 }, (_, id) => id))],
  members: ["application/json", JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, id) => ["key" + id, { id, text: "${TOKEN}" }])))],
  latin: ["text/plain; charset=iso-8859-1", Buffer.from("zw\\u00f6lf Boxer\\n".repeat(450_000) + "${TOKEN}", "latin1")],
  text: ["text/plain", "a line of text\\n".repeat(430_000) + "${TOKEN}"],
  bytes: ["application/octet-stream", Buffer.alloc(25 * 1024 * 1024, 7)],
  xml: ["text/xml", '<r a="1">' + Array.from({ length: 40_000 }, (_, id) => '<item id="' + id + '"><name>Name &amp; ' + id + '</name></item>').join("") + "<token>canary&#45;token-8d1f</token></r>"],
  broken: ["text/xml", "<r>" + "<a>".repeat(20_000) + "${TOKEN}"],
  small: ["application/json", '{"ok":true}'],
  page: ["application/json", '{"items":[' + items.slice(0, items.indexOf('{"id":8000,') - 1) + ']}'],
};
const server = require("node:http").createServer((request, response) => {
  const [, name] = request.url.split("/");
  if (name === "echoed") {
    let size = 0;
    request.on("data", (chunk) => { size += chunk.length; }).on("end", () => response.end(String(size)));
    return;
  }
  response.statusCode = request.url.endsWith("fail") ? 500 : 200;
  response.setHeader("content-type", bodies[name][0]).end(bodies[name][1]);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(String(server.address().port)));
`;

/** Each well above what is taken for large, from where on it is read, masked and sent in slices; one is as large as may be. */
const CASES = {
  echo: 'const { body } = await get("/echo"); return [body.items.length, body.items[69_999].name, body.token, body.escaped, Object.keys(body)[3]].join()',
  failure:
    'try { await get("/json/fail") } catch (error: any) { return [error.name, error.body.items.length, error.message.slice(0, 6)].join() }',
  deep: 'return get("/deep")',
  xml: 'const { body } = await get("/xml"); return [body.$.a, body.item.length, body.item[39_999].name[0], body.item[7].$.id, body.token[0]].join()',
  brokenXml: 'const { body } = await get("/broken"); return [typeof body, body.slice(-7)].join()',
  text: 'const { body } = await get("/text"); return [body.length, body.slice(-20)].join()',
  bytes: 'const { body } = await get("/bytes", { isBinaryResponse: true }); return [Buffer.isBuffer(body), body.length, body[9]].join()',
  string: 'const { body } = await get("/string"); return body.long.length',
  numbers: 'const { body } = await get("/numbers"); return [body.length, body[499_999]].join()',
  inMembers: 'const { body } = await get("/members"); return [Object.keys(body).length, body.key59999.text].join()',
  latin: 'const { body } = await get("/latin"); return [body.slice(0, 5), body.slice(-4)].join()',
  sentText: 'return (await get("/echoed", { method: "POST", body: "x\\n".repeat(3e6) })).body',
  sentBytes: 'return (await get("/echoed", { method: "POST", body: Buffer.alloc(6e6, 7) })).body',
  sentForm: 'return (await get("/echoed", { method: "POST", form: { a: "x y".repeat(8e5), b: "2" } })).body',
  stored:
    'const url = await context.temporaryBlobStorage.storeBlob(Buffer.alloc(6e6, 7), "image/png"); return (await get(url, { isBinaryResponse: true })).body.length',
  small:
    'let ok = 0; await Promise.all(Array.from({ length: 2_000 }, async (_, i) => { if ((await get("/small/" + i)).body.ok) ok++ })); return ok',
  rows: "return Array.from({ length: 10_000 }, (_, i) => Object.fromEntries(Array.from({ length: 20 }, (_x, k) => ['column' + k, i + ' ' + k])))",
  members: "return Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => ['key' + i, { a: i }]))",
  longRow: `return [Array.from({ length: 200_000 }, (_, i) => i % 1000 === 0 ? "${TOKEN}" : i)]`,
  longText: "return 'x'.repeat(4_000_000)",
  deepResult: "let value: any = []; for (let i = 0; i < 3_000; i++) value = [value]; return value",
};

/** Pages of more than half a megabyte each, of which one row is kept. */
const PAGES = 80;

describe("Large responses and results", function () {
  this.timeout(120_000);
  let server: ChildProcess;
  let pack: Pack;

  before(async () => {
    server = spawn(process.execPath, ["-e", SERVER], { stdio: ["ignore", "pipe", "inherit"] });
    const port = await new Promise<string>((resolve) => server.stdout?.once("data", (data) => resolve(String(data))));
    const source = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
${Object.entries(CASES)
  .map(
    ([name, body]) =>
      `pack.addFormula({ name: "${name}", description: "x", parameters: [], resultType: coda.ValueType.String, execute: async (_: any, context: any): Promise<any> => {
  const get = (path: string, more = {}) => context.fetcher.fetch({ method: "GET", url: path.startsWith("/") ? "http://127.0.0.1:${port}" + path : path, cacheTtlSecs: 0, ...more });
  ${body} } } as any);`,
  )
  .join("\n")}
pack.addSyncTable({ name: "Pages", identityName: "Page", description: "x",
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncPages", description: "x", parameters: [], execute: async (_: any, context: any) => {
    const page = context.sync.continuation?.page ?? 0;
    const { body } = await context.fetcher.fetch({ method: "GET", url: "http://127.0.0.1:${port}/page/" + page, cacheTtlSecs: 0 });
    return { result: [{ id: page * 10_000 + body.items.length }], continuation: page + 1 < ${PAGES} ? { page: page + 1 } : undefined };
  } } });`;
    pack = await openPack(packFiles({ "pack.ts": source }), {
      process: { runner: join(import.meta.dirname, "../../../dist/runner.cjs"), node: process.execPath },
      esbuildWasm: join(import.meta.dirname, "../../../dist/esbuild-wasm"),
    });
  });
  after(() => {
    pack?.dispose();
    server?.kill();
    removePackFiles();
  });

  /** The report, after which nothing is left that could hold the loop up. */
  async function runs(name: keyof typeof CASES): Promise<RunReport> {
    const account = { scope: "user", credential: { kind: "token", token: TOKEN } } as const;
    const { value: report, longest } = await whileWatched(() =>
      run(pack, { kind: "formula", name }, [], { fetch, allowLoopback: true, account }),
    );
    // The figure is 50, and the bench judges it; this guards against a loop that stands still.
    assert.ok(longest < 1_000, `the host's loop was held up for ${longest} ms`);
    assert.ok(!JSON.stringify(report).includes(TOKEN));
    return report;
  }
  const value = async (name: keyof typeof CASES): Promise<unknown> => {
    const { outcome } = await runs(name);
    assert.ok(outcome.status === "succeeded", JSON.stringify(outcome).slice(0, 500));
    return outcome.value;
  };

  it("JSON of 5 MB reaches the pack with every form of a secret masked", async () =>
    assert.equal(await value("echo"), `70000,Name "69999",${MASK},${MASK},${MASK}`));
  it("JSON of 5 MB in an error is whole, and its message short", async () =>
    assert.equal(await value("failure"), "StatusCodeError,70000,500 - "));
  it("JSON that nests too deeply is refused with a reason", async () => {
    const { outcome } = await runs("deep");
    assert.ok(outcome.status === "failed");
    assert.match(outcome.error.message, /nests more than 1000 levels deep/);
  });
  it("XML of 2 MB reaches the pack with every form of a secret masked", async () =>
    assert.equal(await value("xml"), `1,40000,Name & 39999,7,${MASK}`));
  it("invalid XML stays text, masked", async () => assert.equal(await value("brokenXml"), `string,<a>${MASK}`));
  it("text of 6 MB arrives masked", async () => assert.match(String(await value("text")), new RegExp(`^\\d+,.*\\n${MASK}$`, "s")));
  it("25 MB of bytes, the limit, arrive", async () => assert.equal(await value("bytes"), "true,26214400,7"));
  it("one string of 6 MB reaches the pack", async () => assert.equal(await value("string"), 6_000_000));
  it("half a million numbers reach the pack", async () => assert.equal(await value("numbers"), "500000,499999"));
  it("an object of 60,000 members reaches the pack, masked", async () => assert.equal(await value("inMembers"), `60000,${MASK}`));
  it("text in another encoding arrives masked", async () => assert.equal(await value("latin"), `zwölf,${"*".repeat(4)}`));
  it("6 MB of text are sent", async () => assert.equal(await value("sentText"), "6000000"));
  it("6 MB of bytes are sent", async () => assert.equal(await value("sentBytes"), "6000000"));
  it("a form of 2.4 MB is sent", async () => assert.equal(await value("sentForm"), "2400006"));
  it("6 MB of bytes are stored, and fetched again", async () => assert.equal(await value("stored"), 6_000_000));
  it("2,000 responses at once arrive", async () => assert.equal(await value("small"), 2_000));
  it("a result of 10,000 rows with 20 columns is returned", async () => assert.equal(((await value("rows")) as unknown[]).length, 10_000));
  it("a result of 60,000 members is returned", async () => assert.equal(Object.keys((await value("members")) as object).length, 60_000));
  it("a result with a row of 200,000 values is returned, masked", async () => {
    const [row] = (await value("longRow")) as readonly (readonly unknown[])[];
    assert.deepEqual([row?.length, row?.[0], row?.[1], row?.[199_000]], [200_000, MASK, 1, MASK]);
  });
  it("a result of 4 MB of text is returned", async () => assert.equal(String(await value("longText")).length, 4_000_000));
  it("pages of a table leave in memory only their rows and previews", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const measureMemory = (): number => {
      // V8 gives buffers back on a thread of its own, and has done so by the next collection.
      for (let round = 0; round < 2; round++) collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return (heapUsed + arrayBuffers) / 1_048_576;
    };
    let early = 0;
    let late = 0;
    const { outcome, requests } = await run(pack, { kind: "syncTable", name: "Pages" }, [], {
      fetch,
      allowLoopback: true,
      account: { scope: "user", credential: { kind: "token", token: TOKEN } },
      onRows: (rows) => {
        if (rows === 10) early = measureMemory();
        if (rows === PAGES) late = measureMemory();
      },
    });
    assert.ok(outcome.status === "succeeded" && outcome.rows === PAGES, JSON.stringify(outcome).slice(0, 500));
    assert.ok((requests[0]?.size ?? 0) > 500_000, `a page has ${requests[0]?.size} bytes`);
    // 64 KB of each response are shown; were all of it kept, it would be 40 MB and more.
    assert.ok(late - early < 25, `from page 10 to ${PAGES} the host took ${late - early} MB more`);
  });
  it("a result that nests 3,000 levels deep ends the run with a reason", async () => {
    const { outcome } = await runs("deepResult");
    assert.ok(outcome.status === "failed" || JSON.stringify(outcome.value).includes("levels deep"), JSON.stringify(outcome).slice(0, 300));
  });
});

describe("Large values", () => {
  it("large values are masked like small ones", async () => {
    const redactor = createRedactor([TOKEN]);
    const make = (): Record<string, unknown> => {
      const nested: unknown[] = [];
      let inner: unknown = TOKEN;
      for (let level = 0; level < 1_200; level++) inner = level % 2 === 0 ? [inner] : { inner };
      nested.push(inner, ...Array.from({ length: 5_000 }, (_, index) => ({ index, text: `${TOKEN} ${index}` })));
      return JSON.parse(`{"${TOKEN}":1,"__proto__":{"a":"${TOKEN}"},"nested":${JSON.stringify(nested)}}`);
    };
    assert.ok(isLarge(make()) && !isLarge({ a: [1, 2, 3] }));
    assert.deepEqual(await redactLarge(make(), redactor), redactor.redactValue(make()));
    // A long text is masked in pieces; secrets stand at every edge of them.
    const long = { text: `${TOKEN} ab`.repeat(60_000), list: ["x".repeat(65_530) + TOKEN, `${TOKEN}${TOKEN}`.repeat(10_000)] };
    assert.ok(isLarge({ text: long.text }) && isLarge([long.text]));
    assert.deepEqual(await redactLarge(structuredClone(long), redactor), redactor.redactValue(long));
    assert.equal(await redactLarge(long.text, redactor), redactor.redact(long.text));
  });
});
