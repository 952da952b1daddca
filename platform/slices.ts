// Work over long lists and texts without holding up the host's loop.

/** Milliseconds at a time. */
const SLICE = 8;

export interface Slices {
  /** Whether this slice has lasted long enough. */
  isOver(): boolean;
  /** Lets other work of the process in between, and starts the next slice. */
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

/** The list, each item worked on; other work of the process comes in between. */
export async function inSlices<T, R>(list: readonly T[], work: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  const slices = startSlices();
  for (let index = 0; index < list.length; index++) {
    results.push(work(list[index] as T, index));
    // The clock costs more than most items.
    if (index % 16 === 0 && slices.isOver()) await slices.next();
  }
  return results;
}
