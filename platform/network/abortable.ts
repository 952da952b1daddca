// Bounds what the caller waits for, by time and by an AbortSignal.

/**
 * Returns a signal that aborts after the milliseconds, or with the other signal.
 * AbortSignal.timeout is not used: in Node 20, AbortSignal.any does not retain it, so after a garbage collection it no longer aborts.
 */
export function withinTime(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(new DOMException("time-out", "TimeoutError")), milliseconds).unref();
  return AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
}

/** Returns the promise, rejected as soon as the signal aborts, because not all work observes a signal. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
