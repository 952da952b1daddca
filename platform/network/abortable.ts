// What is waited for only as long as nobody stops it.

/**
 * Aborted after the milliseconds, or with the other signal, where there is one. Not by AbortSignal.timeout: in Node 20 nobody holds the one
 * that stands in AbortSignal.any, and it is not heard any more once the memory was swept.
 */
export function withinTime(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(new DOMException("time-out", "TimeoutError")), milliseconds).unref();
  return AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
}

/** The same promise, but rejected as soon as the signal is aborted: not everything that is waited for looks at one. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
