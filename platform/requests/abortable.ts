// What is waited for only as long as nobody stops it.

/** Aborted after the milliseconds, or with the other signal, where there is one. */
export const withinTime = (milliseconds: number, signal: AbortSignal | undefined): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(milliseconds), ...(signal === undefined ? [] : [signal])]);

/** The same promise, but rejected as soon as the signal is aborted: not everything that is waited for looks at one. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
