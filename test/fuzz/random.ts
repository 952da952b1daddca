// Random numbers from a seed, so that whatever a run finds can be found again.

export interface Random {
  /** A whole number from 0 up to, without, `below`. */
  int(below: number): number;
  pick<T>(items: readonly T[]): T;
  /** True once in `times`. */
  oneIn(times: number): boolean;
}

/** Mulberry32: small, fast, and good enough to mutate texts. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    pick(items) {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
    oneIn: (times) => int(times) === 0,
  };
}
