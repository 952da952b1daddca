// Processes long lists and texts without blocking the host's event loop.

/** Milliseconds of one slice. */
const SLICE = 8;

export interface Slices {
  /** Returns whether the slice has used up its time. */
  isOver(): boolean;
  /** Yields to other work of the process, then starts the next slice. */
  next(): Promise<void>;
}

export function startSlices(): Slices {
  let until = performance.now() + SLICE;
  return {
    isOver: () => performance.now() > until,
    async next() {
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + SLICE;
    },
  };
}

/** Returns the results of `work` for each item, in order, and yields to other work of the process between slices. */
export async function inSlices<T, R>(list: readonly T[], work: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  const slices = startSlices();
  for (let index = 0; index < list.length; index++) {
    results.push(work(list[index] as T, index));
    // Reading the clock costs more than most items.
    if (index % 16 === 0 && slices.isOver()) await slices.next();
  }
  return results;
}
