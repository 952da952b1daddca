// Ends a run that sends no request for a time. An execution's own limit includes the time that the person may take, so that code that never
// ends would hold a process for as long.

export class IdleLimit {
  readonly #time: number;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Questions that wait for the person. */
  #questions = 0;

  /** The time in milliseconds starts at once. */
  constructor(time: number) {
    this.#time = time;
    this.restart();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Starts the time again, unless the person is asked. */
  restart(): void {
    this.clear();
    if (this.#questions === 0) this.#timer = setTimeout(() => this.#end.abort(), this.#time);
  }

  /** Suspends the time until the person has answered. */
  async suspendedFor<T>(answer: Promise<T>): Promise<T> {
    this.#questions++;
    this.clear();
    try {
      return await answer;
    } finally {
      this.#questions--;
      this.restart();
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
