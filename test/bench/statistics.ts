// The numbers of a benchmark: whose turn it is, middle values, and how they are printed.
import type { Random } from "../fuzz/random.ts";

/** The p-th quantile (0..1) of the samples, in their own unit. */
export function quantile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];
  if (value === undefined) throw new Error("no samples");
  return value;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

/** In an order that is drawn: whoever always comes behind the same neighbour finds the caches as that one leaves them. */
export function shuffled<T>(items: readonly T[], { int }: Random): readonly T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(int(left.length), 1));
}

/** Runs the contenders in turns, so that a slow moment of the machine meets all of them; gives each one's samples in milliseconds. */
export async function interleave(
  rounds: number,
  contenders: Readonly<Record<string, () => Promise<void> | void>>,
): Promise<Record<string, number[]>> {
  const samples: Record<string, number[]> = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = performance.now();
      await run();
      samples[name]?.push(performance.now() - start);
    }
  }
  return samples;
}
