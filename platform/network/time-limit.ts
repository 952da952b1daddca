// A time limit that does not run while a person decides something.

export class TimeLimit {
  readonly #time: number;
  readonly #onEnd: () => void;
  /** Milliseconds that are left while the limit is suspended. */
  #remaining: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The number of pieces of work that suspend the limit. */
  #suspensions = 0;

  /** Calls `onEnd` after `time` milliseconds. */
  constructor(time: number, onEnd: () => void) {
    this.#time = time;
    this.#remaining = time;
    this.#onEnd = onEnd;
    this.#start();
  }

  /** Suspends the limit until the work settles. */
  async suspendedFor<T>(work: Promise<T>): Promise<T> {
    if (this.#suspensions++ === 0) {
      clearTimeout(this.#timer);
      this.#remaining -= Date.now() - this.#startedAt;
    }
    try {
      return await work;
    } finally {
      if (--this.#suspensions === 0 && this.#timer !== undefined) this.#start();
    }
  }

  /** Starts the whole time again, unless the limit was cleared. */
  restart(): void {
    if (this.#timer === undefined) return;
    this.#remaining = this.#time;
    if (this.#suspensions > 0) return;
    clearTimeout(this.#timer);
    this.#start();
  }

  /** Ends the limit without calling `onEnd`. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#startedAt = Date.now();
    this.#timer = setTimeout(this.#onEnd, Math.max(0, this.#remaining));
  }
}
