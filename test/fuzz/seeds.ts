// One seed after another. What is compared in the other process is waited for while the next seeds run here.

export interface FuzzResult {
  /** How many texts were analysed: one per edit. */
  readonly inputs: number;
  /** Milliseconds that the slowest edit took, from the change to its diagnostics, without what other processes took meanwhile. */
  readonly slowest: number;
}

export interface SeedResult extends FuzzResult {
  readonly seed: number;
  /** What went wrong. */
  readonly error?: unknown;
}

/** How many are waited for at most. */
const AHEAD = 8;

/** In the order of the seeds, from the first on, without an end. */
export async function* fuzzSeeds(first: number, fuzz: (seed: number) => Promise<FuzzResult>): AsyncGenerator<SeedResult, never> {
  const ahead: Promise<SeedResult>[] = [];
  for (let seed = first; ; seed++) {
    const result = fuzz(seed).then(
      (fuzzResult) => ({ seed, ...fuzzResult }),
      (error: unknown) => ({ seed, inputs: 1, slowest: 0, error }),
    );
    ahead.push(result);
    const oldest = ahead.length > AHEAD ? ahead.shift() : undefined;
    if (oldest !== undefined) yield await oldest;
  }
}

/** Until there are so many inputs; throws what goes wrong. Gives the slowest edit of each seed. */
export async function fuzzInputs(inputs: number, first: number, fuzz: (seed: number) => Promise<FuzzResult>): Promise<readonly number[]> {
  const slowest: number[] = [];
  let inputCount = 0;
  for await (const result of fuzzSeeds(first, fuzz)) {
    if ("error" in result) throw result.error;
    slowest.push(result.slowest);
    inputCount += result.inputs;
    if (inputCount >= inputs) return slowest;
  }
  return slowest;
}
