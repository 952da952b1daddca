// Running a formula: ours cold (bundle, start, load, run) and warm (the process is there), against the toolkit's own `execute`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPack, type Pack } from "../../platform/pack.ts";
import { interleave, median, printRows } from "./statistics.ts";
import { makeWorkplace, root, samples } from "./workplace.ts";

const context = { invocationToken: "bench", timezone: "UTC", invocationLocation: { protocolAndHost: "https://coda.io" } };

export async function benchRun(): Promise<void> {
  const workplace = makeWorkplace();
  const entry = workplace.write("pack.ts", readFileSync(join(samples, "packs/math/math.ts"), "utf8"));
  const open = (): Promise<Pack> => openPack(entry, { process: { runner: join(root, "dist/runner.cjs"), node: process.execPath } });
  const run = async (pack: Pack): Promise<void> => {
    const answer = await pack.execute({ kind: "formula", name: "GCD" }, [[12, 18]], context, {
      fetch: () => Promise.reject(new Error("no network here")),
      console: () => {},
    });
    if (answer?.value !== 6) throw new Error(`GCD gave ${JSON.stringify(answer)}`);
  };
  const warm = await open();
  try {
    await run(warm);
    const execute = await interleave(5, {
      cold: async () => {
        const pack = await open();
        await run(pack);
        pack.dispose();
      },
      toolkit: () => {
        const { stdout, status } = spawnSync(
          process.execPath,
          [join(root, "node_modules/@codahq/packs-sdk/dist/cli/index.js"), "execute", entry, "GCD", "12,18"],
          { cwd: workplace.folder, encoding: "utf8" },
        );
        if (status !== 0 || !stdout.includes("6")) throw new Error(`the toolkit's execute gave ${status}: ${stdout}`);
      },
    });
    const warmRuns = await interleave(200, { warm: () => run(warm) });
    const theirs = median(execute.toolkit ?? []);
    printRows("Run a formula without network", [
      { what: "cold: bundle, start, load, run", ours: median(execute.cold ?? []), peer: "toolkit execute", theirs },
      { what: "warm: the process is there", ours: median(warmRuns.warm ?? []), peer: "toolkit execute", theirs },
    ]);
  } finally {
    warm.dispose();
    workplace.remove();
  }
}
