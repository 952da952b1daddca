// Work over long lists without holding up the host's loop.

/** Milliseconds at a time. */
const SLICE = 8;

/** The list, each item worked on; other work of the process comes in between. */
export async function inSlices<T, R>(list: readonly T[], work: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  let until = performance.now() + SLICE;
  for (let index = 0; index < list.length; index++) {
    results.push(work(list[index] as T, index));
    // The clock costs more than most items.
    if (index % 16 === 0 && performance.now() > until) {
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + SLICE;
    }
  }
  return results;
}
