// What the threads of a check share: which part is next, and how many files are done. Who is free takes the next one.

export interface PartQueue {
  /** The number of the next part, in order; undefined when there is none left. */
  take(): number | undefined;
  /** Nobody takes any more. */
  stop(): void;
  countFile(): void;
  filesDone(): number;
  /** For other threads to {@link joinQueue}. */
  readonly memory: SharedArrayBuffer;
}

const NEXT = 0;
const DONE = 1;

export const createQueue = (parts: number): PartQueue => joinQueue(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT), parts);

export function joinQueue(memory: SharedArrayBuffer, parts: number): PartQueue {
  const numbers = new Int32Array(memory);
  return {
    memory,
    take() {
      const number = Atomics.add(numbers, NEXT, 1);
      return number < parts ? number : undefined;
    },
    stop: () => void Atomics.store(numbers, NEXT, parts),
    countFile: () => void Atomics.add(numbers, DONE, 1),
    filesDone: () => Atomics.load(numbers, DONE),
  };
}
