// Running formulas and tables: cold, warm, after a save, per request and per page, each against what it stands beside: the toolkit's own
// `execute`, the broker alone, the server alone. And how long the host's loop is held up while a pack attacks it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createBroker } from "../../platform/broker.ts";
import { openPack, type Pack, type PackOptions } from "../../platform/pack.ts";
import { createRedactor } from "../../platform/redact.ts";
import { run } from "../../platform/run.ts";
import { ATTACKS, attackingSource, formula } from "../support/attacks.ts";
import { interleave, median, milliseconds, printRows, quantile } from "./statistics.ts";
import { makeWorkplace, root, samples, type Workplace } from "./workplace.ts";

const toolkitCli = join(root, "node_modules/@codahq/packs-sdk/dist/cli/index.js");
const options = (more: Partial<PackOptions> = {}): PackOptions => ({
  process: { runner: join(root, "dist/runner.cjs"), node: process.execPath },
  esbuildWasm: join(root, "dist/esbuild-wasm"),
  ...more,
});
const noNetwork = { fetch: () => Promise.reject(new Error("no network here")) };

export async function benchRun(): Promise<void> {
  const workplace = makeWorkplace();
  try {
    await formulas(workplace);
    await requests(workplace);
    await attacks(workplace);
  } finally {
    workplace.remove();
  }
}

async function gcd(pack: Pack): Promise<void> {
  const { outcome } = await run(pack, { kind: "formula", name: "GCD" }, [[12, 18]], noNetwork);
  if (outcome.status !== "succeeded" || outcome.value !== 6) throw new Error(`GCD gave ${JSON.stringify(outcome)}`);
}

async function formulas(workplace: Workplace): Promise<void> {
  const source = readFileSync(join(samples, "packs/math/math.ts"), "utf8");
  const entry = workplace.write("pack.ts", source);
  const wasmEntry = workplace.write("wasm.ts", source);
  let native = await openPack(entry, options());
  let wasm = await openPack(wasmEntry, options({ withoutNativeEsbuild: true }));
  /** As an author does it: a change, a save, and a moment later the run. */
  let change = 0;
  const save = (path: string): void => writeFileSync(path, `${source}\n// ${"x".repeat(change++ % 50)}\n`);
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250));
  try {
    const execute = await interleave(5, {
      cold: async () => {
        const pack = await openPack(entry, options());
        await gcd(pack);
        pack.dispose();
      },
      toolkit: () => {
        const { stdout, status } = spawnSync(process.execPath, [toolkitCli, "execute", entry, "GCD", "12,18"], {
          cwd: workplace.folder,
          encoding: "utf8",
        });
        if (status !== 0 || !stdout.includes("6")) throw new Error(`the toolkit's execute gave ${status}: ${stdout}`);
      },
    });
    const times: { again: number[]; native: number[]; wasm: number[] } = { again: [], native: [], wasm: [] };
    const timed = async (into: number[], work: () => Promise<void>): Promise<void> => {
      await pause();
      const start = performance.now();
      await work();
      into.push(performance.now() - start);
    };
    for (let round = 0; round < 25; round++) {
      await timed(times.again, () => gcd(native));
      save(entry);
      await timed(times.native, async () => {
        const renewed = await native.renew();
        native.dispose();
        native = renewed;
        await gcd(native);
      });
      save(wasmEntry);
      await timed(times.wasm, async () => {
        const renewed = await wasm.renew();
        wasm.dispose();
        wasm = renewed;
        await gcd(wasm);
      });
    }
    const theirs = median(execute.toolkit ?? []);
    const peer = "toolkit execute";
    printRows("Run a formula without network (p50)", [
      { what: "cold: bundle, start, load, run", ours: median(execute.cold ?? []), peer, theirs },
      { what: "run again, nothing changed", ours: median(times.again), peer, theirs },
      { what: "save → result, native esbuild", ours: median(times.native), peer, theirs },
      { what: "save → result, esbuild-wasm", ours: median(times.wasm), peer, theirs },
    ]);
  } finally {
    native.dispose();
    wasm.dispose();
  }
}

const PAGES = 100;
const PAGE_ROWS = 100;
/** Milliseconds that the server takes for a page: a quick one, near by. */
const PAGE_TIME = 20;
const REQUESTS = 50;

