// How much work the resolution of one pack's expressions may be.

/** Maximum number of steps from name to name; a longer chain is a circle. */
const MOST_STEPS = 40;
/** Maximum number of calls whose arguments are bound, since functions of functions are resolved many times. */
const MOST_BOUND = 10_000;
/** Maximum number of look-ups for a pack, many times what the largest packs need. Beyond it, values are unknown. */
const MOST_LOOKS = 300_000;

export class ResolutionLimits {
  #looks = 0;
  #bounds = 0;
  /** Set once a limit ended a resolution: the result then depends on previous calls. */
  #isCutShort = false;

  isTooFar(steps: number): boolean {
    if (steps > MOST_STEPS) this.#isCutShort = true;
    return steps > MOST_STEPS;
  }

  /** Counts look-ups, and returns whether they are too many. */
  addLooks(count: number): boolean {
    this.#looks += count;
    return this.#looks > MOST_LOOKS;
  }

  /** Counts a call whose arguments are bound, and returns whether there are too many. */
  addBound(): boolean {
    return ++this.#bounds > MOST_BOUND;
  }

  /** Whether results depend only on the files, because no limit is near. */
  isFar(): boolean {
    return !this.#isCutShort && this.#looks < MOST_LOOKS / 10 && this.#bounds < MOST_BOUND / 10;
  }
}
