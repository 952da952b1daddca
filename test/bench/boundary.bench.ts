// What the process boundary costs: per page of a table above the server alone, and in memory over many pages.
import { fork } from "node:child_process";
import { join } from "node:path";
import type { Pack } from "../../platform/process/pack.ts";
import type { RunOptions } from "../support/run.ts";
import { judge, judgeRatio, notRun } from "./figures.ts";
import { type MemoryOverPages, SAMPLED } from "./memory-host.ts";
import { shippedHost } from "./shipped-host.ts";
import { interleave, median, milliseconds } from "./statistics.ts";
import { makeWorkplace, root } from "./workplace.ts";

type Run = typeof import("./host.ts").run;

const PAGES = 100;
const ROWS = 10_000;
/** Pages of which all but the rows is thrown away, and bytes of each. */
const FILLED_PAGES = 1_000;

const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

export async function benchBoundary(): Promise<void> {
  const workplace = makeWorkplace();
  const server = fork(join(import.meta.dirname, "page-server.mjs"), { execArgv: [] });
  let pack: Pack | undefined;
  try {
    const port = await new Promise<unknown>((resolve) => server.once("message", resolve));
    const origin = `http://127.0.0.1:${port}`;
    const entry = workplace.write("boundary.ts", source(origin));
    const { openPack, run } = await shippedHost(workplace);
    pack = await openPack(entry, {
      process: { runner: join(root, "dist/runner.cjs"), node: process.execPath },
      esbuildWasm: join(root, "dist/esbuild-wasm"),
    });
    console.log("\nThe process boundary");
    for (const wait of [0, 20]) await table(pack, run, origin, wait);
    await memory(entry);
  } finally {
    pack?.dispose();
    server.kill();
    workplace.remove();
  }
}

const source = (origin: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
const { None } = coda.ConnectionRequirement;
const count = coda.makeParameter({ type: coda.ParameterType.Number, name: "count", description: "c" });
const get = async (context: any, path: string) => (await context.fetcher.fetch({ method: "GET", url: "${origin}" + path, cacheTtlSecs: 0 })).body;
pack.addSyncTable({ name: "Items", identityName: "Item", description: "i", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number }, name: { type: coda.ValueType.String }, price: { type: coda.ValueType.Number },
    tags: { type: coda.ValueType.Array, items: { type: coda.ValueType.String } }, done: { type: coda.ValueType.Boolean } }, idProperty: "id", displayProperty: "name" }),
  formula: { name: "Sync", description: "s", parameters: [count], execute: async ([wait]: any, context: any) => {
    const body = await get(context, "/page/" + (context.sync.continuation?.page ?? 0) + (wait === 0 ? "" : "?wait=" + wait));
    return { result: body.items, continuation: body.next === null ? undefined : { page: body.next } };
  } } });
pack.addSyncTable({ name: "Filled", identityName: "Filled", description: "f", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncFilled", description: "s", parameters: [], execute: async (_: any, context: any) => {
    const page = context.sync.continuation?.page ?? 0;
    const body = await get(context, "/filled/" + page);
    return { result: body.items, continuation: page + 1 < ${FILLED_PAGES} ? { page: page + 1 } : undefined };
  } } });
`;

const options = (more: Partial<RunOptions> = {}): RunOptions => ({ fetch, allowLoopback: true, rowLimit: ROWS, ...more });

async function table(pack: Pack, run: Run, origin: string, wait: number): Promise<void> {
  const times = await interleave(7, {
    table: async () => {
      const { outcome } = await run(pack, { kind: "syncTable", name: "Items" }, [wait], options());
      if (outcome.status !== "succeeded" || outcome.rows !== ROWS) throw new Error(JSON.stringify(outcome).slice(0, 500));
    },
    rest: () => pause(600),
    server: async () => {
      for (let page = 0; page < PAGES; page++) await (await fetch(`${origin}/page/${page}${wait === 0 ? "" : `?wait=${wait}`}`)).json();
    },
  });
  const [ours, theirs] = [median(times.table ?? []), median(times.server ?? [])];
  const what = `sync table of ${ROWS} rows over ${PAGES} pages, a server that ${wait === 0 ? "answers at once" : `takes ${wait} ms`}`;
  const how = `median of 7 tables: ${milliseconds(ours)}, start, masking and checks included; the server's own time, ${PAGES} requests for the same JSON by plain fetch over one connection: ${milliseconds(theirs)}`;
  judgeRatio(what, ours / theirs, wait === 0 ? 3 : 1.2, how);
}

/** What stays in memory, page by page, of responses of which one row is kept; in a host of its own, with nothing of other measurements in it. */
async function memory(entry: string): Promise<void> {
  if (process.platform !== "linux") {
    notRun("memory over pages: it is looked at through /proc.");
    return;
  }
  const host = fork(join(import.meta.dirname, "memory-host.ts"), [entry, String(FILLED_PAGES)], {
    execArgv: ["--import", import.meta.resolve("tsx"), "--expose-gc"],
  });
  const { size, heap, outside, packs } = await new Promise<MemoryOverPages>((resolve, reject) => {
    host.once("message", (message) => resolve(message as MemoryOverPages));
    host.once("exit", (code) => reject(new Error(`the host whose memory was looked at ended with ${code}`)));
  });
  const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
  /** Of the samples around a page. */
  const around = (samples: readonly (readonly [number, number])[], page: number): number =>
    median(samples.filter(([at]) => Math.abs(at - page) <= SAMPLED).map(([, bytes]) => bytes));
  const marks = [SAMPLED, 100, 500, FILLED_PAGES - SAMPLED];
  const grownBy = (samples: readonly (readonly [number, number])[]): number => around(samples, marks[3] ?? 0) - around(samples, 500);
  const grown = grownBy(heap) + grownBy(outside);
  judge({
    what: "memory of the host over the pages of a table",
    target: "flat: ≤ 2 MB from page 500 to 1,000",
    measured: megabytes(grown),
    isMet: grown <= 2 * 1_048_576,
    how: `in a process of its own, after garbage collection, ${megabytes(size)} a page of which one row is kept; medians of the ${2 * SAMPLED} pages around each: ${marks.map((mark) => `page ${mark} ${megabytes(around(heap, mark))} of objects and ${megabytes(around(outside, mark))} of buffers`).join(", ")}; the report keeps the first 64 KB of the first 500 responses, and the line of every request`,
  });
  const peak = (from: number, to: number): number => Math.max(...packs.slice(from, to));
  const [early, late] = [peak(0, 100), peak(FILLED_PAGES - 100, FILLED_PAGES)];
  judge({
    what: "memory of the pack process over the pages of a table",
    target: "flat: ≤ 1.2 ×",
    measured: `${(late / early).toFixed(2)} ×`,
    isMet: late <= early * 1.2,
    how: `resident: at most ${megabytes(early)} during the first 100 pages of ${megabytes(size)}, ${megabytes(late)} during the last 100 of ${FILLED_PAGES}`,
  });
}