async function openServer(): Promise<{ readonly server: Server; readonly origin: string }> {
  const page = (number: number): string =>
    JSON.stringify({
      items: Array.from({ length: PAGE_ROWS }, (_, row) => ({
        id: number * PAGE_ROWS + row,
        name: `Item ${row}`,
        price: row * 1.5,
        tags: ["a", "b"],
        done: row % 2 === 0,
      })),
      next: number + 1 < PAGES ? number + 1 : null,
    });
  const server = createServer((request, response) => {
    const number = /^\/page\/(\d+)/.exec(request.url ?? "")?.[1];
    response.setHeader("content-type", "application/json");
    if (number === undefined) response.end('{"ok":true}');
    // An API takes its time for a page.
    else setTimeout(() => response.end(page(Number(number))), PAGE_TIME);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function requests(workplace: Workplace): Promise<void> {
  const { server, origin } = await openServer();
  const entry = workplace.write(
    "requests.ts",
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
const { None } = coda.ConnectionRequirement;
pack.addFormula({ name: "Many", description: "m", parameters: [], resultType: coda.ValueType.Number, connectionRequirement: None,
  execute: async (_: any, context) => { for (let i = 0; i < ${REQUESTS}; i++) await context.fetcher.fetch({ method: "GET", url: "${origin}/" + i, cacheTtlSecs: 0 }); return ${REQUESTS}; } });
pack.addSyncTable({ name: "Items", identityName: "Item", description: "i", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number }, name: { type: coda.ValueType.String }, price: { type: coda.ValueType.Number },
    tags: { type: coda.ValueType.Array, items: { type: coda.ValueType.String } }, done: { type: coda.ValueType.Boolean } }, idProperty: "id", displayProperty: "name" }),
  formula: { name: "Sync", description: "s", parameters: [], execute: async (_: any, context: any) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "${origin}/page/" + (context.sync.continuation?.page ?? 0), cacheTtlSecs: 0 });
    return { result: body.items, continuation: body.next === null ? undefined : { page: body.next } };
  } } });
`,
  );
  const pack = await openPack(entry, options());
  const allow = { allowLoopback: true };
  const broker = createBroker({
    definition: pack.definition,
    connectionRequirement: "none",
    invocationToken: "bench",
    fetch,
    redactor: createRedactor(),
    onTrace: () => {},
    ...allow,
  });
  const pages = async (work: (url: string) => Promise<unknown>): Promise<void> => {
    for (let page = 0; page < PAGES; page++) await work(`${origin}/page/${page}`);
  };
  const signal = new AbortController().signal;
  try {
    const times = await interleave(11, {
      many: async () => {
        const { outcome } = await run(pack, { kind: "formula", name: "Many" }, [], { fetch, ...allow });
        if (outcome.status !== "succeeded") throw new Error(JSON.stringify(outcome));
      },
      // The process for the next run starts meanwhile, and is none of the broker's time.
      rest: () => new Promise((resolve) => setTimeout(resolve, 800)),
      broker: async () => {
        for (let i = 0; i < REQUESTS; i++) await broker.fetch({ method: "GET", url: `${origin}/${i}` }, signal);
      },
      pause: () => new Promise((resolve) => setTimeout(resolve, 200)),
    });
    const each = (name: string): number => median(times[name] ?? []) / REQUESTS;
    console.log(
      `\nRequests through the process boundary: ${milliseconds(each("many") - each("broker"))} each above the broker alone (${milliseconds(each("broker"))})`,
    );
    const tables = await interleave(5, {
      table: async () => {
        const { outcome } = await run(pack, { kind: "syncTable", name: "Items" }, [], { fetch, rowLimit: PAGES * PAGE_ROWS, ...allow });
        if (outcome.status !== "succeeded" || outcome.rows !== PAGES * PAGE_ROWS) throw new Error(JSON.stringify(outcome).slice(0, 500));
      },
      server: () => pages(async (url) => (await fetch(url)).json()),
      pause: () => new Promise((resolve) => setTimeout(resolve, 200)),
    });
    printRows(`Sync table: ${PAGES * PAGE_ROWS} rows over ${PAGES} pages, ${PAGE_TIME} ms each`, [
      {
        what: "the table, normalised, checked and masked",
        ours: median(tables.table ?? []),
        peer: "the server alone",
        theirs: median(tables.server ?? []),
      },
    ]);
  } finally {
    pack.dispose();
    server.close();
  }
}

/** What a pack can do to its host's loop, beside the attacks that the tests know. */
const MEASURED: Readonly<Record<string, string>> = {
  "(none: the machine)": "await new Promise(() => {})",
  "the largest result":
    "return Array.from({ length: 10_000 }, (_, i) => Object.fromEntries(Array.from({ length: 20 }, (_x, k) => ['column' + k, i + ' ' + k])))",
  ...Object.fromEntries(Object.entries(ATTACKS).map(([name, { body }]) => [name, body])),
};

async function attacks(workplace: Workplace): Promise<void> {
  const statements = Object.values(MEASURED).map((body, index) => formula(`A${index}`, body));
  const entry = workplace.write("attacks.ts", attackingSource(statements.join("\n")));
  const pack = await openPack(entry, options());
  console.log("\nHow long the host's loop was held up (longest; p99 of its ticks)");
  try {
    for (const [index, name] of Object.keys(MEASURED).entries()) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const lags: number[] = [];
      let last = performance.now();
      const watch = setInterval(() => {
        lags.push(performance.now() - last - 5);
        last = performance.now();
      }, 5);
      const { outcome } = await run(pack, { kind: "formula", name: `A${index}` }, [], {
        ...noNetwork,
        lookup: async () => ["93.184.216.34"],
        timeLimit: 3_000,
      });
      await new Promise((resolve) => setTimeout(resolve, 30));
      clearInterval(watch);
      const result = outcome.status === "failed" ? outcome.error.code : outcome.status;
      console.log(
        `  ${name.padEnd(42)} ${milliseconds(quantile(lags, 1)).padStart(9)}  ${milliseconds(quantile(lags, 0.99)).padStart(9)}   ${result}`,
      );
    }
  } finally {
    pack.dispose();
  }
}
