// Retries file operations that another program blocks for a moment. Windows refuses to replace, open or remove a file that a virus scanner
// or another window has open. It also refuses to create a folder while one of that name is being removed, and keeps a removed file until
// its readers close it.

/** On other systems these codes are rare and permanent; their report is only delayed. */
const CODES: ReadonlySet<unknown> = new Set(["EPERM", "EACCES", "EBUSY", "ENOTEMPTY"]);
/** Milliseconds during which the operation is retried. */
const PATIENCE = 2_000;

/** Runs the work until it is not refused, so the work must be repeatable. Other errors are thrown at once, and a refusal if it lasts. */
export async function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
    }
    // A random pause keeps two processes from retrying at the same moment.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}

/** Returns whether the error may mean that another program has the file open. */
export const isBusy = (error: unknown): boolean => error instanceof Error && CODES.has((error as NodeJS.ErrnoException).code);

/** The hint for a refusal that lasts. */
export const OPEN_ELSEWHERE = "Another program has the file open, perhaps a virus scanner. Try again in a moment.";
