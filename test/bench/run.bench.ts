// Running formulas: cold, warm and after a save, against the toolkit's own `execute`. And how long the host's loop is held up while a pack
// attacks it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPack, type Pack, type PackOptions } from "../../platform/process/pack.ts";
import { ATTACKS, attackingSource, formula } from "../support/attacks.ts";
import { recordRun, run } from "../support/run.ts";
import { judge, judgeFaster } from "./figures.ts";
import { interleave, median, milliseconds, quantile } from "./statistics.ts";
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
    await attacks(workplace);
  } finally {
    workplace.remove();
  }
}

async function gcd(pack: Pack): Promise<void> {
  // As the panel runs it.
  const { outcome } = (await recordRun(pack, { kind: "formula", name: "GCD" }, [[12, 18]], noNetwork)).report;
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
    const times: { native: number[]; wasm: number[] } = { native: [], wasm: [] };
    const timed = async (into: number[], work: () => Promise<void>): Promise<void> => {
      await pause();
      const start = performance.now();
      await work();
      into.push(performance.now() - start);
    };
    for (let round = 0; round < 25; round++) {
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
    console.log("\nRun a formula without network");
    const how = (ours: number, of: string): string => `p50 of ${of}: ${milliseconds(ours)}; the toolkit's execute ${milliseconds(theirs)}`;
    const cold = median(execute.cold ?? []);
    judgeFaster("cold: bundle, start, load, run, than the toolkit's execute", theirs / cold, 3, how(cold, "5 openings"));
    for (const [name, most, samples] of [
      ["native esbuild", 25, times.native],
      ["esbuild-wasm", 45, times.wasm],
    ] as const) {
      const ours = median(samples);
      const what = `save → result, ${name}`;
      judge({ what, target: `≤ ${most} ms`, measured: milliseconds(ours), isMet: ours <= most, how: `p50 of ${samples.length} saves` });
      judgeFaster(`${what}, than the toolkit's execute`, theirs / ours, 30, how(ours, `${samples.length} saves`));
    }
  } finally {
    native.dispose();
    wasm.dispose();
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
  const longest: { readonly name: string; readonly lag: number }[] = [];
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
      longest.push({ name, lag: quantile(lags, 1) });
      const result = outcome.status === "failed" ? outcome.error.code : outcome.status;
      console.log(
        `  ${name.padEnd(42)} ${milliseconds(quantile(lags, 1)).padStart(9)}  ${milliseconds(quantile(lags, 0.99)).padStart(9)}   ${result}`,
      );
    }
    const [worst, ...rest] = longest.toSorted((one, other) => other.lag - one.lag);
    if (worst === undefined) return;
    judge({
      what: "lag of the host while a pack attacks it",
      target: "≤ 50 ms",
      measured: milliseconds(worst.lag),
      isMet: worst.lag <= 50,
      how: `the longest of ${longest.length} runs, by ${worst.name}; the next longest ${milliseconds(rest[0]?.lag ?? 0)}`,
    });
  } finally {
    pack.dispose();
  }
}
