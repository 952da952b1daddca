// How long mutated packs take: the slowest edit of each, from the change to its diagnostics.
import { fuzzOnce } from "../fuzz/fuzz.ts";
import { fuzzSources } from "../fuzz/sources.ts";
import { judge } from "./figures.ts";
import { milliseconds, quantile } from "./statistics.ts";

const PACKS = 1_500;

export async function benchFuzz(): Promise<void> {
  console.log("\nMutated packs");
  const sources = fuzzSources();
  const times: number[] = [];
  let inputs = 0;
  for (let seed = 1; seed <= PACKS; seed++) {
    const result = await fuzzOnce(sources, seed, { fixesAt: 20 });
    inputs += result.inputs;
    times.push(result.slowest);
  }
  const p99 = quantile(times, 0.99);
  judge({
    what: "mutated packs, p99 of change → diagnostics",
    target: "< 200 ms",
    measured: milliseconds(p99),
    met: p99 < 200,
    how: `${inputs} inputs, each equal to a fresh analysis; longest ${milliseconds(quantile(times, 1))}`,
  });
}
