// Milliseconds since the start, without pauses.
export class Stopwatch {
  private counted = 0;
  private since: number | undefined = performance.now();

  get time(): number {
    return this.counted + (this.since === undefined ? 0 : performance.now() - this.since);
  }

  pause(isPaused: boolean): void {
    this.counted = this.time;
    this.since = isPaused ? undefined : performance.now();
  }
}
